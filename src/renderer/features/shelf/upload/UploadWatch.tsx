import { useEffect } from 'react';
import { useStore } from 'zustand';
import { useServices, useSession } from '../../../app/services.ts';
import { letGoOfAll } from '../../../offline/received.ts';
import { OVER } from './uploadStore.ts';
import { useAllUploads } from './uploads.ts';

/** Lets uploads go on when there is a network again. */
function useWaking({ store }: ReturnType<typeof useAllUploads>): void {
  const isReachable = useSession((state) => state.reachable);
  useEffect(() => {
    if (!isReachable) return;
    const { wake } = store.getState();
    wake();
    addEventListener('online', wake);
    return () => removeEventListener('online', wake);
  }, [isReachable, store]);
}

/** Stands behind every screen: leaving the page, which interrupts uploads, is asked about; and what of them outlives it. */
export function UploadWatch() {
  const { session } = useServices();
  const uploads = useAllUploads();
  const { store, keeper, saved } = uploads;
  const userId = useSession(({ user }) => user?.user_id ?? '');
  useWaking(uploads);
  useEffect(() => {
    if (userId === '') return;
    let isOver = false;
    keeper.list(userId).then(
      (found) => !isOver && saved.setState(found, true),
      // A browser that keeps nothing has nothing to resume.
      () => undefined,
    );
    return () => {
      isOver = true;
    };
  }, [keeper, saved, userId]);
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
  return null;
}
