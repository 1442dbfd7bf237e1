import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';

type Serve = (request: Request) => Promise<Response>;
const served = vi.hoisted(() => new Map<string, unknown>());
vi.mock('electron', () => ({
  protocol: { handle: (scheme: string, handler: unknown) => served.set(scheme, handler) },
}));
const { serveLocalMedia } = await import('../../../src/main/localMedia.ts');

let folder: string;
const media = serveLocalMedia();
const offered = (name: string) => media.offer(join(folder, name));
const ask = (url: string, init?: RequestInit) =>
  (served.get(new URL(url).protocol.slice(0, -1)) as Serve)(new Request(url, init));

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'armarium-media-'));
  await writeFile(join(folder, 'plan.PNG'), 'a picture');
  await writeFile(join(folder, 'walk.mp4'), '0123456789');
  await writeFile(join(folder, 'secret.txt'), 'secret');
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe('pictures and videos of this machine (desktop-shell.md §7, decisions.md §12)', () => {
  it('are had by addresses that do not tell where they are, the same for the same file', async () => {
    const picture = offered('plan.PNG');
    expect(picture).toMatchObject({ kind: 'image', url: expect.stringMatching(/^local-image:\/\/[\da-f-]{36}\/$/u) });
    expect(offered('plan.PNG')).toEqual(picture);
    const answer = await ask(picture?.url ?? '');
    expect(await answer.text()).toBe('a picture');
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'image/png',
      'x-content-type-options': 'nosniff',
      'content-security-policy': expect.stringContaining('sandbox'),
    });
  });
  it('nothing else has an address, and no address but theirs leads anywhere', async () => {
    expect(offered('secret.txt')).toBeNull();
    const id = new URL(offered('plan.PNG')?.url ?? '').host;
    for (const url of [
      'local-image://018f0000-0000-7000-8000-000000000001/',
      `local-image://${id}/secret.txt`,
      `local-image://${id}/..%2fsecret.txt`,
      `video-stream://${id}/`,
    ]) {
      expect((await ask(url)).status, url).toBe(404);
    }
    expect((await ask(`local-image://${id}/`, { method: 'POST' })).status).toBe(405);
  });
  it('videos come in ranges, so that they can be wound', async () => {
    const { kind, url = '' } = offered('walk.mp4') ?? {};
    expect(kind).toBe('video');
    const part = await ask(url, { headers: { range: 'bytes=2-4' } });
    expect(part.status).toBe(206);
    expect(part.headers.get('content-range')).toBe('bytes 2-4/10');
    expect(await part.text()).toBe('234');
    expect((await ask(url, { headers: { range: 'bytes=10-' } })).status).toBe(416);
  });
  it('a file that is gone is not there', async () => {
    await writeFile(join(folder, 'gone.gif'), 'x');
    const { url = '' } = offered('gone.gif') ?? {};
    await rm(join(folder, 'gone.gif'));
    expect((await ask(url)).status).toBe(404);
  });
});
