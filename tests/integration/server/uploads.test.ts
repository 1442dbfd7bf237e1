import { createHash } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { api } from '../../../src/shared/api/index.ts';
import type { Shelf } from '../../../src/shared/model/library.ts';
import { canonicalCommit } from '../../../src/shared/rules/commit.ts';
import { createAccount, startTestServer, type TestClient, type TestServer, uploadFiles } from '../../helpers/server.ts';

let server: TestServer;
let ana: Awaited<ReturnType<typeof createAccount>>;
let shelf: Shelf;
let shelves = 0;
beforeAll(async () => {
  server = await startTestServer();
  ana = await createAccount(server.url);
});
beforeEach(async () => {
  shelves += 1;
  shelf = await ana.call(api.shelves.create, {
    params: { lib: ana.account.library },
    body: { name: `Shelf ${shelves}` },
  });
});
afterAll(() => server.close());

const hashOf = (text: string) => createHash('sha256').update(text).digest('hex');
const announce = (client: TestClient, on: Shelf, text: string, name = 'a.txt', base_version = 0) =>
  client.call(api.upload.ready, {
    params: { lib: on.library, id: on.id },
    body: { files: [{ name, size: Buffer.byteLength(text), sha256: hashOf(text), base_version }] },
  });
const at = () => ({ lib: shelf.library, id: shelf.id });

describe('uploads: status codes A, M, D, UC and C (web-and-phone.md §4)', () => {
  it('give each file its code: added, modified, unchanged, conflicting, deleted', async () => {
    await uploadFiles(ana, shelf, [{ name: 'a.txt', content: 'one' }]);
    await uploadFiles(ana, shelf, [{ name: 'a.txt', content: 'two' }]);
    expect((await announce(ana, shelf, 'two', 'a.txt', 2)).files[0]).toMatchObject({
      code: 'UC',
      version_id: null,
      transfer: 'none',
    });
    expect((await announce(ana, shelf, 'three', 'a.txt', 1)).files[0]).toMatchObject({ code: 'C', version_id: null });
    expect((await announce(ana, shelf, 'three', 'a.txt', 2)).files[0]).toMatchObject({ code: 'M' });
    const gone = await ana.call(api.upload.ready, {
      params: at(),
      body: { message: 'out', files: [{ name: 'a.txt', size: 0, sha256: hashOf(''), base_version: 2, delete: true }] },
    });
    expect(gone.files[0]?.code).toBe('D');
    const { commit } = await ana.call(api.upload.report, { params: at(), body: { upload_id: gone.upload_id } });
    expect(commit?.changes[0]).toMatchObject({ code: 'D', version_id: null });
    expect((await ana.call(api.documents.shelfDetail, { params: at() })).documents).toEqual([]);
  });
  it('take documents to other names, with their history and beside other changes of the commit', async () => {
    await uploadFiles(ana, shelf, [
      { name: 'a.txt', content: 'one' },
      { name: 'b.txt', content: 'two' },
    ]);
    const { documents: before } = await ana.call(api.documents.latest, { params: at() });
    const renamed = { name: 'z.txt', size: 3, sha256: hashOf('one'), renamed_from: 'A.txt', base_version: 1 };
    const announceBoth = (files: readonly object[]) =>
      ana.call(api.upload.ready, { params: at(), body: { files: files as (typeof renamed)[] } });
    const gone = { name: 'b.txt', size: 0, sha256: hashOf(''), base_version: 1, delete: true };
    const ready = await announceBoth([renamed, gone]);
    expect(ready.files).toMatchObject([{ code: 'M', version_id: null, transfer: 'none' }, { code: 'D' }]);
    const { commit } = await ana.call(api.upload.report, { params: at(), body: { upload_id: ready.upload_id } });
    expect(commit?.changes.map(({ code, name }) => `${code} ${name}`).sort()).toEqual([
      'A z.txt',
      'D a.txt',
      'D b.txt',
    ]);
    const { documents: after } = await ana.call(api.documents.latest, { params: at() });
    expect(after).toMatchObject([{ id: before[0]?.id, name: 'z.txt', current_version: 2, sha256: hashOf('one') }]);

    const code = async (file: object) => (await announceBoth([file])).files[0]?.code;
    const again = { ...renamed, name: 'y.txt', renamed_from: 'z.txt', base_version: 2 };
    expect(await code({ ...again, base_version: 1 })).toBe('C');
    expect(await code({ ...again, renamed_from: 'gone.txt' })).toBe('C');
    await uploadFiles(ana, shelf, [{ name: 'y.txt', content: 'somebody else' }]);
    expect(await code(again)).toBe('C');
    await expect(announceBoth([{ ...again, sha256: hashOf('another content') }])).rejects.toMatchObject({
      code: 'bad-request',
    });
    await expect(announceBoth([again, { ...gone, name: 'z.txt' }])).rejects.toMatchObject({ code: 'name-invalid' });
  });
  it('make no commit where nothing changed', async () => {
    await uploadFiles(ana, shelf, [{ name: 'a.txt', content: 'one' }]);
    expect(await uploadFiles(ana, shelf, [{ name: 'a.txt', content: 'one' }])).toBeNull();
  });
  it('name a commit by the hash of its canonical form', async () => {
    const commit = await uploadFiles(
      ana,
      shelf,
      [
        { name: 'b.txt', content: 'b' },
        { name: 'a.txt', content: 'a' },
      ],
      'two files',
    );
    const user = await ana.call(api.auth.userinfo, {});
    const canonical = canonicalCommit({
      shelfId: shelf.id,
      parent: null,
      authorId: user.user_id,
      createdAt: commit?.created_at ?? '',
      message: 'two files',
      changes: [
        { code: 'A', name: 'a.txt', versionNumber: 1, sha256: hashOf('a') },
        { code: 'A', name: 'b.txt', versionNumber: 1, sha256: hashOf('b') },
      ],
    });
    expect(commit?.hash).toBe(hashOf(canonical));
  });
  it('answer a repeated report with the same commit', async () => {
    const { upload_id, files } = await announce(ana, shelf, 'once');
    const { url } = await ana.call(api.upload.presignedUrl, {
      params: at(),
      body: { version_id: files[0]?.version_id ?? '' },
    });
    await fetch(server.url + url, { method: 'PUT', body: 'once' });
    const reports = await Promise.allSettled(
      [1, 2, 3].map(() => ana.call(api.upload.report, { params: at(), body: { upload_id } })),
    );
    const again = await ana.call(api.upload.report, { params: at(), body: { upload_id } });
    expect(reports.some((report) => report.status === 'fulfilled')).toBe(true);
    expect(
      (await ana.call(api.documents.commits, { params: at(), query: {} })).commits.map((commit) => commit.hash),
    ).toEqual([again.commit?.hash]);
  });
  it('refuse to commit before the content is there, or when it is another', async () => {
    const { upload_id, files } = await announce(ana, shelf, 'expected');
    const report = () => ana.call(api.upload.report, { params: at(), body: { upload_id } });
    await expect(report()).rejects.toMatchObject({ code: 'upload-incomplete', details: { missing: ['a.txt'] } });
    const { url } = await ana.call(api.upload.presignedUrl, {
      params: at(),
      body: { version_id: files[0]?.version_id ?? '' },
    });
    expect((await fetch(server.url + url, { method: 'PUT', body: 'tampered' })).status).toBe(422);
    expect((await fetch(server.url + url, { method: 'PUT', body: 'expected and more' })).status).toBe(422);
    await expect(report()).rejects.toMatchObject({ code: 'upload-incomplete' });
  });
  it('take nothing by an address that was changed, has expired, or is used otherwise', async () => {
    const { files } = await announce(ana, shelf, 'guarded');
    const { url } = await ana.call(api.upload.presignedUrl, {
      params: at(),
      body: { version_id: files[0]?.version_id ?? '' },
    });
    const put = (path: string) =>
      fetch(server.url + path, { method: 'PUT', body: 'guarded' }).then((response) => response.status);
    expect(await put(url.replace('size=7', 'size=8'))).toBe(403);
    expect(await put(url.replace(/expires=\d+/u, 'expires=99999999999999'))).toBe(403);
    expect(await put(url.replace('/storage/', '/storage/x'))).toBe(403);
    expect((await fetch(server.url + url)).status).toBe(404);
    expect(await put(url)).toBe(200);
  });
  it('send content once where the sender can read it already, and tell nobody else that it is there', async () => {
    await uploadFiles(ana, shelf, [{ name: 'a.txt', content: 'secret words' }]);
    expect((await announce(ana, shelf, 'secret words', 'copy.txt')).files[0]?.transfer).toBe('none');
    const eve = await createAccount(server.url);
    const own = await eve.call(api.shelves.create, { params: { lib: eve.account.library }, body: { name: 'Own' } });
    expect((await announce(eve, own, 'secret words')).files[0]?.transfer).toBe('single');
  });
  it('give nobody a content whose hash is all that they know', async () => {
    await uploadFiles(ana, shelf, [{ name: 'a.txt', content: 'known by its hash alone' }]);
    const eve = await createAccount(server.url);
    const own = await eve.call(api.shelves.create, { params: { lib: eve.account.library }, body: { name: 'Own' } });
    const { upload_id } = await announce(eve, own, 'known by its hash alone');
    await expect(
      eve.call(api.upload.report, { params: { lib: own.library, id: own.id }, body: { upload_id } }),
    ).rejects.toMatchObject({ code: 'upload-incomplete' });
  });
  it.each([['a/../b'], ['con.txt'], ['x\u202Etxt.exe'], ['']])('refuse the name %j', async (name) => {
    await expect(announce(ana, shelf, 'x', name)).rejects.toMatchObject({ code: 'name-invalid' });
  });
  it('do not let two names stand that differ by case or normalisation only', async () => {
    const first = await uploadFiles(ana, shelf, [{ name: 'Résumé.txt', content: 'one' }]);
    const second = await uploadFiles(ana, shelf, [{ name: 'RE\u0301SUME\u0301.TXT', content: 'two', base_version: 1 }]);
    expect(second?.changes[0]).toMatchObject({ code: 'M', document_id: first?.changes[0]?.document_id });
  });
  it('stop at the limit of the plan and say which', async () => {
    const second = await createAccount(server.url);
    const lib = second.account.library;
    const small = await second.call(api.shelves.create, { params: { lib }, body: { name: 'Small' } });
    const files = Array.from({ length: 51 }, (_, index) => ({ name: `${index}.txt`, content: `${index}` }));
    await expect(uploadFiles(second, small, files)).rejects.toMatchObject({
      code: 'plan-limit-reached',
      details: { limit: 'max_documents', max: 50, used: 0 },
    });
    await second.call(api.shelves.create, { params: { lib }, body: { name: 'Second' } });
    await expect(second.call(api.shelves.create, { params: { lib }, body: { name: 'Third' } })).rejects.toMatchObject({
      details: { limit: 'max_shelves', max: 2, used: 2 },
    });
  });
});

describe('a conflict', () => {
  /** Two changes on the same base: the second is in conflict. */
  async function conflicting(mine: string) {
    await uploadFiles(ana, shelf, [{ name: 'plan.txt', content: 'first' }]);
    await uploadFiles(ana, shelf, [{ name: 'plan.txt', content: 'theirs' }]);
    const announced = await announce(ana, shelf, mine, 'plan.txt', 1);
    expect(announced.files[0]).toMatchObject({ code: 'C', version_id: null });
    return announced.upload_id;
  }
  async function settle(upload_id: string, action: 'keep-mine' | 'keep-theirs' | 'keep-both', content: string) {
    const resolutions = [{ name: 'plan.txt', action }];
    const { files } = await ana.call(api.upload.conflict, { params: at(), body: { upload_id, resolutions } });
    for (const { version_id, transfer } of files) {
      if (transfer === 'none' || version_id === null) continue;
      const { url } = await ana.call(api.upload.presignedUrl, { params: at(), body: { version_id } });
      await fetch(server.url + url, { method: 'PUT', body: content });
    }
    return (await ana.call(api.upload.report, { params: at(), body: { upload_id } })).commit;
  }
  const documents = async () => (await ana.call(api.documents.shelfDetail, { params: at() })).documents;

  it('keeps mine as a version on top', async () => {
    const commit = await settle(await conflicting('mine'), 'keep-mine', 'mine');
    expect(commit?.changes[0]).toMatchObject({ code: 'M', name: 'plan.txt', version_number: 3 });
  });
  it('keeps theirs and makes no commit', async () => {
    expect(await settle(await conflicting('mine'), 'keep-theirs', 'mine')).toBeNull();
    expect((await documents())[0]).toMatchObject({ current_version: 2 });
  });
  it('keeps both: a copy that says who and when', async () => {
    await settle(await conflicting('mine'), 'keep-both', 'mine');
    expect((await documents()).map(({ name }) => name)).toEqual([
      expect.stringMatching(new RegExp(`^plan \\(${ana.account.username} [\\d. -]+\\)\\.txt$`, 'u')),
      'plan.txt',
    ]);
  });
  it('is one too where the other side deleted the document', async () => {
    await uploadFiles(ana, shelf, [{ name: 'plan.txt', content: 'first' }]);
    const deletion = { name: 'plan.txt', size: 0, sha256: hashOf(''), base_version: 1, delete: true };
    const { upload_id } = await ana.call(api.upload.ready, { params: at(), body: { files: [deletion] } });
    await ana.call(api.upload.report, { params: at(), body: { upload_id } });
    const mine = await announce(ana, shelf, 'mine', 'plan.txt', 1);
    expect(mine.files[0]?.code).toBe('C');
    expect((await settle(mine.upload_id, 'keep-mine', 'mine'))?.changes[0]).toMatchObject({ code: 'A' });
  });
});

describe('a large file', () => {
  const PART = 8 * 1024 * 1024;
  let content: Buffer;
  let sha256 = '';
  beforeEach(() => {
    content = Buffer.alloc(2 * PART + 5, `large file ${shelves} `);
    sha256 = createHash('sha256').update(content).digest('hex');
  });

  async function begin() {
    const file = { name: 'large.bin', size: content.length, sha256 };
    const { upload_id, files } = await ana.call(api.upload.ready, { params: at(), body: { files: [file] } });
    return { upload_id, version_id: files[0]?.version_id ?? '', ready: files[0] };
  }
  async function put(version_id: string, part: number, other: Buffer | null = null) {
    const body = other ?? content.subarray((part - 1) * PART, part * PART);
    const { url } = await ana.call(api.upload.presignedUrl, { params: at(), body: { version_id, part } });
    return (await fetch(server.url + url, { method: 'PUT', body: new Uint8Array(body) })).status;
  }

  it('comes in parts, in any order, and an interrupted upload goes on with those that are missing', async () => {
    const { upload_id, version_id, ready } = await begin();
    expect(ready).toMatchObject({ transfer: 'parts', parts: 3 });
    expect(await put(version_id, 3)).toBe(200);
    expect(await put(version_id, 1)).toBe(200);
    const complete = () => ana.call(api.upload.completeMultipart, { params: at(), body: { version_id } });
    await expect(complete()).rejects.toMatchObject({ code: 'upload-incomplete' });
    const status = () => ana.call(api.upload.status, { params: { ...at(), upload: upload_id } });
    expect((await status()).files[0]).toMatchObject({ arrived: false, received_parts: [1, 3] });
    expect(await put(version_id, 2)).toBe(200);
    await complete();
    await complete();
    expect((await status()).files[0]).toMatchObject({ arrived: true });
    const { commit } = await ana.call(api.upload.report, { params: at(), body: { upload_id } });
    expect((await status()).commit?.hash).toBe(commit?.hash);
    const back = await ana.fetch(`/api/v1/version/${version_id}/content/`);
    expect(
      createHash('sha256')
        .update(Buffer.from(await back.arrayBuffer()))
        .digest('hex'),
    ).toBe(sha256);
  });
  it('is refused when a part is too long, too short, or not what was announced', async () => {
    const { upload_id, version_id } = await begin();
    expect(await put(version_id, 1, content.subarray(0, PART + 1))).toBe(422);
    expect(await put(version_id, 3, content.subarray(0, 4))).toBe(422);
    await expect(put(version_id, 4)).rejects.toMatchObject({ code: 'bad-request' });
    for (const part of [1, 2, 3]) await put(version_id, part);
    await put(version_id, 3, Buffer.from('other'));
    const report = () => ana.call(api.upload.report, { params: at(), body: { upload_id } });
    await expect(report()).rejects.toMatchObject({ code: 'content-mismatch' });
    await expect(report()).rejects.toMatchObject({ code: 'upload-incomplete' });
    for (const part of [1, 2, 3]) expect(await put(version_id, part)).toBe(200);
    expect((await report()).commit).not.toBeNull();
  });
  it('can be given up, and the rest of its upload goes on', async () => {
    const files = [
      { name: 'large.bin', size: content.length, sha256 },
      { name: 'empty.txt', size: 0, sha256: hashOf('') },
    ];
    const ready = await ana.call(api.upload.ready, { params: at(), body: { files } });
    const { version_id } = ready.files[1] ?? {};
    const { url } = await ana.call(api.upload.presignedUrl, { params: at(), body: { version_id: version_id ?? '' } });
    expect((await fetch(server.url + url, { method: 'PUT', body: '' })).status).toBe(200);
    const given = { version_id: ready.files[0]?.version_id ?? '', reason: 'the disk was taken out' };
    await ana.call(api.upload.failed, { params: at(), body: given });
    await expect(put(given.version_id, 1)).rejects.toMatchObject({ code: 'not-found' });
    const { commit } = await ana.call(api.upload.report, { params: at(), body: { upload_id: ready.upload_id } });
    expect(commit?.changes.map(({ name }) => name)).toEqual(['empty.txt']);
  });
});

describe('contents', () => {
  it('come back whole, in part, or not at all when the client has them', async () => {
    const commit = await uploadFiles(ana, shelf, [{ name: 'folder/Zürich "q".txt', content: '0123456789' }]).catch(
      () => null,
    );
    expect(commit).toBeNull();
    const stored = await uploadFiles(ana, shelf, [{ name: 'folder/Zürich.txt', content: '0123456789' }]);
    const id = stored?.changes[0]?.version_id ?? '';
    const whole = await ana.fetch(`/api/v1/version/${id}/content/`);
    expect(await whole.text()).toBe('0123456789');
    expect(whole.headers.get('content-security-policy')).toBe("default-src 'none'; sandbox");
    const part = await ana.fetch(`/api/v1/version/${id}/content/`, { headers: { range: 'bytes=2-4' } });
    expect([part.status, await part.text(), part.headers.get('content-range')]).toEqual([206, '234', 'bytes 2-4/10']);
    expect((await ana.fetch(`/api/v1/version/${id}/content/`, { headers: { range: 'bytes=10-' } })).status).toBe(416);
    expect(
      (
        await ana.fetch(`/api/v1/version/${id}/content/`, {
          headers: { 'if-none-match': whole.headers.get('etag') ?? '' },
        })
      ).status,
    ).toBe(304);
    const download = await ana.fetch(`/api/v1/versioned-document/${id}/download`);
    expect(download.headers.get('content-disposition')).toBe(
      `attachment; filename="Zu_rich.txt"; filename*=UTF-8''Z%C3%BCrich.txt`,
    );
  });
  it('of a type that could run script are a download', async () => {
    const stored = await uploadFiles(ana, shelf, [
      { name: 'x.html', content: '<script>alert(1)</script>', mime: 'text/html' },
    ]);
    const response = await ana.fetch(`/api/v1/version/${stored?.changes[0]?.version_id}/content/`);
    expect(response.headers.get('content-type')).toBe('application/octet-stream');
    expect(response.headers.get('content-disposition')).toMatch(/^attachment/u);
  });
});
