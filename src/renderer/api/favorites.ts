import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { CallOutput } from '../../shared/api/call.ts';
import type { Favorite } from '../../shared/api/favorites.ts';
import { api } from '../../shared/api/index.ts';
import { useServices } from '../app/services.ts';
import { notify } from '../ui/toast.ts';
import { useErrorText } from '../ui/useErrorText.ts';

const KEY = ['favorites'] as const;
const FRESH_MS = 60_000;

type Answer = CallOutput<typeof api.favorites.list>;

/** What makes something a favourite, and what lists show of it before the server has answered. */
export type FavoriteTarget = Omit<Favorite, 'created_at'>;

/** The caller's favourites, newest first. */
export function useFavorites() {
  const { client } = useServices();
  return useQuery({
    queryKey: KEY,
    queryFn: ({ signal }) => client.call(api.favorites.list, {}, { signal }),
    select: ({ favorites }) => favorites,
    staleTime: FRESH_MS,
  });
}

/** Ids of the favourites, to draw stars by. Empty while they are not known. */
export function useFavoriteIds(): ReadonlySet<string> {
  const { data } = useFavorites();
  return useMemo(() => new Set(data?.map(({ id }) => id)), [data]);
}

/** Stars and unstars. The lists follow at once, and go back when the server refuses. */
export function useStar(): (targets: readonly FavoriteTarget[], isFavorite: boolean) => void {
  const { client } = useServices();
  const queries = useQueryClient();
  const errorText = useErrorText();
  const { mutate } = useMutation({
    mutationFn: async ({ targets, isFavorite }: { targets: readonly FavoriteTarget[]; isFavorite: boolean }) => {
      const call = isFavorite ? api.favorites.add : api.favorites.remove;
      for (const { kind, id } of targets) await client.call(call, { params: { kind, id } });
    },
    onMutate: async ({ targets, isFavorite }) => {
      await queries.cancelQueries({ queryKey: KEY });
      const before = queries.getQueryData<Answer>(KEY);
      const ids = new Set(targets.map(({ id }) => id));
      const created_at = new Date().toISOString();
      queries.setQueryData<Answer>(KEY, (answer) => {
        const others = (answer?.favorites ?? []).filter(({ id }) => !ids.has(id));
        return {
          favorites: isFavorite ? [...targets.map((target) => ({ ...target, created_at })), ...others] : others,
        };
      });
      return before;
    },
    onError: (error, _, before) => {
      queries.setQueryData(KEY, before);
      notify(errorText(error), 'error');
    },
    onSettled: () => queries.invalidateQueries({ queryKey: KEY }),
  });
  return (targets, isFavorite) => mutate({ targets, isFavorite });
}
