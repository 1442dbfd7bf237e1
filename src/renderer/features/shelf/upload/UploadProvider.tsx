import { useQueryClient } from '@tanstack/react-query';
import { createContext, type ReactNode, useContext, useEffect, useState } from 'react';
import { useStore } from 'zustand';
import { putFile } from '../../../api/putFile.ts';
import { queryKeys } from '../../../api/queries.ts';
import { useServices, useSession } from '../../../app/services.ts';
import { letGoOfAll } from '../../../offline/received.ts';
import { hashFile } from './browserPorts.ts';
import { createSavedUploads } from './savedUploads.ts';
import { createUploadStore, OVER, type UploadState, type UploadStore } from './uploadStore.ts';
import { type SavedUploadsControl, useInterrupted } from './useSavedUploads.ts';

const UploadContext = createContext<UploadStore | null>(null);
const SavedContext = createContext<SavedUploadsControl | null>(null);

/** Uploads go on while the person moves through the application; leaving the page is asked about, and interrupts them. */
export function UploadProvider({ children }: { readonly children: ReactNode }) {
  const { client, session } = useServices();
  const userId = useSession(({ user }) => user?.user_id ?? '');
  const queries = useQueryClient();
  const [keeper] = useState(() => createSavedUploads(() => session.getState().user?.user_id ?? ''));
  const [store] = useState(() =>
    createUploadStore<File>({
      client,
      keeper,
      hash: hashFile,
      put: async (...given) => {
        await putFile(...given);
      },
      username: () => session.getState().user?.username ?? '',
      onCommitted: ({ shelfId }) => {
        void queries.invalidateQueries({ queryKey: queryKeys.shelf(shelfId) });
        void queries.invalidateQueries({ queryKey: queryKeys.libraries });
        void queries.invalidateQueries({ queryKey: queryKeys.documents });
        void queries.invalidateQueries({ queryKey: queryKeys.versions });
      },
    }),
  );
  const saved = useInterrupted(keeper, userId, store.getState().restore);
  const isReachable = useSession((state) => state.reachable);
  useEffect(() => {
    if (!isReachable) return;
    store.getState().wake();
    const wake = () => store.getState().wake();
    addEventListener('online', wake);
    return () => removeEventListener('online', wake);
  }, [isReachable, store]);
  useEffect(
    () =>
      session.subscribe(({ status }, before) => {
        if (status !== 'guest' || before.status !== 'signed-in') return;
        // Whoever comes next finds no files of somebody else's. Where the browser keeps nothing, there is nothing.
        void Promise.allSettled([keeper.forgetContents(), letGoOfAll()]);
      }),
    [session, keeper],
  );
  const isBusy = useStore(store, ({ batches }) => batches.some(({ phase }) => !OVER.has(phase) && phase !== 'paused'));
  useEffect(() => {
    if (!isBusy) return;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener('beforeunload', ask);
    return () => removeEventListener('beforeunload', ask);
  }, [isBusy]);
  return (
    <UploadContext value={store}>
      <SavedContext value={saved}>{children}</SavedContext>
    </UploadContext>
  );
}

/** A part of the uploads' state. */
export function useUploads<T>(select: (state: UploadState<File>) => T): T {
  const store = useContext(UploadContext);
  if (store === null) throw new Error('UploadProvider is missing');
  return useStore(store, select);
}

/** Uploads that an earlier visit left behind. */
export function useSavedUploads(): SavedUploadsControl {
  const saved = useContext(SavedContext);
  if (saved === null) throw new Error('UploadProvider is missing');
  return saved;
}
