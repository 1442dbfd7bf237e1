import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createOpenRequests } from '../../../src/main/openRequests.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'armarium-open-'));
  await writeFile(join(folder, 'lease.txt'), 'a lease');
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe('what the application is asked to open', () => {
  it('is taken from the arguments of a start: a link and files, not switches or folders', async () => {
    const onOpened = vi.fn();
    const requests = createOpenRequests({ onOpened });
    await requests.openArguments(
      ['--inspect', 'armarium://open/Papers/5', 'lease.txt', '.', 'nothing.txt', '--', 'armarium://run/x'],
      folder,
    );
    expect(onOpened).toHaveBeenCalledTimes(2);
    const { path, files } = requests.take();
    expect(path).toBe('/Papers/5');
    expect(files).toMatchObject([{ name: 'lease.txt', size: 7 }]);
    expect(requests.take()).toEqual({ path: null, files: [] });
  });
  it('hands out contents by an id that nothing else has, and no other path', async () => {
    const requests = createOpenRequests({ onOpened: () => undefined });
    await requests.openFile(join(folder, 'lease.txt'));
    const id = requests.take().files[0]?.id ?? '';
    const answer = await requests.read(id);
    expect(await answer?.text()).toBe('a lease');
    expect(answer?.headers.get('content-security-policy')).toContain('sandbox');
    for (const other of ['', '..', join(folder, 'lease.txt'), `${id}x`]) expect(await requests.read(other)).toBeNull();
  });
  it('is nothing when the file has gone', async () => {
    const file = join(folder, 'gone.txt');
    await writeFile(file, 'x');
    const requests = createOpenRequests({ onOpened: () => undefined });
    await requests.openFile(file);
    const id = requests.take().files[0]?.id ?? '';
    await rm(file);
    expect(await requests.read(id)).toBeNull();
  });
});
