import { createHash } from 'node:crypto';
import { parseUpdateInfo } from 'electron-updater/out/providers/Provider.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { compareVersions } from '../../../src/server/appVersions/appVersions.ts';
import { api } from '../../../src/shared/api/index.ts';
import { createAccount, startTestServer, type TestServer } from '../../helpers/server.ts';

type Client = Awaited<ReturnType<typeof createAccount>>;

let server: TestServer;
let admin: Client;
let ben: Client;
beforeAll(async () => {
  server = await startTestServer();
  admin = await createAccount(server.url);
  ben = await createAccount(server.url);
});
afterAll(() => server.close());

const draft = (version: string, changed: object = {}) => ({
  version,
  platform: 'win32' as const,
  release_notes: 'Better: "quotes"\n# and: yaml',
  ...changed,
});
const create = (version: string, changed: object = {}, by: Client = admin) =>
  by.call(api.appVersions.create, { body: draft(version, changed) });
const update = (id: string, version: string, changed: object = {}) =>
  admin.call(api.appVersions.update, { params: { id }, body: draft(version, changed) });
const put = (id: string, name: string, body: string, by: Client = admin) =>
  by.fetch(`/api/v1/appinfo/app-versions/${id}/files/${encodeURIComponent(name)}`, { method: 'PUT', body });

describe('versions of the desktop application', () => {
  it('become what clients update to when they are published with their installers', async () => {
    const { id } = await create('1.10.0');
    await expect(create('1.10.0')).rejects.toMatchObject({ code: 'conflict' });
    await expect(update(id, '1.10.0', { published: true })).rejects.toMatchObject({ code: 'conflict' });
    expect((await put(id, 'Armarium Setup 1.10.0.exe', 'an installer')).status).toBe(200);
    expect((await fetch(`${server.url}/updates/latest.yml`)).status).toBe(404);
    expect((await update(id, '1.10.0', { published: true })).published_at).not.toBeNull();

    const feed = await (await fetch(`${server.url}/updates/latest.yml`)).text();
    const info = parseUpdateInfo(feed, 'latest.yml', new URL(`${server.url}/updates/latest.yml`));
    expect(info).toMatchObject({ version: '1.10.0', releaseNotes: draft('').release_notes });
    const [file] = info.files;
    const installer = await fetch(new URL(encodeURIComponent(file?.url ?? ''), `${server.url}/updates/`));
    const bytes = Buffer.from(await installer.arrayBuffer());
    expect(createHash('sha512').update(bytes).digest('base64')).toBe(file?.sha512);
    expect((await fetch(`${server.url}/updates/latest-mac.yml`)).status).toBe(404);
    expect((await fetch(`${server.url}/updates/latest.exe`)).status).toBe(404);

    expect((await put(id, 'Armarium Setup 1.10.0.exe', 'another')).status).toBe(409);
    await expect(update(id, '1.11.0', { published: true })).rejects.toMatchObject({ code: 'conflict' });
  });
  it('are compared as versions, not as texts', async () => {
    const { id } = await create('1.9.0');
    await put(id, 'Armarium Setup 1.9.0.exe', 'an older installer');
    await update(id, '1.9.0', { published: true });
    const { version } = await ben.call(api.appVersions.latest, { query: { platform: 'win32' } });
    expect(version?.version).toBe('1.10.0');
    const order = ['1.0.0-alpha', '1.0.0-alpha.1', '1.0.0-beta.2', '1.0.0-beta.11', '1.0.0', '1.2.0', '1.10.0'];
    expect([...order].reverse().sort(compareVersions)).toEqual(order);
  });
  it('are offered to each processor as the files that are for it', async () => {
    const { id } = await create('1.0.0', { platform: 'linux' });
    for (const name of ['A-1.0.0-arm64.AppImage', 'A-1.0.0.AppImage', 'A-1.0.0.AppImage.blockmap']) {
      await put(id, name, `bytes of ${name}`);
    }
    await update(id, '1.0.0', { platform: 'linux', published: true });
    const filesOf = async (feed: string) => {
      const answer = await fetch(`${server.url}/updates/${feed}`);
      return answer.ok
        ? parseUpdateInfo(await answer.text(), feed, new URL(answer.url)).files.map(({ url }) => url)
        : null;
    };
    expect(await filesOf('latest-linux.yml')).toEqual(['A-1.0.0.AppImage']);
    expect(await filesOf('latest-linux-arm64.yml')).toEqual(['A-1.0.0-arm64.AppImage']);
    expect(await filesOf('latest-linux-ia32.yml')).toBeNull();
  });
  it('tell anybody their notes once they are published', async () => {
    const notes = (version: string) => ben.call(api.appVersions.releaseNotes, { params: { version }, query: {} });
    expect(await notes('1.10.0')).toMatchObject({ release_note_type: 'markdown' });
    const { id, release_notes } = await create('2.0.0', {
      release_notes: '<p onclick="x">Hi<script>x</script></p>',
      release_note_type: 'html',
    });
    expect(release_notes).toBe('<p>Hi</p>');
    await expect(notes('2.0.0')).rejects.toMatchObject({ code: 'not-found' });
    await admin.call(api.appVersions.remove, { params: { id } });
    const { versions, count } = await admin.call(api.appVersions.list, { query: {} });
    expect([versions.length, count]).toEqual([3, 3]);
  });
  it('are the administrators’ to write', async () => {
    await expect(create('3.0.0', {}, ben)).rejects.toMatchObject({ code: 'forbidden' });
    await expect(create('3.0')).rejects.toMatchObject({ code: 'bad-request' });
    const { id } = await create('3.0.0');
    expect((await put(id, 'x.exe', 'x', ben)).status).toBe(403);
    expect((await put(id, '../x', 'x')).status).toBe(422);
  });
});
