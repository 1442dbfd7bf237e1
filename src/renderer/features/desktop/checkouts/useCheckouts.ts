import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import type { Shelf } from '../../../../shared/model/library.ts';
import type { Checkout } from '../../../../shared/model/workspace.ts';
import { useServices } from '../../../app/services.ts';
import { type ShellValue, useShellState } from '../../../app/shellState.ts';
import { useTranslation } from '../../../i18n/useTranslation.ts';
import type { CheckoutsCapability, WorkspaceCapability } from '../../../platform/types.ts';
import { notify } from '../../../ui/toast.ts';
import { useErrorText } from '../../../ui/useErrorText.ts';
import { keepShelf } from './keepShelf.ts';
import { inOrder, isMoved } from './summary.ts';

/** Follows the shelves that are kept on this computer; null where none can be. */
export function useCheckouts(): ShellValue<readonly Checkout[]> {
  return useShellState(useServices().platform.workspace?.checkouts ?? null);
}

/** Keeps a shelf on this computer, for a button. */
export function useKeepShelf(workspace: WorkspaceCapability) {
  const { t } = useTranslation();
  const errorText = useErrorText();
  return useMutation({
    mutationFn: ({ id }: Shelf) => keepShelf(workspace, id),
    onSuccess: (checkout, { name }) => {
      if (checkout !== null) notify(t('checkouts.kept', { shelf: name }));
    },
    onError: (error) => notify(errorText(error), 'error'),
  });
}

/** What is not the same here and on the shelf, read again whenever something moved. */
export function useChanges(checkouts: CheckoutsCapability, checkout: Checkout) {
  const queries = useQueryClient();
  const { folder } = checkout;
  const read = useRef(checkout);
  useEffect(() => {
    if (isMoved(read.current, checkout)) {
      void queries.invalidateQueries({ queryKey: ['checkout changes', checkout.folder] });
    }
    read.current = checkout;
  }, [checkout, queries]);
  return useQuery({
    queryKey: ['checkout changes', folder],
    queryFn: async () => {
      const { documents, count } = await checkouts.changes(folder);
      return { documents: inOrder(documents), count };
    },
    staleTime: 0,
    gcTime: 0,
  });
}
