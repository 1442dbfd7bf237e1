import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useStore } from 'zustand';
import { createStore, type StoreApi } from 'zustand/vanilla';
import { putFile } from '../../../api/putFile.ts';
import { queryKeys } from '../../../api/queries.ts';
import { type Services, useServices } from '../../../app/services.ts';
import { hashFile } from './browserPorts.ts';
import { resumeUploads, type SavedUploadsControl } from './resumeUploads.ts';
import { createSavedUploads, type SavedUpload, type SavedUploads } from './savedUploads.ts';
import { createUploadStore, type UploadState, type UploadStore } from './uploadStore.ts';

/** The uploads of the application. */
export interface Uploads {
  readonly store: UploadStore;
  readonly keeper: SavedUploads;
  /** Those of an earlier visit that wait to be resumed. */
  readonly saved: StoreApi<readonly SavedUpload[]>;
}

function createUploads({ client, session }: Services, queries: QueryClient): Uploads {
  const keeper = createSavedUploads(() => session.getState().user?.user_id ?? '');
  const store = createUploadStore<File>({
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
  });
  return { store, keeper, saved: createStore(() => []) };
}

/** Made when they are first wanted, once an application: what comes first does without their code. */
const made = new WeakMap<Services, Uploads>();

/** All of the uploads, which go on while the person moves through the application. */
export function useAllUploads(): Uploads {
  const services = useServices();
  const queries = useQueryClient();
  const uploads = made.get(services) ?? createUploads(services, queries);
  made.set(services, uploads);
  return uploads;
}

/** A part of the uploads' state. */
export function useUploads<T>(select: (state: UploadState<File>) => T): T {
  return useStore(useAllUploads().store, select);
}

/** Uploads that an earlier visit left behind, and what can be done with them. */
export function useSavedUploads(): SavedUploadsControl {
  const uploads = useAllUploads();
  const saved = useStore(uploads.saved);
  return useMemo(() => ({ saved, ...resumeUploads(uploads) }), [uploads, saved]);
}
