import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { api } from '../../shared/api/index.ts';
import { useServices } from '../app/services.ts';
import { queryKeys } from './queries.ts';

/** The most that one answer holds. */
const PAGE = 200;

/** What a list of comments is about. */
export interface CommentsProps {
  readonly library: string;
  readonly shelfId: string;
  /** Null for the shelf with all that is on it. */
  readonly document: { readonly id: string; readonly name: string } | null;
  /** The version of the document that is in sight: new comments are written on it. */
  readonly version?: { readonly id: string; readonly number: number };
}

/** Comments of a shelf, or of one document on it, newest first. */
export function useComments(library: string, shelfId: string, documentId: string | undefined) {
  const { client } = useServices();
  return useInfiniteQuery({
    queryKey: [...queryKeys.comments(shelfId), 'list', documentId ?? 'all'],
    initialPageParam: 1,
    queryFn: ({ pageParam, signal }) =>
      client.call(
        api.comments.list,
        {
          params: { lib: library, id: shelfId },
          query: {
            page: pageParam,
            page_size: PAGE,
            ...(documentId === undefined ? {} : { document_id: documentId }),
          },
        },
        { signal },
      ),
    getNextPageParam: (last, pages) => (last.has_more ? pages.length + 1 : undefined),
  });
}

/** How many comments of a shelf by others the caller has not read. */
export function useUnreadComments(library: string, shelfId: string) {
  const { client } = useServices();
  return useQuery({
    queryKey: [...queryKeys.comments(shelfId), 'unread'],
    queryFn: ({ signal }) => client.call(api.comments.hasUnread, { params: { lib: library, id: shelfId } }, { signal }),
    select: ({ unread_count }) => unread_count,
  });
}
