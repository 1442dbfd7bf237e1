import { useQuery } from '@tanstack/react-query';
import { api } from '../../shared/api/index.ts';
import { useServices } from '../app/services.ts';
import { queryKeys } from './queries.ts';

/** What a list of comments is about. */
export interface CommentsProps {
  readonly library: string;
  readonly shelfId: string;
  /** Null for the shelf with all that is on it. */
  readonly document: { readonly id: string; readonly name: string } | null;
  /** The version of the document that is in sight: new comments are written on it. */
  readonly version?: { readonly id: string; readonly number: number };
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
