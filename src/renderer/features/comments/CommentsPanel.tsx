import { Archive, CheckCheck, MessageSquare, X } from 'lucide-react';
import { useEffect, useMemo, useState } from 'react';
import { Link } from 'wouter';
import { type CommentsProps, useComments } from '../../api/comments.ts';
import { useShelf } from '../../api/queries.ts';
import { paths } from '../../app/routes.ts';
import { useSession } from '../../app/services.ts';
import { useTranslation } from '../../i18n/useTranslation.ts';
import { splitName } from '../../ui/fileKind.ts';
import { EmptyState, ErrorState, LoadingRows } from '../../ui/States.tsx';
import { CommentThread } from './CommentThread.tsx';
import { Composer } from './Composer.tsx';
import type { CommentsContext } from './context.ts';
import { useCommentActions } from './queries.ts';
import { type Thread, threadsOf } from './threads.ts';
import { useNewComments } from './useNewComments.ts';
import './comments.css';

interface ThreadsProps {
  readonly threads: readonly Thread[];
  readonly context: CommentsContext;
}

function Threads({ threads, context }: ThreadsProps) {
  const { t } = useTranslation();
  const [showResolved, setShowResolved] = useState(false);
  const resolved = threads.filter(({ root }) => root.resolved_at !== null).length;
  const shown = showResolved ? threads : threads.filter(({ root }) => root.resolved_at === null);
  if (threads.length === 0) {
    return context.canWrite ? (
      <EmptyState icon={MessageSquare} title={t('talk.noComments')} text={t('talk.noCommentsText')} />
    ) : (
      <EmptyState icon={Archive} title={t('talk.noComments')} text={t('talk.noCommentsArchived')} />
    );
  }
  return (
    <>
      {shown.length === 0 ? (
        <EmptyState icon={CheckCheck} title={t('talk.allResolved')} />
      ) : (
        <ul className="threads">
          {shown.map((thread) => (
            <CommentThread key={thread.root.id} thread={thread} context={context} />
          ))}
        </ul>
      )}
      {resolved > 0 && (
        <button
          type="button"
          className="button button--small button--quiet comments__more"
          aria-pressed={showResolved}
          onClick={() => setShowResolved((value) => !value)}
        >
          {showResolved ? t('talk.hideResolved') : t('talk.showResolved', { count: resolved })}
        </button>
      )}
    </>
  );
}

/** The comments on a shelf, or on one document of it: written, answered, changed, resolved, deleted. */
export function CommentsPanel({ library, shelfId, document, version }: CommentsProps) {
  const { t } = useTranslation();
  const userId = useSession(({ user }) => user?.user_id ?? '');
  const username = useSession(({ user }) => user?.username ?? '');
  const shelf = useShelf(library, shelfId).data?.shelf;
  const list = useComments(library, shelfId, document?.id);
  const actions = useCommentActions(library, shelfId);
  const comments = useMemo(() => list.data?.pages.flatMap((page) => page.comments) ?? null, [list.data]);
  const { threads, isTorn } = useMemo(() => threadsOf(comments ?? []), [comments]);
  const lastId = list.data?.pages[0]?.last_comment_id ?? null;
  const newIds = useNewComments({ library, shelfId, userId, comments: document === null ? comments : null, lastId });
  const { hasNextPage, isFetchingNextPage, isLoadingError, fetchNextPage } = list;

  useEffect(() => {
    if (isTorn && hasNextPage && !isFetchingNextPage) void fetchNextPage();
  }, [isTorn, hasNextPage, isFetchingNextPage, fetchNextPage]);

  const all = shelf?.members ?? [];
  const members = all.filter((member) => member.username !== username);
  const context: CommentsContext = {
    library,
    shelfId,
    document,
    ...(version === undefined ? {} : { version }),
    userId,
    isOwner: all.some((member) => member.username === username && member.role === 'owner'),
    canWrite: shelf?.archived === false,
    members,
    usernames: all.map((member) => member.username),
    newIds,
    actions,
  };
  const place = {
    ...(document === null ? {} : { document_id: document.id }),
    ...(version === undefined ? {} : { version_id: version.id }),
  };
  const name = document === null ? null : splitName(document.name).base;
  return (
    <div className="comments">
      {name !== null && version === undefined && (
        <p className="comments__about">
          <span className="truncated" title={document?.name}>
            {t('talk.commentsOf', { name })}
          </span>
          <Link
            href={paths.comments(library, shelfId)}
            className="icon-button"
            aria-label={t('talk.showAll')}
            title={t('talk.showAll')}
          >
            <X />
          </Link>
        </p>
      )}
      {context.canWrite && (
        <Composer
          key={document?.id}
          label={name === null ? t('talk.write') : t('talk.writeOn', { name })}
          placeholder={t('talk.placeholder')}
          verb={t('talk.post')}
          draft={`new:${shelfId}:${document?.id ?? ''}`}
          members={members}
          onSubmit={(comment) => actions.write({ comment, ...place })}
        />
      )}
      {isLoadingError ? (
        <ErrorState error={list.error} onRetry={() => void list.refetch()} />
      ) : comments === null ? (
        <LoadingRows rows={3} />
      ) : (
        <Threads threads={threads} context={context} />
      )}
      {hasNextPage && (
        <button
          type="button"
          className="button button--small comments__more"
          disabled={isFetchingNextPage}
          onClick={() => void fetchNextPage()}
        >
          {t('talk.earlier')}
        </button>
      )}
    </div>
  );
}
