import { CloudOff, Download, HardDrive, Share2 } from 'lucide-react';
import { type ComponentType, Suspense } from 'react';
import { Link } from 'wouter';
import { fillPath } from '../../../shared/api/call.ts';
import { STREAM_ROUTES } from '../../../shared/api/documents.ts';
import { isAppError } from '../../../shared/errors.ts';
import type { Version } from '../../../shared/model/library.ts';
import { LIMITS } from '../../../shared/rules/limits.ts';
import type { CommentsProps } from '../../api/comments.ts';
import { useDocumentHistory, useRole, useVersion } from '../../api/queries.ts';
import type { ViewedContent, ViewerProps } from '../../api/viewer.ts';
import { useSearch } from '../../app/place.ts';
import { paths, shareSearch } from '../../app/routes.ts';
import { useSession } from '../../app/services.ts';
import { useViewerPlace } from '../../app/viewerPlace.ts';
import { useTranslation } from '../../i18n/useTranslation.ts';
import { Breadcrumb } from '../../ui/Breadcrumb.tsx';
import { FileIcon } from '../../ui/FileIcon.tsx';
import { splitName } from '../../ui/fileKind.ts';
import { isPhoneLayout } from '../../ui/layoutKind.ts';
import { Missing } from '../../ui/Missing.tsx';
import { SendButton } from '../../ui/SendButton.tsx';
import { EmptyState, ErrorState, LoadingRows } from '../../ui/States.tsx';
import { useFormats } from '../../ui/useFormats.ts';
import { useTitle } from '../../ui/useTitle.ts';
import { CommentsSheet } from './CommentsSheet.tsx';
import { type Source, useContentOf, useSource } from './useKept.ts';
import { VersionRail } from './VersionRail.tsx';
import { VersionSheet } from './VersionSheet.tsx';
import './version.css';

const contentOf = (
  { id, document_name: name, mime, size }: Version,
  source: Source,
  downloadUrl: string,
): ViewedContent => ({
  key: id,
  name,
  mime,
  size,
  url: source.from === 'device' ? source.copy.url : fillPath(STREAM_ROUTES.versionContent, { id }),
  downloadUrl,
});

/** Where the comments stand; whoever was sent to them begins there. */
const COMMENTS = 'version-comments';
function goToComments(title: HTMLElement | null): void {
  if (title !== null && location.hash === `#${COMMENTS}`) title.focus();
}

/** Said instead of a document that is neither here nor to be had. */
function NotKept({ level, onRetry }: { readonly level: 1 | 2; readonly onRetry: () => void }) {
  const { t } = useTranslation();
  return (
    <EmptyState icon={CloudOff} title={t('offline.notKept')} text={t('offline.notKeptText')} level={level}>
      <button type="button" className="button button--primary" onClick={onRetry}>
        {t('common.tryAgain')}
      </button>
      <Link href={paths.settingsTab('offline')} className="button">
        {t('offline.whatIsKept')}
      </Link>
    </EmptyState>
  );
}

function Details({ version }: { readonly version: Version }) {
  const { t } = useTranslation();
  const formats = useFormats();
  return (
    <section className="rail__section" aria-labelledby="version-details">
      <h2 id="version-details" className="rail__title">
        {t('version.details')}
      </h2>
      <dl className="facts">
        <dt>{t('version.message')}</dt>
        <dd>{version.commit_message || <span className="muted">{t('shelf.noMessage')}</span>}</dd>
        <dt>{t('version.author')}</dt>
        <dd>{version.author}</dd>
        <dt>{t('version.date')}</dt>
        <dd>{formats.dateTime(version.created_at)}</dd>
        <dt>{t('version.size')}</dt>
        <dd>{formats.size(version.size)}</dd>
        <dt>{t('version.commit')}</dt>
        <dd className="mono">{version.commit_hash.slice(0, LIMITS.commitHashShown)}</dd>
        <dt>{t('version.hash')}</dt>
        <dd className="mono facts__hash">{version.sha256}</dd>
      </dl>
    </section>
  );
}

export interface VersionPageProps {
  readonly library: string;
  readonly shelfId: string;
  readonly versionId: string;
  /** The comments on its document, a feature of its own. */
  readonly comments: ComponentType<CommentsProps>;
  /** Shows its content, a feature of its own too. */
  readonly viewer: ComponentType<ViewerProps>;
}

/** One version of a document: its content, where it comes from, what is said of it, and the versions beside it. */
export function VersionPage({ library, shelfId, versionId, comments: Comments, viewer: Viewer }: VersionPageProps) {
  const { t } = useTranslation();
  const { data: version, error, isPending, isLoadingError, refetch } = useVersion(versionId);
  const { data: versions } = useDocumentHistory(version?.document_id);
  const search = useSearch();
  const place = useViewerPlace();
  const role = useRole(shelfId);
  const [source, lookAgain] = useSource(versionId);
  const { loadText, exportPdf } = useContentOf(versionId, version, source, role !== undefined);
  const isReachable = useSession((state) => state.reachable);
  useTitle(version?.document_name);
  if (isAppError(error, 'not-found') || isAppError(error, 'bad-request')) {
    return <Missing title={t('version.missing')} text={t('errors.not-found')} />;
  }
  if (isPending) {
    return (
      <div className="page">
        <LoadingRows rows={8} shape="text" />
      </div>
    );
  }
  const tryAgain = () => {
    lookAgain();
    void refetch();
  };
  if (isLoadingError) {
    return source.from === 'nowhere' ? (
      <NotKept level={1} onRetry={tryAgain} />
    ) : (
      <ErrorState error={error} onRetry={tryAgain} />
    );
  }
  const { folder, base } = splitName(version.document_name);
  const current = versions?.find((each) => each.is_current);
  const versionRail = (
    <VersionRail
      version={version}
      library={version.library}
      shelfId={version.shelf_id}
      canWrite={role === 'owner' || role === 'editor'}
    />
  );
  const isPhone = isPhoneLayout();
  const downloadUrl =
    source.from === 'device' && !isReachable
      ? source.copy.url
      : fillPath(STREAM_ROUTES.versionDownload, { id: version.id });
  const talk = (
    <Suspense fallback={<LoadingRows rows={3} />}>
      <Comments
        library={version.library}
        shelfId={version.shelf_id}
        document={{ id: version.document_id, name: version.document_name }}
        version={version}
      />
    </Suspense>
  );
  return (
    <div className="page">
      <header className="version__head">
        <Breadcrumb
          steps={[
            { name: version.library, href: paths.library(version.library) },
            { name: version.shelf, href: paths.shelf(version.library, version.shelf_id) },
          ]}
        />
        <div className="page__head">
          <div className="version__titles">
            <FileIcon name={version.document_name} />
            <h1 className="page__title serif">
              {folder !== '' && <span className="version__folder">{folder}</span>}
              {base}
            </h1>
            <span className="badge">{t('common.version', { number: version.number })}</span>
          </div>
          <div className="page__actions">
            {(role === 'owner' || role === 'editor') && (
              <Link href={shareSearch(search, { kind: 'version', id: version.id })} className="button">
                <Share2 />
                {t('sharing.share')}
              </Link>
            )}
            {isPhone && (
              <>
                <SendButton title={base} />
                <CommentsSheet opens={location.hash === `#${COMMENTS}`}>{talk}</CommentsSheet>
              </>
            )}
            <a className="button button--primary" href={downloadUrl} download={base}>
              <Download />
              {t('common.download')}
            </a>
          </div>
        </div>
        {!version.is_current && current !== undefined && (
          <p className="notice notice--warning">
            <Link href={paths.version(library, shelfId, current.id)} className="text-link">
              {t('version.old', { number: current.number })}
            </Link>
          </p>
        )}
      </header>
      <div className="version__columns">
        <div className="preview card">
          {source.from === 'device' && !isReachable && (
            <p className="preview__kept">
              <HardDrive aria-hidden="true" />
              {t('offline.fromDevice')}
            </p>
          )}
          {source.from === 'looking' && <LoadingRows rows={10} shape="text" />}
          {source.from === 'nowhere' && <NotKept level={2} onRetry={tryAgain} />}
          {(source.from === 'server' || source.from === 'device') && (
            <Suspense fallback={<LoadingRows rows={10} shape="text" />}>
              <Viewer
                content={contentOf(version, source, downloadUrl)}
                place={place}
                loadText={loadText}
                exportPdf={exportPdf}
              />
            </Suspense>
          )}
        </div>
        <aside className="rail">
          {isPhone ? <VersionSheet>{versionRail}</VersionSheet> : versionRail}
          <Details version={version} />
          {!isPhone && (
            <section className="rail__section" aria-labelledby={COMMENTS}>
              <h2 id={COMMENTS} className="rail__title" ref={goToComments} tabIndex={-1}>
                {t('talk.comments')}
              </h2>
              {talk}
            </section>
          )}
        </aside>
      </div>
    </div>
  );
}
