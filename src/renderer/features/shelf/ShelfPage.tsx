import { FileUp, FolderUp, GitCommitVertical, History, SearchX, Settings, Share2, Trash2, Upload } from 'lucide-react';
import { type ComponentType, memo, useDeferredValue, useEffect, useMemo, useState } from 'react';
import { Link } from 'wouter';
import { isAppError } from '../../../shared/errors.ts';
import type { CommitHead, Shelf } from '../../../shared/model/library.ts';
import { LIMITS } from '../../../shared/rules/limits.ts';
import type { CommentsProps } from '../../api/comments.ts';
import { useFavoriteIds, useStar } from '../../api/favorites.ts';
import { useShelf } from '../../api/queries.ts';
import { useSearch } from '../../app/place.ts';
import { paths, shareSearch } from '../../app/routes.ts';
import { useSession } from '../../app/services.ts';
import { useTranslation } from '../../i18n/useTranslation.ts';
import { Avatar } from '../../ui/Avatar.tsx';
import { Breadcrumb } from '../../ui/Breadcrumb.tsx';
import { FilterField } from '../../ui/FilterField.tsx';
import { isPhoneLayout } from '../../ui/layoutKind.ts';
import { Missing } from '../../ui/Missing.tsx';
import { StarButton } from '../../ui/StarButton.tsx';
import { EmptyState, ErrorState, LoadingRows } from '../../ui/States.tsx';
import { useTitle } from '../../ui/useTitle.ts';
import { When } from '../../ui/When.tsx';
import type { ShelfRights } from './DocumentMenu.tsx';
import { DocumentTable } from './DocumentTable.tsx';
import { useOrderedDocuments } from './documentOrder.ts';
import { type MembersProps, ShelfAside } from './ShelfAside.tsx';
import { type HistoryProps, ShelfTabs } from './ShelfTabs.tsx';
import { DropTarget } from './upload/DropTarget.tsx';
import { useFilePicker } from './upload/useFilePicker.tsx';
import './shelf.css';

interface LastCommitProps {
  readonly commit: CommitHead;
  readonly library: string;
  readonly shelfId: string;
}

/** The newest commit of the shelf. */
const LastCommit = memo(function LastCommit({ commit, library, shelfId }: LastCommitProps) {
  const { t } = useTranslation();
  return (
    <section className="last-commit card" aria-label={t('shelf.lastCommit')}>
      <GitCommitVertical aria-hidden="true" />
      <Avatar name={commit.author} />
      <span className="last-commit__text truncated">
        <strong>{commit.author}</strong> {commit.message || t('shelf.noMessage')}
      </span>
      <Link href={paths.commits(library, shelfId)} className="last-commit__hash mono">
        {commit.hash.slice(0, LIMITS.commitHashShown)}
      </Link>
      <span className="muted">
        <When moment={commit.created_at} />
      </span>
    </section>
  );
});

function ShelfStar({ shelf: { id, name, library } }: { readonly shelf: Shelf }) {
  const isFavorite = useFavoriteIds().has(id);
  const star = useStar();
  const target = { kind: 'shelf', id, name, library, shelf: name, shelf_id: id } as const;
  return <StarButton name={name} isFavorite={isFavorite} onToggle={() => star([target], !isFavorite)} />;
}

export interface ShelfPageProps {
  readonly library: string;
  readonly shelfId: string;
  /** The members and the comments: features of their own, in tabs beside the documents. */
  readonly members: ComponentType<MembersProps>;
  readonly comments: ComponentType<CommentsProps>;
  /** The commits, which have a tab on phones. */
  readonly history: ComponentType<HistoryProps>;
}

/** A shelf: its documents, and the place to drop new ones. */
export function ShelfPage({ library, shelfId, members, comments, history }: ShelfPageProps) {
  const { t } = useTranslation();
  const { data, error, isPending, isFetching, isError, isLoadingError, refetch } = useShelf(library, shelfId);
  const { rememberShelf, rememberLibrary } = useSession((state) => state);
  const user = useSession((state) => state.user);
  const [filter, setFilter] = useState('');
  // Typing stays quick however many documents are filtered.
  const wanted = useDeferredValue(filter.trim().toLocaleLowerCase());
  const search = useSearch();
  const named = new URLSearchParams(search).get('document');
  const target = useMemo(() => (named === null ? null : { id: named }), [named]);
  const shelf = data?.shelf;
  const lastCommit = data?.last_commit ?? null;
  useTitle(shelf?.name);

  useEffect(() => {
    if (shelf === undefined) return;
    rememberShelf(shelf.name);
    rememberLibrary(shelf.library);
  }, [shelf, rememberShelf, rememberLibrary]);

  const role = shelf?.members.find(({ username }) => username === user?.username)?.role;
  const userId = user?.user_id ?? '';
  // What is on a shelf must be known before something is put there.
  const isPart = data !== undefined && !data.isWhole && (isFetching || isError);
  const isWhole = data !== undefined && !isPart;
  const canWrite = isWhole && shelf?.archived === false && (role === 'owner' || role === 'editor');
  const rights = useMemo<ShelfRights>(
    () => ({ canWrite, isOwner: role === 'owner', userId }),
    [canWrite, role, userId],
  );
  const documents = useMemo(() => data?.documents ?? [], [data]);
  // There the history is a tab, and the trash stands in the sidebar.
  const isPhone = isPhoneLayout();
  const { choose, isDropping, element: picker } = useFilePicker({ shelf, documents, canWrite });
  const ordered = useOrderedDocuments(documents, wanted);
  const total = isPart && wanted === '' ? data.shelf.document_count : ordered.shown.length;

  if (isAppError(error, 'not-found')) {
    return <Missing title={t('library.shelfNotFoundTitle')} text={t('library.notFoundText')} />;
  }

  const chooseFiles = () => choose('files');
  const main = (
    <div className="shelf__main">
      {isPending ? (
        <div className="card">
          <LoadingRows />
        </div>
      ) : isLoadingError ? (
        <div className="card">
          <ErrorState error={error} onRetry={() => void refetch()} />
        </div>
      ) : documents.length === 0 ? (
        <div className="card">
          <EmptyState
            icon={FileUp}
            title={t('shelf.emptyTitle')}
            text={t(!canWrite ? 'files.emptyViewer' : isPhoneLayout() ? 'files.emptyPhone' : 'files.emptyText')}
          >
            {canWrite && (
              <button type="button" className="button button--primary" onClick={chooseFiles}>
                {t('shelf.emptyAction')}
              </button>
            )}
          </EmptyState>
        </div>
      ) : (
        <>
          {isPart && isError ? (
            <div className="card">
              <ErrorState error={error} onRetry={() => void refetch()} />
            </div>
          ) : (
            lastCommit !== null && <LastCommit commit={lastCommit} library={library} shelfId={shelfId} />
          )}
          <div className="shelf__tools">
            <FilterField className="shelf__filter" label={t('shelf.filter')} value={filter} onChange={setFilter} />
            <span className="muted nowrap">{t('common.documents', { count: total })}</span>
          </div>
          {ordered.shown.length === 0 && isPart ? (
            <div className="card">
              <LoadingRows />
            </div>
          ) : ordered.shown.length === 0 ? (
            <div className="card">
              <EmptyState icon={SearchX} title={t('shelf.noFilterMatch', { text: filter.trim() })}>
                <button type="button" className="button" onClick={() => setFilter('')}>
                  {t('files.clearFilters')}
                </button>
              </EmptyState>
            </div>
          ) : (
            shelf !== undefined && (
              <DocumentTable
                documents={ordered}
                total={total}
                library={library}
                shelf={shelf}
                rights={rights}
                target={target}
              />
            )
          )}
        </>
      )}
    </div>
  );
  return (
    <div className="page">
      <header className="shelf__head">
        <Breadcrumb steps={[{ name: shelf?.library ?? library, href: paths.library(library) }]} />
        <div className="page__head">
          <div className="page__titles">
            <h1 className="page__title serif">{shelf?.name ?? (isLoadingError ? t('phone.shelf') : '\u00a0')}</h1>
            {shelf !== undefined && <ShelfStar shelf={shelf} />}
          </div>
          <div className="page__actions">
            {!isPhone && (
              <>
                <Link href={paths.commits(library, shelfId)} className="button">
                  <History />
                  {t('shelf.history')}
                </Link>
                <Link href={paths.trash} className="button">
                  <Trash2 />
                  {t('nav.trash')}
                </Link>
              </>
            )}
            <Link href={paths.shelfSettings(library, shelfId)} className="button">
              <Settings />
              {t('nav.settings')}
            </Link>
            {canWrite && (
              <>
                <Link href={shareSearch(search, { kind: 'shelf', id: '' })} className="button">
                  <Share2 />
                  {t('sharing.share')}
                </Link>
                <button type="button" className="button shelf__folder" onClick={() => choose('folder')}>
                  <FolderUp />
                  {t('shelf.uploadFolder')}
                </button>
                {isPhone ? (
                  <Link href={paths.upload(library, shelfId)} className="button button--primary">
                    <Upload />
                    {t('shelf.upload')}
                  </Link>
                ) : (
                  <button type="button" className="button button--primary" onClick={chooseFiles}>
                    <Upload />
                    {t('shelf.upload')}
                  </button>
                )}
              </>
            )}
          </div>
        </div>
        {shelf?.archived === true && <p className="notice notice--warning">{t('shelf.archivedNotice')}</p>}
      </header>
      {picker}
      {!isPhone ? (
        <div className="shelf__columns">
          {main}
          {shelf !== undefined && (
            <ShelfAside shelf={shelf} documents={documents} members={members} comments={comments} />
          )}
        </div>
      ) : shelf === undefined ? (
        main
      ) : (
        <ShelfTabs
          shelf={shelf}
          documents={documents}
          files={main}
          members={members}
          comments={comments}
          history={history}
        />
      )}
      {isDropping && <DropTarget shelf={shelf?.name ?? ''} />}
    </div>
  );
}
