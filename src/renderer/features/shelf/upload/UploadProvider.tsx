import { useQueryClient } from '@tanstack/react-query';
import { createContext, type ReactNode, useContext, useEffect, useState } from 'react';
import { useStore } from 'zustand';
import { queryKeys } from '../../../api/queries.ts';
import { useServices } from '../../../app/services.ts';
import { hashFile, putFile } from './browserPorts.ts';
import { createUploadStore, type UploadState, type UploadStore } from './uploadStore.ts';

const UploadContext = createContext<UploadStore | null>(null);

/** Uploads go on while the person moves through the application; leaving the page is asked about. */
export function UploadProvider({ children }: { readonly children: ReactNode }) {
  const { client } = useServices();
  const queries = useQueryClient();
  const [store] = useState(() =>
    createUploadStore<File>({
      client,
      hash: hashFile,
      put: putFile,
      onCommitted: ({ shelfId }) => {
        void queries.invalidateQueries({ queryKey: queryKeys.shelf(shelfId) });
        void queries.invalidateQueries({ queryKey: queryKeys.libraries });
        void queries.invalidateQueries({ queryKey: queryKeys.documents });
        void queries.invalidateQueries({ queryKey: queryKeys.versions });
      },
    }),
  );
  const isBusy = useStore(store, ({ batches }) =>
    batches.some(({ phase }) => phase !== 'done' && phase !== 'failed' && phase !== 'cancelled'),
  );
  useEffect(() => {
    if (!isBusy) return;
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener('beforeunload', ask);
    return () => removeEventListener('beforeunload', ask);
  }, [isBusy]);
  return <UploadContext.Provider value={store}>{children}</UploadContext.Provider>;
}

/** A part of the uploads' state. */
export function useUploads<T>(select: (state: UploadState<File>) => T): T {
  const store = useContext(UploadContext);
  if (store === null) throw new Error('UploadProvider is missing');
  return useStore(store, select);
}
