import { createStore } from 'zustand/vanilla';
import { AppError, isAppError } from '../../../../shared/errors.ts';
import type { Commit } from '../../../../shared/model/library.ts';
import type { ApiClient } from '../../../api/client.ts';
import { type FileProgress, runUpload, type UploadItem, type UploadPorts, type UploadTarget } from './uploadEngine.ts';

export type BatchPhase = 'waiting' | 'hashing' | 'sending' | 'committing' | 'done' | 'failed' | 'cancelled';

/** One commit on its way. */
export interface Batch<C> {
  readonly id: number;
  readonly target: UploadTarget & { readonly shelfName: string };
  readonly items: readonly UploadItem<C>[];
  readonly files: readonly FileProgress[];
  readonly phase: BatchPhase;
  /** When the first content was sent; null before. */
  readonly sendingSince: number | null;
  readonly commit: Commit | null;
  readonly error: AppError | null;
}

export interface UploadState<C> {
  readonly batches: readonly Batch<C>[];
  readonly add: (target: Batch<C>['target'], items: readonly UploadItem<C>[]) => void;
  readonly cancel: (id: number) => void;
  /** Runs a failed batch again, or only those of its files that were in conflict. */
  readonly retry: (id: number) => void;
  readonly dismiss: (id: number) => void;
}

export interface UploadStoreOptions<C> extends Pick<UploadPorts<C>, 'hash' | 'put'> {
  readonly client: ApiClient;
  readonly onCommitted: (target: UploadTarget) => void;
  readonly now?: () => number;
}

const WAITING: FileProgress = { phase: 'waiting', bytes: 0, code: null, error: null };

/** Uploads under way, one after the other, so that two commits of the same person never conflict. */
export function createUploadStore<C>({ client, hash, put, onCommitted, now = Date.now }: UploadStoreOptions<C>) {
  const controllers = new Map<number, AbortController>();
  let last = 0;
  let queue = Promise.resolve();

  return createStore<UploadState<C>>()((set, get) => {
    const patch = (id: number, change: (batch: Batch<C>) => Partial<Batch<C>>) =>
      set(({ batches }) => ({
        batches: batches.map((batch) => (batch.id === id ? { ...batch, ...change(batch) } : batch)),
      }));

    async function run(id: number): Promise<void> {
      const batch = get().batches.find((each) => each.id === id);
      const controller = controllers.get(id);
      if (batch === undefined || controller === undefined || controller.signal.aborted) return;
      patch(id, () => ({ phase: 'hashing' }));
      try {
        const { commit } = await runUpload(
          batch.items,
          batch.target,
          {
            client,
            hash,
            put,
            onProgress: (index, change) =>
              patch(id, ({ files, phase, sendingSince }) => ({
                files: files.map((file, at) => (at === index ? { ...file, ...change } : file)),
                phase: change.phase === 'sending' ? 'sending' : phase,
                sendingSince: change.phase === 'sending' ? (sendingSince ?? now()) : sendingSince,
              })),
            onCommitting: () => patch(id, () => ({ phase: 'committing' })),
          },
          controller.signal,
        );
        patch(id, () => ({ phase: 'done', commit }));
        onCommitted(batch.target);
      } catch (thrown) {
        const error = isAppError(thrown) ? thrown : new AppError('internal', String(thrown), { cause: thrown });
        patch(id, () => ({ phase: controller.signal.aborted ? 'cancelled' : 'failed', error }));
      } finally {
        controllers.delete(id);
      }
    }

    function add(target: Batch<C>['target'], items: readonly UploadItem<C>[]): void {
      last += 1;
      const id = last;
      controllers.set(id, new AbortController());
      const batch: Batch<C> = {
        id,
        target,
        items,
        files: items.map(() => WAITING),
        phase: 'waiting',
        sendingSince: null,
        commit: null,
        error: null,
      };
      set(({ batches }) => ({ batches: [...batches, batch] }));
      queue = queue.then(() => run(id));
    }

    const dismiss = (id: number) => set(({ batches }) => ({ batches: batches.filter((batch) => batch.id !== id) }));

    return {
      batches: [],
      add,
      dismiss,
      cancel: (id) => {
        controllers.get(id)?.abort();
        patch(id, ({ phase }) => (phase === 'waiting' ? { phase: 'cancelled' } : {}));
      },
      retry: (id) => {
        const batch = get().batches.find((each) => each.id === id);
        if (batch === undefined) return;
        dismiss(id);
        const conflicted = batch.items.filter((_, index) => batch.files[index]?.code === 'C');
        add(batch.target, batch.phase === 'done' ? conflicted : batch.items);
      },
    };
  });
}

export type UploadStore = ReturnType<typeof createUploadStore<File>>;
