import { type QueryKey, type UseQueryResult, useQuery, useQueryClient } from '@tanstack/react-query';
import { api } from '../../../shared/api/index.ts';
import type { ComparedTables, ComparedVersion, Comparison } from '../../../shared/model/compare.ts';
import { queryKeys } from '../../api/queries.ts';
import { useServices } from '../../app/services.ts';

/** Two versions, the earlier one first. */
export interface VersionPair {
  readonly base: ComparedVersion;
  readonly other: ComparedVersion;
}

/** How far a comparison is. */
export type ComparisonState<T> =
  | { readonly state: 'comparing'; readonly cancel: () => void }
  | { readonly state: 'cancelled'; readonly again: () => void }
  | { readonly state: 'failed'; readonly error: unknown; readonly again: () => void }
  | { readonly state: 'done'; readonly data: T };

/** Unchanged lines and rows around a change. */
const CONTEXT = 3;
const ALL = 100_000;

const keyOf = ({ base, other }: VersionPair, of: string, context: number) =>
  [...queryKeys.version(other.id), 'compare', base.id, of, context] as const;

const OPTIONS = {
  // Versions never change: what was compared once stays true.
  staleTime: Number.POSITIVE_INFINITY,
  gcTime: 5 * 60_000,
  // What was cancelled stays so until it is asked for.
  refetchOnWindowFocus: false,
  refetchOnReconnect: false,
} as const;

/** While more of the same comparison is asked for, what is there stays. */
function kept<T>({ base, other }: VersionPair, before: T, key: QueryKey | undefined): T | undefined {
  const [, otherId, , baseId] = key ?? [];
  return otherId === other.id && baseId === base.id ? before : undefined;
}

function useProgress<T>(queryKey: QueryKey, query: UseQueryResult<T>): ComparisonState<T> {
  const queries = useQueryClient();
  const again = () => void query.refetch();
  if (query.data !== undefined) return { state: 'done', data: query.data };
  if (query.fetchStatus !== 'idle') {
    return { state: 'comparing', cancel: () => void queries.cancelQueries({ queryKey, exact: true }) };
  }
  return query.isError ? { state: 'failed', error: query.error, again } : { state: 'cancelled', again };
}

/** Compares the texts of two versions; `isWhole` with all lines that are equal. */
export function useTextComparison(pair: VersionPair, isWhole: boolean): ComparisonState<Comparison> {
  const { client } = useServices();
  const context = isWhole ? ALL : CONTEXT;
  const queryKey = keyOf(pair, 'text', context);
  const params = { id: pair.base.id, other: pair.other.id };
  const query = useQuery<Comparison>({
    ...OPTIONS,
    queryKey,
    queryFn: ({ signal }) => client.call(api.compare.versions, { params, query: { context } }, { signal }),
    placeholderData: (before, last) => kept(pair, before, last?.queryKey),
  });
  return useProgress(queryKey, query);
}

/** Compares the tables of two versions; `isWhole` with all rows that are equal. */
export function useTableComparison(pair: VersionPair, isWhole: boolean): ComparisonState<ComparedTables> {
  const { client } = useServices();
  const context = isWhole ? ALL : CONTEXT;
  const queryKey = keyOf(pair, 'tables', context);
  const params = { id: pair.base.id, other: pair.other.id };
  const query = useQuery<ComparedTables>({
    ...OPTIONS,
    queryKey,
    queryFn: ({ signal }) => client.call(api.compare.tables, { params, query: { context } }, { signal }),
    placeholderData: (before, last) => kept(pair, before, last?.queryKey),
  });
  return useProgress(queryKey, query);
}
