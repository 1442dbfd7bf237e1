import { createStore } from 'zustand/vanilla';
import { AppError, type ErrorCode, isAppError } from '../../../../shared/errors.ts';
import type { Commit } from '../../../../shared/model/library.ts';
import { conflictName } from '../../../../shared/rules/conflictName.ts';
import {
  type AnnouncedUpload,
  type ByteRange,
  type FileProgress,
  runUpload,
  type UploadItem,
  type UploadTarget,
} from '../../../../shared/upload/uploadEngine.ts';
import type { ApiClient } from '../../../api/client.ts';

export type BatchPhase =
  | 'waiting'
  | 'hashing'
  | 'sending'
  | 'committing'
  | 'paused'
  /** Nothing answers; it goes on by itself when something does. */
  | 'offline'
  | 'done'
  | 'failed'
  | 'cancelled';

export interface BatchTarget extends UploadTarget {
  readonly shelfName: string;
}

/** One commit on its way. */
export interface Batch<C> {
  readonly id: number;
  /** Under which it is kept for a restart. */
  readonly key: string;
  readonly target: BatchTarget;
  readonly items: readonly UploadItem<C>[];
  readonly files: readonly FileProgress[];
  readonly phase: BatchPhase;
  /** When content began to be sent, and how much had arrived by then; null before. */
  readonly sendingSince: { readonly at: number; readonly bytes: number } | null;
  /** Set once the server knows of it: then it can go on where it stopped. */
  readonly announced: AnnouncedUpload | null;
  readonly commit: Commit | null;
  readonly error: AppError | null;
}

/** What becomes of files whose documents changed while they were on their way. */
export type ConflictChoice = 'new-version' | 'keep-both';

export interface UploadState<C> {
  readonly batches: readonly Batch<C>[];
  readonly add: (target: BatchTarget, items: readonly UploadItem<C>[]) => void;
  /** Goes on with an upload of an earlier visit, whose files are at hand again. */
  readonly restore: (
    key: string,
    target: BatchTarget,
    items: readonly UploadItem<C>[],
    announced: AnnouncedUpload | null,
  ) => void;
  readonly pause: (id: number) => void;
  /** Goes on with what was paused or failed, with all that has arrived. */
  readonly resume: (id: number) => void;
  readonly cancel: (id: number) => void;
  /** There is a network again: goes on with what waits for one. */
  readonly wake: () => void;
  /** Commits those files of an ended batch again whose documents changed meanwhile. */
  readonly settle: (id: number, choice: ConflictChoice) => void;
  readonly dismiss: (id: number) => void;
  /** Takes away what ended well and asks for nothing. */
  readonly dismissDone: () => void;
}

/** Keeps uploads beyond the page's life. */
export interface UploadKeeper<C> {
  readonly keep: (key: string, target: BatchTarget, items: readonly UploadItem<C>[]) => void;
  readonly announced: (key: string, announced: AnnouncedUpload) => void;
  readonly forget: (key: string) => void;
}

export interface UploadStoreOptions<C> {
  readonly client: ApiClient;
  readonly hash: (content: C, onBytes: (bytes: number) => void, signal: AbortSignal) => Promise<string>;
  readonly put: (
    url: string,
    content: C,
    onBytes: (bytes: number) => void,
    signal: AbortSignal,
    range?: ByteRange,
  ) => Promise<void>;
  readonly keeper: UploadKeeper<C>;
  readonly onCommitted: (target: UploadTarget) => void;
  /** Who uploads: the name of a copy says so. */
  readonly username: () => string;
  readonly now?: () => number;
  /** Runs something after so many milliseconds. */
  readonly after?: (milliseconds: number, run: () => void) => void;
}

const WAITING: FileProgress = { phase: 'waiting', bytes: 0, code: null, error: null };
/** Progress of many files is drawn together: no eye follows more. */
const DRAW_EVERY_MS = 100;

/** Without a network an upload is tried again after so long, and longer each time. */
const FIRST_PAUSE_MS = 5000;
const LONGEST_PAUSE_MS = 60_000;

/** How many documents of a batch changed meanwhile: somebody has to say what becomes of them. */
export const conflictsOf = ({ files }: Pick<Batch<unknown>, 'files'>): number =>
  files.filter(({ code }) => code === 'C').length;

export const OVER: ReadonlySet<BatchPhase> = new Set(['done', 'failed', 'cancelled']);

/** After these what has arrived is still good; after others the files are looked at anew. */
const CAN_GO_ON: ReadonlySet<ErrorCode> = new Set([
  'server-unreachable',
  'timed-out',
  'cancelled',
  'session-expired',
  'throttled',
  'storage-full',
  'storage-unavailable',
]);

const isOutOfReach = ({ code }: AppError) => code === 'server-unreachable' || code === 'timed-out';

/** Progress is collected and given on a few times a second, however many files there are. */
function createProgress(draw: (changes: ReadonlyMap<number, Partial<FileProgress>>) => void) {
  let changes = new Map<number, Partial<FileProgress>>();
  let timer: ReturnType<typeof setTimeout> | null = null;
  const flush = () => {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    if (changes.size > 0) draw(changes);
    changes = new Map();
  };
  return {
    flush,
    change(index: number, change: Partial<FileProgress>) {
      changes.set(index, { ...changes.get(index), ...change });
      timer ??= setTimeout(flush, DRAW_EVERY_MS);
    },
  };
}

function changed(
  files: readonly FileProgress[],
  changes: ReadonlyMap<number, Partial<FileProgress>>,
): readonly FileProgress[] {
  const next = [...files];
  for (const [index, change] of changes) next[index] = { ...(next[index] ?? WAITING), ...change };
  return next;
}

const arrivedBytes = (files: readonly FileProgress[]) =>
  files.reduce((sum, { phase, bytes }) => sum + (phase === 'sending' || phase === 'sent' ? bytes : 0), 0);

/** Uploads under way, one after the other, so that two commits of the same person never conflict. */
export function createUploadStore<C>(options: UploadStoreOptions<C>) {
  const { client, hash, put, keeper, onCommitted, username, now = Date.now } = options;
  const after = options.after ?? ((milliseconds, run) => void setTimeout(run, milliseconds));
  const controllers = new Map<number, AbortController>();
  const pausing = new Set<number>();
  let last = 0;
  let queue = Promise.resolve();
  /** How long to wait next without a network, by batch. */
  const pauses = new Map<number, number>();

  return createStore<UploadState<C>>()((set, get) => {
    const find = (id: number) => get().batches.find((each) => each.id === id);
    const patch = (id: number, change: (batch: Batch<C>) => Partial<Batch<C>>) =>
      set(({ batches }) => ({
        batches: batches.map((batch) => (batch.id === id ? { ...batch, ...change(batch) } : batch)),
      }));

    function draw(id: number, changes: ReadonlyMap<number, Partial<FileProgress>>): void {
      patch(id, ({ files, phase, sendingSince }) => {
        const next = changed(files, changes);
        const isSending = [...changes.values()].some((change) => change.phase === 'sending');
        return {
          files: next,
          phase: isSending ? 'sending' : phase,
          sendingSince: isSending ? (sendingSince ?? { at: now(), bytes: arrivedBytes(next) }) : sendingSince,
        };
      });
    }

    function waitForNetwork(id: number, error: AppError): void {
      const pause = Math.min(pauses.get(id) ?? FIRST_PAUSE_MS, LONGEST_PAUSE_MS);
      pauses.set(id, pause * 2);
      patch(id, () => ({ phase: 'offline', sendingSince: null, error }));
      after(pause, () => wake(id));
    }

    function wake(id: number): void {
      if (find(id)?.phase === 'offline') begin(id);
    }

    function fail(id: number, thrown: unknown, signal: AbortSignal): void {
      const error = isAppError(thrown) ? thrown : new AppError('internal', String(thrown), { cause: thrown });
      if (!signal.aborted && isOutOfReach(error)) waitForNetwork(id, error);
      else if (!signal.aborted) patch(id, () => ({ phase: 'failed', error }));
      else if (pausing.delete(id)) patch(id, () => ({ phase: 'paused', sendingSince: null }));
      else patch(id, () => ({ phase: 'cancelled', error }));
    }

    async function run(id: number): Promise<void> {
      const batch = find(id);
      const controller = controllers.get(id);
      // It may have been paused and resumed while it waited, and stand in the queue twice.
      if (batch?.phase !== 'waiting' || controller === undefined || controller.signal.aborted) return;
      patch(id, ({ announced }) => ({ phase: announced === null ? 'hashing' : 'sending', error: null }));
      const progress = createProgress((changes) => draw(id, changes));
      const { signal } = controller;
      try {
        const { commit } = await runUpload(
          batch.items,
          batch.target,
          {
            client: { call: (definition, input) => client.call(definition, input, { signal }) },
            isStopped: () => signal.aborted,
            hash: (content, onBytes) => hash(content, onBytes, signal),
            put: (url, content, onBytes, range) => put(url, content, onBytes, signal, range),
            onProgress: progress.change,
            onAnnounced: (announced) => {
              pauses.delete(id);
              progress.flush();
              patch(id, () => ({ announced }));
              keeper.announced(batch.key, announced);
            },
            onCommitting: () => {
              progress.flush();
              patch(id, () => ({ phase: 'committing' }));
            },
          },
          batch.announced,
        );
        progress.flush();
        patch(id, () => ({ phase: 'done', commit }));
        keeper.forget(batch.key);
        onCommitted(batch.target);
      } catch (thrown) {
        progress.flush();
        fail(id, thrown, signal);
      } finally {
        if (controllers.get(id) === controller) controllers.delete(id);
      }
    }

    function begin(id: number): void {
      controllers.set(id, new AbortController());
      patch(id, ({ announced, error }) => ({
        phase: 'waiting',
        announced: error === null || CAN_GO_ON.has(error.code) ? announced : null,
      }));
      queue = queue.then(() => run(id));
    }

    function insert(batch: Pick<Batch<C>, 'key' | 'target' | 'items' | 'announced'>): void {
      last += 1;
      const fresh = { phase: 'waiting', sendingSince: null, commit: null, error: null } as const;
      const added = { ...batch, ...fresh, id: last, files: batch.items.map(() => WAITING) };
      set(({ batches }) => ({ batches: [...batches, added] }));
      begin(last);
    }

    function add(target: BatchTarget, items: readonly UploadItem<C>[]): void {
      const key = crypto.randomUUID();
      keeper.keep(key, target, items);
      insert({ key, target, items, announced: null });
    }

    function dismiss(id: number): void {
      const batch = find(id);
      if (batch !== undefined) keeper.forget(batch.key);
      set(({ batches }) => ({ batches: batches.filter((each) => each.id !== id) }));
    }

    return {
      batches: [],
      add,
      restore: (key, target, items, announced) => insert({ key, target, items, announced }),
      dismiss,
      dismissDone: () => {
        for (const batch of get().batches) if (batch.phase === 'done' && conflictsOf(batch) === 0) dismiss(batch.id);
      },
      pause: (id) => {
        const phase = find(id)?.phase;
        // What is being committed cannot be stopped half way.
        if (phase === undefined || OVER.has(phase) || phase === 'committing' || phase === 'paused') return;
        if (phase === 'waiting' || phase === 'offline') patch(id, () => ({ phase: 'paused' }));
        else pausing.add(id);
        controllers.get(id)?.abort();
      },
      resume: (id) => {
        const phase = find(id)?.phase;
        if (phase === 'paused' || phase === 'offline' || phase === 'failed' || phase === 'cancelled') begin(id);
      },
      wake: () => {
        for (const { id } of get().batches) wake(id);
      },
      cancel: (id) => {
        pausing.delete(id);
        controllers.get(id)?.abort();
        patch(id, ({ phase, key }) => {
          keeper.forget(key);
          return phase === 'waiting' || phase === 'paused' || phase === 'offline' ? { phase: 'cancelled' } : {};
        });
      },
      settle: (id, choice) => {
        const batch = find(id);
        if (batch === undefined) return;
        const conflicted = batch.items.filter((_, index) => batch.files[index]?.code === 'C');
        const at = new Date(now());
        dismiss(id);
        add(
          batch.target,
          choice === 'new-version'
            ? conflicted
            : conflicted.map((item) => ({ ...item, name: conflictName(item.name, username(), at) })),
        );
      },
    };
  });
}

export type UploadStore = ReturnType<typeof createUploadStore<File>>;
