import { useEffect, useState, useSyncExternalStore } from 'react';
import type { Comment } from '../../../shared/model/comment.ts';
import { useUnreadComments } from '../../api/comments.ts';
import { useMarkRead } from './queries.ts';
import { newestOfOthers } from './threads.ts';

function subscribe(listener: () => void): () => void {
  document.addEventListener('visibilitychange', listener);
  return () => document.removeEventListener('visibilitychange', listener);
}

const isPageVisible = () => document.visibilityState === 'visible';

interface NewCommentsOptions {
  readonly library: string;
  readonly shelfId: string;
  readonly userId: string;
  /** All comments of the shelf, newest first; null while they are not known, or where only some are shown. */
  readonly comments: readonly Comment[] | null;
  readonly lastId: string | null;
}

/**
 * Which comments are new to the reader, for as long as the list is open. They count as read only once they were shown: the
 * list of the whole shelf stands there, in a page that is in sight.
 */
export function useNewComments({
  library,
  shelfId,
  userId,
  comments,
  lastId,
}: NewCommentsOptions): ReadonlySet<string> {
  const { data: unread = 0 } = useUnreadComments(library, shelfId);
  const { mutate: markRead } = useMarkRead(library, shelfId);
  const isVisible = useSyncExternalStore(subscribe, isPageVisible);
  const [newIds, setNewIds] = useState<ReadonlySet<string>>(new Set());
  useEffect(() => {
    if (unread === 0 || comments === null || lastId === null || !isVisible) return;
    setNewIds((known) => new Set([...known, ...newestOfOthers(comments, userId, unread)]));
    markRead(lastId);
  }, [unread, comments, lastId, isVisible, userId, markRead]);
  return newIds;
}
