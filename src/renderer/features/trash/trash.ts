import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useMemo } from 'react';
import { api } from '../../../shared/api/index.ts';
import type { DeletedDocument } from '../../../shared/api/trash.ts';
import { queryKeys } from '../../api/queries.ts';
import { useServices } from '../../app/services.ts';
import { useTranslation } from '../../i18n/useTranslation.ts';
import type { ItemOutcome } from '../../ui/OutcomeDialog.tsx';
import { outcomeText } from '../../ui/outcomeText.ts';
import { useErrorText } from '../../ui/useErrorText.ts';

const KEY = queryKeys.trash;
const PAGE_SIZE = 100;

export type TrashColumn = 'name' | 'path' | 'deleted_by' | 'deleted_at';

/** What of the trash is looked at. Empty texts ask for nothing. */
export interface TrashQuery {
  readonly name: string;
  /** A phrase in any version of the document. */
  readonly text: string;
  readonly library: string;
  readonly sort: TrashColumn;
  readonly order: 'asc' | 'desc';
}

/** Deleted documents, page by page. */
export function useTrash({ name, text, library, sort, order }: TrashQuery) {
  const { client } = useServices();
  const query = {
    sort,
    order,
    page_size: PAGE_SIZE,
    ...(name === '' ? {} : { name }),
    ...(text === '' ? {} : { text }),
    ...(library === '' ? {} : { library }),
  };
  return useInfiniteQuery({
    queryKey: [...KEY, query],
    initialPageParam: 1,
    queryFn: ({ pageParam, signal }) =>
      client.call(api.trash.list, { query: { ...query, page: pageParam } }, { signal }),
    getNextPageParam: (last, pages) => (last.has_more ? pages.length + 1 : undefined),
    // The list of the earlier words stays until the next one is there.
    placeholderData: (before) => before,
  });
}

/** What can be done with deleted documents, some at a time, with what became of each. */
export interface TrashActions {
  readonly restore: (documents: readonly DeletedDocument[]) => Promise<readonly ItemOutcome[]>;
  readonly remove: (documents: readonly DeletedDocument[]) => Promise<readonly ItemOutcome[]>;
  /** Under a name that is free. */
  readonly restoreAs: (id: string, name: string) => Promise<ItemOutcome>;
  readonly refresh: () => Promise<void>;
}

/** The actions of the trash. */
export function useTrashActions(): TrashActions {
  const { t } = useTranslation();
  const { client } = useServices();
  const queries = useQueryClient();
  const errorText = useErrorText();
  const refresh = useCallback(async () => {
    const stale = [KEY, queryKeys.libraries, ['shelf'], ['favorites']];
    await Promise.all(stale.map((queryKey) => queries.invalidateQueries({ queryKey })));
  }, [queries]);
  return useMemo(() => {
    const many =
      (call: typeof api.trash.restoreMany | typeof api.trash.removeMany) =>
      async (documents: readonly DeletedDocument[]): Promise<readonly ItemOutcome[]> => {
        const names = new Map(documents.map(({ id, name }) => [id, name]));
        try {
          const { outcomes } = await client.call(call, { body: { ids: [...names.keys()] } });
          return outcomes.map(({ id, code }) => ({
            id,
            name: names.get(id) ?? '',
            code,
            problem: code === null ? null : outcomeText(t, code),
          }));
        } catch (error) {
          // The others are still tried: of these it is said that they failed.
          return documents.map(({ id, name }) => ({ id, name, problem: errorText(error) }));
        }
      };
    return {
      restore: many(api.trash.restoreMany),
      remove: many(api.trash.removeMany),
      restoreAs: async (id, name) => {
        try {
          await client.call(api.trash.restore, { params: { id }, body: { name } });
          return { id, name, problem: null };
        } catch (error) {
          return { id, name, problem: errorText(error) };
        }
      },
      refresh,
    };
  }, [t, client, errorText, refresh]);
}
