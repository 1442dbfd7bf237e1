import { describe, expect, it, vi } from 'vitest';
import { createApiClient } from '../../../src/renderer/api/client.ts';
import { inCommits, resolveNames } from '../../../src/renderer/features/shelf/upload/nameConflicts.ts';
import { pickedFromCamera, pickedFromInput } from '../../../src/renderer/features/shelf/upload/pickedFiles.ts';
import { createUploadStore } from '../../../src/renderer/features/shelf/upload/uploadStore.ts';
import { AppError } from '../../../src/shared/errors.ts';
import type { ChangeCode } from '../../../src/shared/model/library.ts';

const ID = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
const SHA = 'a'.repeat(64);
const commit = {
  hash: SHA,
  parent: null,
  message: 'm',
  author: 'Ada',
  created_at: '2026-01-01T00:00:00Z',
  changes: [],
};

interface Answer {
  readonly arrived?: boolean;
  readonly received_parts?: readonly number[];
  readonly name: string;
  readonly code: ChangeCode;
  readonly transfer: 'none' | 'single' | 'parts';
  readonly parts?: number;
}

/** The upload calls of a server that holds `present` and answers `answers`. */
function uploads(answers: readonly Answer[], present: readonly { name: string; version: number }[] = []) {
  const bodies: Record<string, unknown>[] = [];
  const reported = vi.fn();
  let urls = 0;
  const reply = (url: string): unknown => {
    if (url.endsWith('/upload/info/')) {
      return {
        head_commit: null,
        part_size: 1,
        document_room: null,
        documents: present.map(({ name, version }, n) => ({
          id: ID(n),
          name,
          current_version: version,
          sha256: SHA,
          size: 1,
        })),
      };
    }
    if (url.endsWith('/upload/ready/')) {
      return {
        upload_id: ID(99),
        files: answers.map((answer, n) => ({ parts: 0, ...answer, version_id: answer.code === 'UC' ? null : ID(n) })),
      };
    }
    if (url.endsWith(`/upload/${ID(99)}/`)) {
      const files = answers.map((answer, n) => ({
        parts: 0,
        arrived: false,
        received_parts: [],
        ...answer,
        version_id: ID(n),
      }));
      return { files, commit: null };
    }
    if (url.endsWith('/presigned-url/')) {
      urls += 1;
      return { url: `/storage/${urls}`, method: 'PUT', expires_in: 60 };
    }
    if (url.endsWith('/complete-multipart-upload/')) return { version_id: ID(0) };
    reported();
    return { commit };
  };
  const client = createApiClient({
    onSessionExpired: () => undefined,
    fetch: (url, { body }) => {
      if (body !== undefined) bodies.push(JSON.parse(body) as Record<string, unknown>);
      return Promise.resolve({ status: 200, text: () => Promise.resolve(JSON.stringify(reply(url))) });
    },
  });
  const put = vi.fn((_url: string, _content: string, _onBytes: (bytes: number) => void, _signal: AbortSignal) =>
    Promise.resolve(),
  );
  const onCommitted = vi.fn();
  const keeper = { keep: vi.fn(), announced: vi.fn(), forget: vi.fn() };
  const hash = vi.fn((_content: string) => Promise.resolve(SHA));
  /** What waits for its time. */
  const later: { readonly milliseconds: number; readonly run: () => void }[] = [];
  const after = (milliseconds: number, run: () => void) => void later.push({ milliseconds, run });
  const options = { client, keeper, hash, put, onCommitted, after, username: () => 'ada', now: () => 0 };
  const store = createUploadStore<string>(options);
  const target = { library: 'L', shelfId: ID(1), shelfName: 'S', message: 'why' };
  const item = (name: string) => ({ name, size: 3, mime: 'text/plain', content: name });
  const ended = () =>
    vi.waitFor(() => {
      const last = store.getState().batches.at(-1);
      if (last === undefined || !['done', 'failed', 'cancelled'].includes(last.phase)) throw new Error('under way');
      return last;
    });
  return { store, target, item, put, hash, keeper, later, bodies, reported, onCommitted, ended };
}

describe('upload (decisions.md §7)', () => {
  it('sends what is needed, commits, and makes a same-named file a new version', async () => {
    const { store, target, item, put, bodies, ended, onCommitted } = uploads(
      [
        { name: 'new.txt', code: 'A', transfer: 'single' },
        { name: 'Old.txt', code: 'M', transfer: 'single' },
        { name: 'same.txt', code: 'UC', transfer: 'none' },
        { name: 'known.txt', code: 'A', transfer: 'none' },
      ],
      [{ name: 'Old.txt', version: 4 }],
    );
    store.getState().add(target, ['new.txt', 'old.txt', 'same.txt', 'known.txt'].map(item));
    const batch = await ended();
    expect(batch.phase).toBe('done');
    expect(batch.files.map(({ code }) => code)).toEqual(['A', 'M', 'UC', 'A']);
    expect(put.mock.calls.map(([, content]) => content).sort()).toEqual(['new.txt', 'old.txt']);
    const { files, message } = bodies[0] as { files: { name: string; base_version: number }[]; message: string };
    expect(message).toBe('why');
    expect(files.map(({ name, base_version }) => [name, base_version])).toEqual([
      ['new.txt', 0],
      ['Old.txt', 4],
      ['same.txt', 0],
      ['known.txt', 0],
    ]);
    expect(onCommitted).toHaveBeenCalledOnce();
  });

  it('makes no commit when nothing changed', async () => {
    const { store, target, item, reported, ended } = uploads([{ name: 'a', code: 'UC', transfer: 'none' }]);
    store.getState().add(target, [item('a')]);
    expect(await ended()).toMatchObject({ phase: 'done', commit: null });
    expect(reported).not.toHaveBeenCalled();
  });

  it('says which files conflict, and tries those alone again', async () => {
    const { store, target, item, ended } = uploads([
      { name: 'a', code: 'A', transfer: 'none' },
      { name: 'b', code: 'C', transfer: 'none' },
    ]);
    store.getState().add(target, [item('a'), item('b')]);
    const batch = await ended();
    expect(batch.files.map(({ phase, error }) => [phase, error?.code])).toEqual([
      ['done', undefined],
      ['failed', 'conflict'],
    ]);
    store.getState().settle(batch.id, 'keep-both');
    expect(
      store
        .getState()
        .batches.at(-1)
        ?.items.map(({ name }) => name),
    ).toEqual(['b (ada 1970-01-01 00.00.00)']);
    await ended();
  });

  it('sends a large file in parts and has them put together', async () => {
    const { store, target, item, put, bodies, ended } = uploads([
      { name: 'a', code: 'A', transfer: 'parts', parts: 3 },
    ]);
    store.getState().add(target, [item('a')]);
    expect(await ended()).toMatchObject({ phase: 'done', commit });
    const ranges = put.mock.calls.map((call) => (call as unknown[])[4] as { start: number; end: number });
    expect(ranges.sort((a, b) => a.start - b.start)).toEqual([
      { start: 0, end: 1 },
      { start: 1, end: 2 },
      { start: 2, end: 3 },
    ]);
    expect(bodies.filter((body) => 'part' in body).map(({ part }) => part)).toEqual([1, 2, 3]);
  });

  it('sends content again, to a fresh URL, when the connection was lost', async () => {
    const { store, target, item, put, ended } = uploads([{ name: 'a', code: 'A', transfer: 'single' }]);
    put.mockRejectedValueOnce(new AppError('server-unreachable', 'lost'));
    store.getState().add(target, [item('a')]);
    expect((await ended()).phase).toBe('done');
    expect(put.mock.calls.map(([url]) => url)).toEqual(['/storage/1', '/storage/2']);
  });

  it('waits for a network that is gone, goes on by itself, and hashes and loses nothing', async () => {
    const answers = [{ name: 'a', code: 'A', transfer: 'parts', parts: 2, received_parts: [1] }] as const;
    const { store, target, item, put, hash, keeper, later, ended } = uploads(answers);
    put.mockRejectedValue(new AppError('server-unreachable', 'no network'));
    store.getState().add(target, [item('a')]);
    const waits = () => vi.waitFor(() => expect(store.getState().batches[0]?.phase).toBe('offline'));
    await waits();
    later.shift()?.run();
    await waits();
    expect(keeper.forget).not.toHaveBeenCalled();
    put.mockReset();
    put.mockResolvedValue(undefined);
    store.getState().wake();
    expect((await ended()).phase).toBe('done');
    expect(put.mock.calls.map((call) => (call as unknown[])[4])).toEqual([{ start: 1, end: 2 }]);
    expect(hash).toHaveBeenCalledOnce();
    // A time-out that comes too late changes nothing.
    for (const { run } of later) run();
    expect(store.getState().batches[0]?.phase).toBe('done');
  });

  it('is given up or paused while it waits for a network', async () => {
    const { store, target, item, put, keeper } = uploads([{ name: 'a', code: 'A', transfer: 'single' }]);
    put.mockRejectedValue(new AppError('timed-out', 'no network'));
    store.getState().add(target, [item('a')]);
    await vi.waitFor(() => expect(store.getState().batches[0]?.phase).toBe('offline'));
    store.getState().pause(1);
    store.getState().wake();
    expect(store.getState().batches[0]?.phase).toBe('paused');
    store.getState().cancel(1);
    expect(store.getState().batches[0]?.phase).toBe('cancelled');
    expect(keeper.forget).toHaveBeenCalled();
  });

  it('commits nothing when content cannot be stored', async () => {
    const { store, target, item, put, reported, ended } = uploads([{ name: 'a', code: 'A', transfer: 'single' }]);
    put.mockRejectedValue(new AppError('storage-full', 'full'));
    store.getState().add(target, [item('a')]);
    expect(await ended()).toMatchObject({ phase: 'failed', error: { code: 'storage-full' } });
    expect(reported).not.toHaveBeenCalled();
  });

  it('can be given up, also while it waits for another', async () => {
    const { store, target, item, put, reported, ended } = uploads([{ name: 'a', code: 'A', transfer: 'single' }]);
    put.mockImplementation(
      (_url, _content, _onBytes, signal) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => reject(signal.reason));
          store.getState().cancel(2);
          store.getState().cancel(1);
        }),
    );
    store.getState().add(target, [item('a')]);
    store.getState().add(target, [item('a')]);
    await ended();
    await vi.waitFor(() =>
      expect(store.getState().batches.map(({ phase }) => phase)).toEqual(['cancelled', 'cancelled']),
    );
    expect(reported).not.toHaveBeenCalled();
  });

  it('pauses, and goes on with the parts that have not arrived', async () => {
    const answers = [{ name: 'a', code: 'A', transfer: 'parts', parts: 3, received_parts: [1, 3] }] as const;
    const { store, target, item, put, hash, ended } = uploads(answers);
    put.mockImplementationOnce(
      (_url, _content, _onBytes, signal) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => reject(signal.reason));
          store.getState().pause(1);
        }),
    );
    store.getState().add(target, [item('a')]);
    await vi.waitFor(() => expect(store.getState().batches[0]?.phase).toBe('paused'));
    put.mockClear();
    store.getState().resume(1);
    expect((await ended()).phase).toBe('done');
    expect(put.mock.calls.map((call) => (call as unknown[])[4])).toEqual([{ start: 1, end: 2 }]);
    expect(hash).toHaveBeenCalledOnce();
  });

  it('goes on with an upload of an earlier visit, sends only what is missing, and forgets it at its end', async () => {
    const { store, target, item, put, hash, keeper, ended } = uploads([
      { name: 'a', code: 'A', transfer: 'single', arrived: true },
      { name: 'b', code: 'A', transfer: 'single' },
    ]);
    store.getState().restore('key', target, [item('a'), item('b')], { uploadId: ID(99), hashes: [SHA, SHA] });
    expect(await ended()).toMatchObject({ phase: 'done', files: [{ phase: 'done' }, { phase: 'done' }] });
    expect(put.mock.calls.map(([, content]) => content)).toEqual(['b']);
    expect(hash).not.toHaveBeenCalled();
    expect(keeper.forget).toHaveBeenCalledWith('key');
  });

  it('leaves a file out that cannot be read, says so, and commits the others', async () => {
    const { store, target, item, hash, ended } = uploads([{ name: 'b', code: 'A', transfer: 'single' }]);
    hash.mockRejectedValueOnce(new AppError('folder-unavailable', 'gone'));
    store.getState().add(target, [item('a'), item('b')]);
    expect(await ended()).toMatchObject({
      phase: 'done',
      files: [{ phase: 'failed', error: { code: 'folder-unavailable' } }, { phase: 'done' }],
    });
  });

  it('paused while it waits, it runs once when it is resumed', async () => {
    const { store, target, item, reported } = uploads([{ name: 'a', code: 'A', transfer: 'single' }]);
    store.getState().add(target, [item('a')]);
    store.getState().add(target, [item('a')]);
    store.getState().pause(2);
    store.getState().resume(2);
    await vi.waitFor(() => expect(store.getState().batches.map(({ phase }) => phase)).toEqual(['done', 'done']));
    expect(reported).toHaveBeenCalledTimes(2);
  });
});

describe('names that are on the shelf already', () => {
  const file = new File(['x'], 'a.txt');
  const picked = (name: string) => ({ name, file, problem: null });
  const at = new Date(0);
  it.each([
    [undefined, ['a.txt', 'b.txt']],
    ['version', ['a.txt', 'b.txt']],
    ['both', ['a (ada 1970-01-01 00.00.00).txt', 'b.txt']],
    ['skip', ['b.txt']],
  ] as const)('%s', (choice, names) => {
    const choices = new Map(choice === undefined ? [] : [['a.txt', choice]]);
    const files = [picked('a.txt'), picked('b.txt')];
    const items = resolveNames({ files, present: new Set(['a.txt']), choices, username: 'ada', at });
    expect(items.map(({ name }) => name)).toEqual(names);
  });

  it('photos of one name get numbers, and a photo just taken the time at which it was', () => {
    const photo = new File(['x'], 'image.JPG', { lastModified: new Date(2026, 2, 1, 14, 5, 9).getTime() });
    const names = (files: readonly { readonly name: string }[]) => files.map(({ name }) => name);
    expect(names(pickedFromInput([photo, photo, file]))).toEqual(['image.JPG', 'image (2).JPG', 'a.txt']);
    expect(names(pickedFromCamera([photo], (when) => `Photo ${when}`))).toEqual(['Photo 2026-03-01 14.05.09.jpg']);
  });

  it('so many files as one commit takes go with it', () =>
    expect(inCommits([1, 2, 3, 4, 5], 2)).toEqual([[1, 2], [3, 4], [5]]));
});
