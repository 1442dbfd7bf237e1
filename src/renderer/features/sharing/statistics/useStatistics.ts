import { keepPreviousData, useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { fillPath } from '../../../../shared/api/call.ts';
import { api } from '../../../../shared/api/index.ts';
import { SHARING_STREAMS } from '../../../../shared/api/sharing.ts';
import type { ShareAudience } from '../../../../shared/model/shareLink.ts';
import { useServices } from '../../../app/services.ts';

const KEY = 'share-statistics';
const EVENTS_PER_PAGE = 50;
/** A shelf's figures have no live stream: they are asked for again now and then. */
const SHELF_REFRESH_MS = 30_000;

/** Whose figures: those of one link, or of all links of the shelf. */
export interface StatisticsScope {
  readonly library: string;
  readonly shelfId: string;
  readonly linkId: string | null;
}

export interface StatisticsFilter {
  /** First day; null for all time. */
  readonly from: string | null;
  readonly audiences: readonly ShareAudience[];
}

/** The filter as the query of an address. */
export function filterQuery({ from, audiences }: StatisticsFilter): { from?: string; include: string } {
  return { ...(from === null ? {} : { from }), include: audiences.join(',') };
}

/** The figures, and the events that they are made of, page by page. */
export function useStatistics({ library, shelfId, linkId }: StatisticsScope, filter: StatisticsFilter) {
  const { client } = useServices();
  return useInfiniteQuery({
    queryKey: [KEY, shelfId, linkId, filter],
    initialPageParam: 1,
    placeholderData: keepPreviousData,
    refetchInterval: linkId === null ? SHELF_REFRESH_MS : false,
    queryFn: ({ pageParam, signal }) => {
      const query = { ...filterQuery(filter), page: pageParam, page_size: EVENTS_PER_PAGE };
      const shelf = { lib: library, id: shelfId };
      return linkId === null
        ? client.call(api.sharing.statistics, { params: shelf, query }, { signal })
        : client.call(api.sharing.linkStatistics, { params: { ...shelf, linkId }, query }, { signal });
    },
    getNextPageParam: (last, pages) => (last.has_more ? pages.length + 1 : undefined),
  });
}

/** Asks for a link's figures again as soon as somebody opens it (field.md row 46). */
export function useLiveStatistics({ library, shelfId, linkId }: StatisticsScope): void {
  const queries = useQueryClient();
  useEffect(() => {
    if (linkId === null) return;
    const events = new EventSource(fillPath(SHARING_STREAMS.live, { lib: library, id: shelfId, linkId }));
    const again = () => void queries.invalidateQueries({ queryKey: [KEY, shelfId, linkId] });
    events.addEventListener('share-event', again);
    // What happened while the connection was lost was told to nobody.
    events.addEventListener('open', again);
    return () => events.close();
  }, [queries, library, shelfId, linkId]);
}
