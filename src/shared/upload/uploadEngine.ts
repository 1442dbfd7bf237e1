import type { ApiCaller } from '../api/call.ts';
import { upload } from '../api/upload.ts';
import { AppError, isAppError } from '../errors.ts';
import type { ChangeCode, Commit } from '../model/library.ts';
import { inParallel } from '../rules/inParallel.ts';
import { nameKey, normalizeName } from '../rules/names.ts';

/** A file to commit; `content` is opaque to the engine. */
export interface UploadItem<C> {
  readonly name: string;
  readonly size: number;
  readonly mime: string;
  readonly content: C;
  /** Number of the version that it was made from, 0 for none; left out where it comes on top of whatever is there. */
  readonly baseVersion?: number;
  /** The document is to be deleted; its content is what it held. */
  readonly isDeletion?: boolean;
  /** The document of this name gets the item's name and keeps its content and history; `baseVersion` is that of it. */
  readonly renamedFrom?: string;
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

/** What an upload needs of its host. Whoever gives an upload up ends what these have under way. */
export interface UploadPorts<C> {
  readonly client: ApiCaller;
  /** Whether it was given up: nothing is tried again then. */
  readonly isStopped: () => boolean;
  readonly hash: (content: C, onBytes: (bytes: number) => void) => Promise<string>;
  /** Sends a content, or the bytes of `range` (`end` not included). */
  readonly put: (url: string, content: C, onBytes: (bytes: number) => void, range?: ByteRange) => Promise<void>;
  readonly onProgress: (index: number, change: Partial<FileProgress>) => void;
  /** Told what it takes to go on with this upload later. */
  readonly onAnnounced: (announced: AnnouncedUpload) => void;
  /** Told when all content has arrived and the commit is being made. */
  readonly onCommitting: () => void;
}

/** An upload that the server knows of: it goes on with what has not arrived, also after a restart. */
export interface AnnouncedUpload {
  readonly uploadId: string;
  /** Of each item; null for one that could not be read, and is no part of the upload. */
  readonly hashes: readonly (string | null)[];
}

export interface UploadTarget {
  readonly library: string;
  readonly shelfId: string;
  readonly message: string;
  /** Nothing is sent where anything is in conflict or cannot be read: all of it is committed or nothing. */
  readonly isWhole?: boolean;
}

/** What came of it: the commit, or null when nothing had changed; conflicted files are in neither. */
export interface UploadEnd {
  readonly commit: Commit | null;
  readonly codes: readonly (ChangeCode | null)[];
}

const PARALLEL = 3;
const ATTEMPTS = 3;

function isWorthRetrying(error: unknown): boolean {
  return isAppError(error, 'server-unreachable') || isAppError(error, 'timed-out');
}

interface Sending {
  readonly name: string;
  readonly code: ChangeCode;
  readonly version_id: string | null;
  readonly transfer: 'none' | 'single' | 'parts';
  readonly parts: number;
  readonly arrived?: boolean;
  readonly received_parts?: readonly number[];
}

/** An upload as the server has it, and the commit where it was made already. */
interface Plan extends AnnouncedUpload {
  readonly files: readonly Sending[];
  readonly commit: Commit | null;
}

const isUnreadable = (error: unknown) => isAppError(error, 'folder-unavailable');

/** Hashes of the items; one that cannot be read is left out, and the others go on. */
async function hashAll<C>(
  items: readonly UploadItem<C>[],
  { hash, onProgress }: UploadPorts<C>,
  isWhole: boolean,
): Promise<readonly (string | null)[]> {
  const hashes: (string | null)[] = [];
  for (const [index, item] of items.entries()) {
    onProgress(index, { phase: 'hashing', bytes: 0 });
    try {
      hashes.push(await hash(item.content, (bytes) => onProgress(index, { bytes })));
      onProgress(index, { phase: 'ready', bytes: 0 });
    } catch (error) {
      if (isWhole || !isUnreadable(error) || !isAppError(error)) throw error;
      hashes.push(null);
      onProgress(index, { phase: 'failed', error });
    }
  }
  return hashes;
}

/**
 * Commits files onto a shelf by decisions.md §7: what the shelf holds, hashes, codes, content, report. A file of the same
 * name becomes a new version of that document. An upload that was announced before goes on where it stopped, as long as the
 * server keeps it.
 * @throws AppError of the step that failed; nothing is committed then.
 */
export async function runUpload<C>(
  items: readonly UploadItem<C>[],
  { library, shelfId, message, isWhole = false }: UploadTarget,
  ports: UploadPorts<C>,
  earlier: AnnouncedUpload | null = null,
): Promise<UploadEnd> {
  const { client, isStopped, put, onProgress, onCommitting } = ports;
  const params = { lib: library, id: shelfId };
  const info = await client.call(upload.info, { params });

  async function announce(hashes: readonly (string | null)[]): Promise<Plan> {
    const present = new Map(info.documents.map((document) => [nameKey(document.name), document]));
    const files = items.flatMap((item, index) => {
      const sha256 = hashes[index];
      const document = present.get(nameKey(item.name));
      if (sha256 === null || sha256 === undefined) return [];
      const name = document?.name ?? normalizeName(item.name);
      const { size, mime, isDeletion = false, renamedFrom } = item;
      const base_version = item.baseVersion ?? document?.current_version ?? 0;
      const renamed = renamedFrom === undefined ? {} : { renamed_from: renamedFrom };
      return [{ name, size, sha256, mime, base_version, delete: isDeletion, ...renamed }];
    });
    if (files.length === 0) throw new AppError('folder-unavailable', 'none of the files could be read');
    const body = { message, base_commit: info.head_commit, files };
    const ready = await client.call(upload.ready, { params, body });
    return { uploadId: ready.upload_id, hashes, files: ready.files, commit: null };
  }

  /** The upload as it stands; one that the server has given up is announced anew. */
  async function goOn({ uploadId, hashes }: AnnouncedUpload): Promise<Plan> {
    try {
      const path = { ...params, upload: uploadId };
      const { files, commit } = await client.call(upload.status, { params: path });
      return { uploadId, hashes, files, commit };
    } catch (error) {
      if (!isAppError(error, 'not-found')) throw error;
      return announce(hashes);
    }
  }

  const plan = earlier === null ? await announce(await hashAll(items, ports, isWhole)) : await goOn(earlier);
  ports.onAnnounced({ uploadId: plan.uploadId, hashes: plan.hashes });
  const answers = new Map(plan.files.map((file) => [nameKey(file.name), file]));
  const planned = items.map((item, index) => {
    const answer = plan.hashes[index] === null ? undefined : answers.get(nameKey(item.name));
    if (answer?.arrived === true) onProgress(index, { phase: 'sent', bytes: item.size, code: answer.code });
    else onProgress(index, { code: answer?.code ?? null });
    return { item, index, answer };
  });
  const codes = planned.map(({ answer }) => answer?.code ?? null);
  if (isWhole && codes.includes('C')) {
    const names = items.filter((_, index) => codes[index] === 'C').map(({ name }) => name);
    throw new AppError('conflict', 'a document changed meanwhile', { details: { names: names.slice(0, 50) } });
  }

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
        const { url } = await client.call(upload.presignedUrl, { params, body });
        await put(url, content, onBytes, part?.range);
        return;
      } catch (error) {
        if (attempt >= ATTEMPTS || isStopped() || !isWorthRetrying(error)) throw error;
        onBytes(0);
      }
    }
  }

  async function sendParts(item: UploadItem<C>, index: number, versionId: string, answer: Sending): Promise<void> {
    const rangeOf = (number: number) => {
      const start = (number - 1) * info.part_size;
      return { start, end: Math.min(start + info.part_size, item.size) };
    };
    const parts = Array.from({ length: answer.parts }, (_, at) => at + 1);
    const received = new Set(answer.received_parts);
    const sent = new Map([...received].map((number) => [number, rangeOf(number).end - rangeOf(number).start] as const));
    const unsent = parts.filter((number) => !received.has(number));
    await inParallel(unsent, PARALLEL, async (number) => {
      const range = rangeOf(number);
      const onBytes = (bytes: number) => {
        sent.set(number, bytes);
        onProgress(index, { bytes: [...sent.values()].reduce((sum, each) => sum + each, 0) });
      };
      await send(item.content, versionId, onBytes, { number, range });
      onBytes(range.end - range.start);
    });
    await client.call(upload.completeMultipart, { params, body: { version_id: versionId } });
  }

  const sending = planned.filter(
    ({ answer }) => answer !== undefined && answer.transfer !== 'none' && answer.arrived !== true,
  );
  await inParallel(plan.commit === null ? sending : [], PARALLEL, async ({ item, index, answer }) => {
    onProgress(index, { phase: 'sending', bytes: 0 });
    const versionId = answer?.version_id ?? '';
    if (answer?.transfer === 'parts') await sendParts(item, index, versionId, answer);
    else await send(item.content, versionId, (bytes) => onProgress(index, { bytes }), null);
    onProgress(index, { phase: 'sent', bytes: item.size });
  });

  const changes = codes.some((code) => code === 'A' || code === 'M' || code === 'D');
  onCommitting();
  const commit =
    plan.commit ??
    (changes ? (await client.call(upload.report, { params, body: { upload_id: plan.uploadId } })).commit : null);
  for (const { index, answer, item } of planned) {
    if (answer === undefined) continue;
    const conflicted = answer.code === 'C';
    onProgress(index, {
      phase: conflicted ? 'failed' : 'done',
      bytes: item.size,
      error: conflicted ? new AppError('conflict', 'the document changed meanwhile') : null,
    });
  }
  return { commit, codes };
}
