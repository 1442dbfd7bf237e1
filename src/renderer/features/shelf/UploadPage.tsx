import { ArrowLeft, Camera, FileUp, FolderUp, Images, Lock, Upload, UploadCloud } from 'lucide-react';
import { useMemo } from 'react';
import { Link } from 'wouter';
import { isAppError } from '../../../shared/errors.ts';
import { useShelf } from '../../api/queries.ts';
import { paths } from '../../app/routes.ts';
import { useSession } from '../../app/services.ts';
import { useTranslation } from '../../i18n/useTranslation.ts';
import { Breadcrumb } from '../../ui/Breadcrumb.tsx';
import { isPhoneLayout } from '../../ui/layoutKind.ts';
import { Missing } from '../../ui/Missing.tsx';
import { EmptyState, ErrorState, LoadingRows } from '../../ui/States.tsx';
import { useTitle } from '../../ui/useTitle.ts';
import { DropTarget } from './upload/DropTarget.tsx';
import { UploadQueue, useHasUploads } from './upload/UploadTray.tsx';
import { useFilePicker } from './upload/useFilePicker.tsx';
import './shelf.css';
import './uploadPage.css';

export interface UploadPageProps {
  readonly library: string;
  readonly shelfId: string;
}

/** Uploading and nothing else: where files are chosen or dropped, and what becomes of them. */
export function UploadPage({ library, shelfId }: UploadPageProps) {
  const { t } = useTranslation();
  const { data, error, isPending, isLoadingError, refetch } = useShelf(library, shelfId);
  const username = useSession(({ user }) => user?.username);
  const hasUploads = useHasUploads();
  const shelf = data?.shelf;
  const documents = useMemo(() => data?.documents ?? [], [data]);
  const role = shelf?.members.find((member) => member.username === username)?.role;
  const canWrite = shelf?.archived === false && (role === 'owner' || role === 'editor');
  const { choose, isDropping, element: picker } = useFilePicker({ shelf, documents, canWrite });
  useTitle(shelf === undefined ? t('pages.uploadTitle') : t('pages.uploadTo', { shelf: shelf.name }));

  if (isAppError(error, 'not-found')) {
    return <Missing title={t('library.shelfNotFoundTitle')} text={t('library.notFoundText')} />;
  }
  return (
    <div className="page page--prose upload-page">
      <header>
        <Breadcrumb
          steps={[
            { name: shelf?.library ?? library, href: paths.library(library) },
            ...(shelf === undefined ? [] : [{ name: shelf.name, href: paths.shelf(library, shelfId) }]),
          ]}
        />
        <div className="page__head">
          <h1 className="page__title serif">{t('pages.uploadTitle')}</h1>
          {!isPhoneLayout() && (
            <Link href={paths.shelf(library, shelfId)} className="button">
              <ArrowLeft />
              {t('pages.backToShelf')}
            </Link>
          )}
        </div>
      </header>
      {picker}
      {isPending ? (
        <div className="card">
          <LoadingRows rows={3} />
        </div>
      ) : isLoadingError ? (
        <div className="card">
          <ErrorState error={error} onRetry={() => void refetch()} />
        </div>
      ) : !canWrite ? (
        <div className="card">
          <EmptyState
            icon={Lock}
            title={t('pages.cannotUpload')}
            text={shelf?.archived === true ? t('shelf.archivedNotice') : t('files.emptyViewer')}
          />
        </div>
      ) : (
        <section className="upload-page__drop" aria-label={t('pages.uploadChoose')}>
          <UploadCloud aria-hidden="true" />
          <p className="upload-page__lead upload-page__wide">{t('pages.dropHere', { shelf: shelf?.name ?? '' })}</p>
          <p className="upload-page__lead upload-page__phone">{t('uploads.phoneLead', { shelf: shelf?.name ?? '' })}</p>
          <div className="page__actions upload-page__ways">
            <button type="button" className="button upload-page__phone" onClick={() => choose('camera')}>
              <Camera />
              {t('uploads.photo')}
            </button>
            <button type="button" className="button upload-page__phone" onClick={() => choose('photos')}>
              <Images />
              {t('uploads.photos')}
            </button>
            <button type="button" className="button button--primary" onClick={() => choose('files')}>
              <Upload />
              {t('pages.chooseFiles')}
            </button>
            <button type="button" className="button upload-page__wide" onClick={() => choose('folder')}>
              <FolderUp />
              {t('pages.chooseFolder')}
            </button>
          </div>
        </section>
      )}
      <section className="card upload-page__queue" aria-label={t('upload.trayTitle')}>
        {hasUploads ? (
          <UploadQueue />
        ) : (
          <EmptyState icon={FileUp} title={t('pages.noUploads')} text={t('pages.noUploadsText')} />
        )}
      </section>
      {isDropping && <DropTarget shelf={shelf?.name ?? ''} />}
    </div>
  );
}
