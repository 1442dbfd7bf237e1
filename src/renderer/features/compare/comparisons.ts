import { hashKey, type QueryKey, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
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

/** Compares two versions, once for each pair and width. */
function useComparison<T>(
  pair: VersionPair,
  of: 'text' | 'tables',
  isWhole: boolean,
  compare: (context: number, signal: AbortSignal) => Promise<T>,
): ComparisonState<T> {
  const queries = useQueryClient();
  const context = isWhole ? ALL : CONTEXT;
  const queryKey = keyOf(pair, of, context);
  const asked = hashKey(queryKey);
  // A query without an answer would be sent again as soon as somebody looks at it anew.
  const [cancelled, setCancelled] = useState<string | null>(null);
  const { data, error, isError, fetchStatus, refetch } = useQuery<T>({
    ...OPTIONS,
    queryKey,
    enabled: cancelled !== asked,
    queryFn: ({ signal }) => compare(context, signal),
    placeholderData: (before, last) => kept(pair, before, last?.queryKey),
  });
  if (data !== undefined) return { state: 'done', data: data as T };
  if (cancelled === asked) return { state: 'cancelled', again: () => setCancelled(null) };
  if (isError && fetchStatus === 'idle') return { state: 'failed', error, again: () => void refetch() };
  const cancel = () => {
    setCancelled(asked);
    void queries.cancelQueries({ queryKey, exact: true });
  };
  return { state: 'comparing', cancel };
}

/** Compares the texts of two versions; `isWhole` with all lines that are equal. */
export function useTextComparison(pair: VersionPair, isWhole: boolean): ComparisonState<Comparison> {
  const { client } = useServices();
  const params = { id: pair.base.id, other: pair.other.id };
  return useComparison(pair, 'text', isWhole, (context, signal) =>
    client.call(api.compare.versions, { params, query: { context } }, { signal }),
  );
}

/** Compares the tables of two versions; `isWhole` with all rows that are equal. */
export function useTableComparison(pair: VersionPair, isWhole: boolean): ComparisonState<ComparedTables> {
  const { client } = useServices();
  const params = { id: pair.base.id, other: pair.other.id };
  return useComparison(pair, 'tables', isWhole, (context, signal) =>
    client.call(api.compare.tables, { params, query: { context } }, { signal }),
  );
}
