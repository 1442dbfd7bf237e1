import { FileX2, Inbox } from 'lucide-react';
import { useEffect, useId, useMemo, useState } from 'react';
import { UPLOAD_FILES_MAX } from '../../../shared/api/upload.ts';
import type { Shelf } from '../../../shared/model/library.ts';
import { useLibraries, useShelf } from '../../api/queries.ts';
import { navigate, useSearch } from '../../app/place.ts';
import { paths } from '../../app/routes.ts';
import { useSession } from '../../app/services.ts';
import { useTranslation } from '../../i18n/useTranslation.ts';
import { letGo, type ReceivedFile, received } from '../../offline/received.ts';
import { FileIcon } from '../../ui/FileIcon.tsx';
import { EmptyState, ErrorState, LoadingRows } from '../../ui/States.tsx';
import { useFormats } from '../../ui/useFormats.ts';
import { useTitle } from '../../ui/useTitle.ts';
import { CommitDialog } from './upload/CommitDialog.tsx';
import { inCommits, type PickedFile } from './upload/nameConflicts.ts';
import { pickedFromInput } from './upload/pickedFiles.ts';
import { useUploads } from './upload/uploads.ts';
import './uploadPage.css';

/** The files that wait, and how they go; null until they are known. */
function useReceived(): readonly [readonly ReceivedFile[] | null, (files: readonly ReceivedFile[]) => void] {
  const [files, setFiles] = useState<readonly ReceivedFile[] | null>(null);
  useEffect(() => {
    received().then(setFiles, () => setFiles([]));
  }, []);
  const done = (gone: readonly ReceivedFile[]) => {
    setFiles((before) => before?.filter((each) => !gone.includes(each)) ?? null);
    // What could not be let go is shown again next time.
    letGo(gone.map(({ key }) => key)).catch(() => undefined);
  };
  return [files, done];
}

/** The shelves that somebody may put documents on, by library. */
function useWritable() {
  const username = useSession(({ user }) => user?.username);
  const { data: libraries, error, isPending, isLoadingError, refetch } = useLibraries();
  const writable = useMemo(
    () =>
      (libraries ?? []).flatMap(({ name, shelves = [] }) => {
        const own = shelves.filter(({ archived, members }) => {
          const role = members.find((member) => member.username === username)?.role;
          return !archived && (role === 'owner' || role === 'editor');
        });
        return own.length === 0 ? [] : [{ name, shelves: own }];
      }),
    [libraries, username],
  );
  return { writable, error, isPending, isLoadingError, refetch };
}

interface CommitProps {
  readonly shelf: Shelf;
  readonly files: readonly PickedFile[];
  readonly onRemove: (name: string) => void;
  readonly onCancel: () => void;
  readonly onCommitted: () => void;
}

/** The dialog of every upload, once the names on the shelf are known. */
function Commit({ shelf, files, onRemove, onCancel, onCommitted }: CommitProps) {
  const { data, isFetching } = useShelf(shelf.library, shelf.id);
  const addUpload = useUploads((state) => state.add);
  if (data === undefined || (isFetching && !data.isWhole)) return null;
  return (
    <CommitDialog
      library={shelf.library}
      shelf={shelf.name}
      documents={data.documents}
      files={files}
      onRemove={onRemove}
      onCancel={onCancel}
      onCommit={(message, items) => {
        const to = { library: shelf.library, shelfId: shelf.id, shelfName: shelf.name, message };
        for (const some of inCommits(items, UPLOAD_FILES_MAX)) addUpload(to, some);
        onCommitted();
      }}
    />
  );
}

/** Files that another application shared with this one, until a shelf is chosen for them. */
export function ReceivePage() {
  const { t } = useTranslation();
  const formats = useFormats();
  const shelfField = useId();
  const [files, done] = useReceived();
  const { writable, error, isPending, isLoadingError, refetch } = useWritable();
  const [shelfId, setShelfId] = useState('');
  const [isCommitting, setIsCommitting] = useState(false);
  const hasFailed = new URLSearchParams(useSearch()).has('failed');
  useTitle(t('receive.title'));
  const shelves = writable.flatMap((library) => library.shelves);
  const shelf = shelves.find(({ id }) => id === shelfId) ?? (shelves.length === 1 ? shelves[0] : undefined);
  const picked = useMemo(() => pickedFromInput((files ?? []).map(({ file }) => file)), [files]);
  const all = files ?? [];

  if (files === null || isPending) {
    return (
      <div className="page page--prose">
        <LoadingRows rows={4} />
      </div>
    );
  }
  if (isLoadingError) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (files.length === 0) {
    return hasFailed ? (
      <EmptyState icon={FileX2} title={t('receive.failedTitle')} text={t('receive.failedText')} level={1} />
    ) : (
      <EmptyState icon={Inbox} title={t('receive.emptyTitle')} text={t('receive.emptyText')} level={1} />
    );
  }
  return (
    <div className="page page--prose upload-page">
      <header>
        <h1 className="page__title serif">{t('receive.title')}</h1>
        <p className="muted">{t('receive.text', { count: files.length })}</p>
      </header>
      <ul className="card received" aria-label={t('receive.files')}>
        {files.map(({ key, file }) => (
          <li key={key} className="received__file">
            <FileIcon name={file.name} />
            <span className="received__name">{file.name}</span>
            <span className="muted nowrap">{formats.size(file.size)}</span>
          </li>
        ))}
      </ul>
      {shelves.length === 0 ? (
        <p className="notice notice--warning">{t('receive.noShelf')}</p>
      ) : (
        <div className="field">
          <label className="field__label" htmlFor={shelfField}>
            {t('receive.shelf')}
          </label>
          <select
            id={shelfField}
            className="input select"
            value={shelf?.id ?? ''}
            onChange={({ target }) => setShelfId(target.value)}
          >
            {shelf === undefined && <option value="">{t('receive.choose')}</option>}
            {writable.map((library) => (
              <optgroup key={library.name} label={library.name}>
                {library.shelves.map(({ id, name }) => (
                  <option key={id} value={id}>
                    {name}
                  </option>
                ))}
              </optgroup>
            ))}
          </select>
        </div>
      )}
      <div className="page__actions">
        <button type="button" className="button" onClick={() => done(all)}>
          {t('receive.discard')}
        </button>
        <button
          type="button"
          className="button button--primary"
          disabled={shelf === undefined}
          onClick={() => setIsCommitting(true)}
        >
          {t('receive.next')}
        </button>
      </div>
      {isCommitting && shelf !== undefined && (
        <Commit
          shelf={shelf}
          files={picked}
          onRemove={(name) => done(all.filter((_, index) => picked[index]?.name === name))}
          onCancel={() => setIsCommitting(false)}
          onCommitted={() => {
            done(all);
            navigate(paths.upload(shelf.library, shelf.id));
          }}
        />
      )}
    </div>
  );
}
