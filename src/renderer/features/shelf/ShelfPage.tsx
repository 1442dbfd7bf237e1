import { FileUp, FolderUp, GitCommitVertical, History, SearchX, Settings, Upload, UploadCloud } from 'lucide-react';
import {
  type ChangeEvent,
  type ComponentType,
  Suspense,
  useCallback,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import { isAppError } from '../../../shared/errors.ts';
import type { Shelf, ShelfDocument } from '../../../shared/model/library.ts';
import { LIMITS } from '../../../shared/rules/limits.ts';
import { useShelf } from '../../api/queries.ts';
import { paths } from '../../app/routes.ts';
import { useSession } from '../../app/services.ts';
import { Avatar } from '../../ui/Avatar.tsx';
import { Breadcrumb } from '../../ui/Breadcrumb.tsx';
import { EmptyState, ErrorState, LoadingRows } from '../../ui/States.tsx';
import { notify } from '../../ui/toast.ts';
import { useTitle } from '../../ui/useTitle.ts';
import { When } from '../../ui/When.tsx';
import { DocumentTable } from './DocumentTable.tsx';
import { CommitDialog } from './upload/CommitDialog.tsx';
import { mergePicked, type PickedFile, pickedFromInput } from './upload/pickedFiles.ts';
import { useUploads } from './upload/UploadProvider.tsx';
import { useFileDrop } from './upload/useFileDrop.ts';
import './shelf.css';

/** The newest commit, as far as the current versions tell it. */
function LastCommit({
  documents,
  library,
  shelfId,
}: {
  readonly documents: readonly ShelfDocument[];
  readonly library: string;
  readonly shelfId: string;
}) {
  const { t } = useTranslation();
  const newest = documents.reduce<ShelfDocument | null>(
    (best, each) => (best === null || each.updated_at > best.updated_at ? each : best),
    null,
  );
  if (newest === null) return null;
  return (
    <section className="last-commit card" aria-label={t('shelf.lastCommit')}>
      <GitCommitVertical aria-hidden="true" />
      <Avatar name={newest.author} />
      <span className="last-commit__text truncated">
        <strong>{newest.author}</strong> {newest.commit_message || t('shelf.noMessage')}
      </span>
      <Link href={paths.commits(library, shelfId)} className="last-commit__hash mono">
        {newest.commit_hash.slice(0, LIMITS.commitHashShown)}
      </Link>
      <span className="muted">
        <When moment={newest.updated_at} />
      </span>
    </section>
  );
}

export interface ShelfPageProps {
  readonly library: string;
  readonly shelfId: string;
  /** The members tab, a feature of its own. */
  readonly members: ComponentType<{ readonly shelf: Shelf }>;
}

/** A shelf: its documents, and the place to drop new ones. */
export function ShelfPage({ library, shelfId, members: Members }: ShelfPageProps) {
  const { t } = useTranslation();
  const { data, error, isPending, isLoadingError, refetch } = useShelf(library, shelfId);
  const { rememberShelf, rememberLibrary } = useSession((state) => state);
  const user = useSession((state) => state.user);
  const addUpload = useUploads((state) => state.add);
  const [picked, setPicked] = useState<readonly PickedFile[]>([]);
  const [filter, setFilter] = useState('');
  const fileInput = useRef<HTMLInputElement>(null);
  const folderInput = useRef<HTMLInputElement>(null);
  const shelf = data?.shelf;
  useTitle(shelf?.name);

  useEffect(() => {
    if (shelf === undefined) return;
    rememberShelf(shelf.name);
    rememberLibrary(shelf.library);
  }, [shelf, rememberShelf, rememberLibrary]);

  const canWrite =
    shelf !== undefined &&
    !shelf.archived &&
    shelf.members.some(({ username, role }) => username === user?.username && role !== 'viewer');
  const pick = useCallback((files: readonly PickedFile[]) => setPicked((list) => mergePicked(list, files)), []);
  const dropFailed = useCallback(() => notify(t('upload.unreadable'), 'error'), [t]);
  const isDropping = useFileDrop(canWrite, pick, dropFailed);

  const onInput = (event: ChangeEvent<HTMLInputElement>) => {
    if (event.target.files !== null) pick(pickedFromInput(event.target.files));
    // So that choosing the same file again is a change again.
    event.target.value = '';
  };
  const documents = useMemo(() => data?.documents ?? [], [data]);
  const shown = useMemo(() => {
    const wanted = filter.trim().toLocaleLowerCase();
    return wanted === '' ? documents : documents.filter(({ name }) => name.toLocaleLowerCase().includes(wanted));
  }, [documents, filter]);

  if (isAppError(error, 'not-found')) {
    return (
      <EmptyState icon={SearchX} title={t('library.shelfNotFoundTitle')} text={t('library.notFoundText')} level={1} />
    );
  }

  const chooseFiles = () => fileInput.current?.click();
  return (
    <div className="page">
      <header className="shelf__head">
        <Breadcrumb steps={[{ name: shelf?.library ?? library, href: paths.library(library) }]} />
        <div className="page__head">
          <h1 className="page__title serif">{shelf?.name ?? '\u00a0'}</h1>
          <div className="page__actions">
            <Link href={paths.commits(library, shelfId)} className="button">
              <History />
              {t('shelf.history')}
            </Link>
            <Link href={paths.shelfSettings(library, shelfId)} className="button">
              <Settings />
              {t('nav.settings')}
            </Link>
            {canWrite && (
              <>
                <button type="button" className="button shelf__folder" onClick={() => folderInput.current?.click()}>
                  <FolderUp />
                  {t('shelf.uploadFolder')}
                </button>
                <button type="button" className="button button--primary" onClick={chooseFiles}>
                  <Upload />
                  {t('shelf.upload')}
                </button>
              </>
            )}
          </div>
        </div>
        {shelf?.archived === true && <p className="notice notice--warning">{t('shelf.archivedNotice')}</p>}
      </header>
      <input ref={fileInput} type="file" multiple hidden data-testid="upload-files" onChange={onInput} />
      <input
        ref={(element) => {
          // Not in React's types: chooses a folder with all that is in it.
          element?.setAttribute('webkitdirectory', '');
          folderInput.current = element;
        }}
        type="file"
        multiple
        hidden
        data-testid="upload-folder"
        onChange={onInput}
      />
      <div className="shelf__columns">
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
                {...(canWrite ? { text: t('shelf.emptyText') } : {})}
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
              <LastCommit documents={documents} library={library} shelfId={shelfId} />
              <div className="shelf__tools">
                <input
                  type="search"
                  className="input shelf__filter"
                  aria-label={t('shelf.filter')}
                  placeholder={t('shelf.filter')}
                  value={filter}
                  onChange={(event) => setFilter(event.target.value)}
                />
                <span className="muted nowrap">{t('common.documents', { count: shown.length })}</span>
              </div>
              {shown.length === 0 ? (
                <p className="muted" role="status">
                  {t('shelf.noFilterMatch', { text: filter.trim() })}
                </p>
              ) : (
                <DocumentTable documents={shown} library={library} shelfId={shelfId} />
              )}
            </>
          )}
        </div>
        {shelf !== undefined && (
          <aside className="shelf__aside">
            <Suspense fallback={<LoadingRows rows={shelf.members.length} />}>
              <Members shelf={shelf} />
            </Suspense>
          </aside>
        )}
      </div>
      {isDropping && (
        <div className="drop-target">
          <UploadCloud aria-hidden="true" />
          <p className="drop-target__title">{t('shelf.dropTitle', { shelf: shelf?.name ?? '' })}</p>
          <p>{t('shelf.dropText')}</p>
        </div>
      )}
      {picked.length > 0 && shelf !== undefined && (
        <CommitDialog
          library={shelf.library}
          shelf={shelf.name}
          documents={documents}
          files={picked}
          onRemove={(name) => setPicked((list) => list.filter((each) => each.name !== name))}
          onCancel={() => setPicked([])}
          onCommit={(message) => {
            setPicked([]);
            addUpload(
              { library, shelfId, shelfName: shelf.name, message },
              picked
                .filter(({ problem }) => problem === null)
                .map(({ name, file }) => ({
                  name,
                  size: file.size,
                  mime: file.type || 'application/octet-stream',
                  content: file,
                })),
            );
          }}
        />
      )}
    </div>
  );
}
