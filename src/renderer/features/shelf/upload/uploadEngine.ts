import { api } from '../../../../shared/api/index.ts';
import { AppError, isAppError } from '../../../../shared/errors.ts';
import type { ChangeCode, Commit } from '../../../../shared/model/library.ts';
import { nameKey, normalizeName } from '../../../../shared/rules/names.ts';
import type { ApiClient } from '../../../api/client.ts';

/** A file to commit; `content` is opaque to the engine. */
export interface UploadItem<C> {
  readonly name: string;
  readonly size: number;
  readonly mime: string;
  readonly content: C;
}

export type FilePhase = 'waiting' | 'hashing' | 'ready' | 'sending' | 'sent' | 'done' | 'failed';

/** How one file stands. */
export interface FileProgress {
  readonly phase: FilePhase;
  /** Bytes hashed, or sent, of the present phase. */
  readonly bytes: number;
  readonly code: ChangeCode | null;
  readonly error: AppError | null;
}

export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

export interface UploadPorts<C> {
  readonly client: ApiClient;
  readonly hash: (content: C, onBytes: (bytes: number) => void, signal: AbortSignal) => Promise<string>;
  /** Sends a content, or the bytes of `range` (`end` not included). */
  readonly put: (
    url: string,
    content: C,
    onBytes: (bytes: number) => void,
    signal: AbortSignal,
    range?: ByteRange,
  ) => Promise<void>;
  readonly onProgress: (index: number, change: Partial<FileProgress>) => void;
  /** Told when all content has arrived and the commit is being made. */
  readonly onCommitting: () => void;
}

export interface UploadTarget {
  readonly library: string;
  readonly shelfId: string;
  readonly message: string;
}

/** What came of it: the commit, or null when nothing had changed; conflicted files are in neither. */
export interface UploadEnd {
  readonly commit: Commit | null;
  readonly codes: readonly (ChangeCode | null)[];
}

const PARALLEL = 3;
const ATTEMPTS = 3;

async function inParallel<T>(tasks: readonly T[], width: number, run: (task: T) => Promise<void>): Promise<void> {
  const queue = [...tasks];
  const lanes = Array.from({ length: Math.min(width, queue.length) }, async () => {
    for (let task = queue.shift(); task !== undefined; task = queue.shift()) await run(task);
  });
  await Promise.all(lanes);
}

function isWorthRetrying(error: unknown): boolean {
  return isAppError(error, 'server-unreachable') || isAppError(error, 'timed-out');
}

/**
 * Commits files onto a shelf by decisions.md §7: what the shelf holds, hashes, codes, content, report. A file of the same
 * name becomes a new version of that document.
 * @throws AppError of the step that failed; nothing is committed then.
 */
export async function runUpload<C>(
  items: readonly UploadItem<C>[],
  { library, shelfId, message }: UploadTarget,
  { client, hash, put, onProgress, onCommitting }: UploadPorts<C>,
  signal: AbortSignal,
): Promise<UploadEnd> {
  const params = { lib: library, id: shelfId };
  const options = { signal };
  const info = await client.call(api.upload.info, { params }, options);
  const present = new Map(info.documents.map((document) => [nameKey(document.name), document]));

  const hashes: string[] = [];
  for (const [index, item] of items.entries()) {
    onProgress(index, { phase: 'hashing', bytes: 0 });
    hashes.push(await hash(item.content, (bytes) => onProgress(index, { bytes }), signal));
    onProgress(index, { phase: 'ready', bytes: 0 });
  }

  const ready = await client.call(
    api.upload.ready,
    {
      params,
      body: {
        message,
        base_commit: info.head_commit,
        files: items.map((item, index) => {
          const document = present.get(nameKey(item.name));
          return {
            name: document?.name ?? normalizeName(item.name),
            size: item.size,
            sha256: hashes[index] ?? '',
            mime: item.mime,
            base_version: document?.current_version ?? 0,
          };
        }),
      },
    },
    options,
  );
  const answers = new Map(ready.files.map((file) => [nameKey(file.name), file]));
  const planned = items.map((item, index) => {
    const answer = answers.get(nameKey(item.name));
    onProgress(index, { code: answer?.code ?? null });
    return { item, index, answer };
  });
  const codes = planned.map(({ answer }) => answer?.code ?? null);

  /** Sends a content, or one part of it, to an address asked for just before; each is tried again alone. */
  async function send(
    content: C,
    versionId: string,
    onBytes: (bytes: number) => void,
    part: { readonly number: number; readonly range: ByteRange } | null,
  ): Promise<void> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        const body = { version_id: versionId, ...(part === null ? {} : { part: part.number }) };
        const { url } = await client.call(api.upload.presignedUrl, { params, body }, options);
        await put(url, content, onBytes, signal, part?.range);
        return;
      } catch (error) {
        if (attempt >= ATTEMPTS || signal.aborted || !isWorthRetrying(error)) throw error;
        onBytes(0);
      }
    }
  }

  async function sendParts(item: UploadItem<C>, index: number, versionId: string, count: number): Promise<void> {
    const sent = new Map<number, number>();
    const parts = Array.from({ length: count }, (_, at) => at + 1);
    await inParallel(parts, PARALLEL, async (number) => {
      const start = (number - 1) * info.part_size;
      const range = { start, end: Math.min(start + info.part_size, item.size) };
      const onBytes = (bytes: number) => {
        sent.set(number, bytes);
        onProgress(index, { bytes: [...sent.values()].reduce((sum, each) => sum + each, 0) });
      };
      await send(item.content, versionId, onBytes, { number, range });
      onBytes(range.end - range.start);
    });
    await client.call(api.upload.completeMultipart, { params, body: { version_id: versionId } }, options);
  }

  const sending = planned.filter(({ answer }) => answer !== undefined && answer.transfer !== 'none');
  await inParallel(sending, PARALLEL, async ({ item, index, answer }) => {
    onProgress(index, { phase: 'sending', bytes: 0 });
    const versionId = answer?.version_id ?? '';
    if (answer?.transfer === 'parts') await sendParts(item, index, versionId, answer.parts);
    else await send(item.content, versionId, (bytes) => onProgress(index, { bytes }), null);
    onProgress(index, { phase: 'sent', bytes: item.size });
  });

  const changes = codes.some((code) => code === 'A' || code === 'M' || code === 'D');
  onCommitting();
  const commit = changes
    ? (await client.call(api.upload.report, { params, body: { upload_id: ready.upload_id } }, options)).commit
    : null;
  for (const { index, answer, item } of planned) {
    const conflicted = answer?.code === 'C';
    onProgress(index, {
      phase: conflicted ? 'failed' : 'done',
      bytes: item.size,
      error: conflicted ? new AppError('conflict', 'the document changed meanwhile') : null,
    });
  }
  return { commit, codes };
}
