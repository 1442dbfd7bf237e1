import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { ArrowLeft, Download, FileUp } from 'lucide-react';
import { type ComponentType, Suspense, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { Link } from 'wouter';
import type { CallOutput } from '../../../shared/api/call.ts';
import { fillPath } from '../../../shared/api/call.ts';
import type { api } from '../../../shared/api/index.ts';
import { SHARING_STREAMS } from '../../../shared/api/sharing.ts';
import type { SharedDocument } from '../../../shared/model/shareLink.ts';
import type { ViewedContent, ViewerProps } from '../../api/viewer.ts';
import { useSearch } from '../../app/place.ts';
import { paths } from '../../app/routes.ts';
import { useViewerPlace } from '../../app/viewerPlace.ts';
import { useTranslation } from '../../i18n/useTranslation.ts';
import { FileIcon } from '../../ui/FileIcon.tsx';
import { splitName } from '../../ui/fileKind.ts';
import { SendButton } from '../../ui/SendButton.tsx';
import { EmptyState, ErrorState, LoadingRows } from '../../ui/States.tsx';
import { useFormats } from '../../ui/useFormats.ts';
import { useTitle } from '../../ui/useTitle.ts';
import { When } from '../../ui/When.tsx';
import { useGuestText, useLinkState, useShared } from './shared.ts';
import './shared.css';

type Shared = CallOutput<typeof api.sharing.open>;

const ROW_HEIGHT = 61;

const contentOf = (link: string, { id }: SharedDocument) => fillPath(SHARING_STREAMS.content, { link, id });

function DownloadLink({
  link,
  document,
  isSmall,
}: {
  readonly link: string;
  readonly document: SharedDocument;
  readonly isSmall: boolean;
}) {
  const { t } = useTranslation();
  const { base } = splitName(document.name);
  return (
    <a
      className={isSmall ? 'icon-button' : 'button button--primary'}
      href={`${contentOf(link, document)}?download=1`}
      download={base}
      aria-label={isSmall ? t('sharing.downloadOf', { name: base }) : undefined}
    >
      <Download />
      {!isSmall && t('common.download')}
    </a>
  );
}

const viewed = (link: string, document: SharedDocument, allowDownload: boolean): ViewedContent => ({
  key: `${link} ${document.id} ${document.version_number}`,
  name: document.name,
  mime: document.mime,
  size: document.size,
  url: contentOf(link, document),
  downloadUrl: allowDownload ? `${contentOf(link, document)}?download=1` : null,
  isTextOnly: !allowDownload,
});

interface ReaderProps {
  readonly link: string;
  readonly shared: Shared;
  readonly document: SharedDocument;
  readonly viewer: ComponentType<ViewerProps>;
}

/** One shared document to read. */
function Reader({ link, shared, document, viewer: Viewer }: ReaderProps) {
  const { t } = useTranslation();
  const formats = useFormats();
  const { folder, base } = splitName(document.name);
  const place = useViewerPlace();
  const { loadText, error } = useGuestText(link, document.id);
  const isLeaving = useLinkState(error, link);
  useTitle(base);
  return (
    <div className="page">
      <header className="shared__head">
        {shared.kind === 'shelf' && (
          <Link href={paths.shared(link)} className="text-link shared__back">
            <ArrowLeft aria-hidden="true" />
            {shared.shelf}
          </Link>
        )}
        <div className="page__head">
          <div className="shared__titles">
            <FileIcon name={document.name} />
            <h1 className="page__title serif">
              {folder !== '' && <span className="shared__folder">{folder}</span>}
              {base}
            </h1>
            <span className="badge">{t('common.version', { number: document.version_number })}</span>
          </div>
          <div className="page__actions">
            <SendButton title={base} />
            {shared.allow_download ? (
              <DownloadLink link={link} document={document} isSmall={false} />
            ) : (
              <span className="badge badge--info">{t('sharing.viewOnly')}</span>
            )}
          </div>
        </div>
        <p className="muted">
          {formats.size(document.size)} · <When moment={document.updated_at} />
        </p>
      </header>
      <div className="card reader">
        <Suspense fallback={<LoadingRows rows={10} shape="text" />}>
          {isLeaving ? (
            <LoadingRows rows={10} shape="text" />
          ) : (
            <Viewer
              content={viewed(link, document, shared.allow_download)}
              place={place}
              loadText={loadText}
              exportPdf={null}
            />
          )}
        </Suspense>
      </div>
    </div>
  );
}

interface ListProps {
  readonly link: string;
  readonly documents: readonly SharedDocument[];
  readonly isOpen: boolean;
  readonly onEnd: () => void;
}

/** The documents of a shared shelf; only the rows in sight are drawn. */
function DocumentList({ link, documents, isOpen, onEnd }: ListProps) {
  const { t } = useTranslation();
  const formats = useFormats();
  const list = useRef<HTMLUListElement>(null);
  const [offset, setOffset] = useState(0);
  const virtualizer = useWindowVirtualizer({
    count: documents.length,
    estimateSize: () => ROW_HEIGHT,
    overscan: 12,
    scrollMargin: offset,
  });
  useLayoutEffect(() => {
    const top = (list.current?.getBoundingClientRect().top ?? 0) + window.scrollY;
    setOffset((before) => (Math.abs(before - top) < 1 ? before : top));
  });
  const rows = virtualizer.getVirtualItems();
  const isAtEnd = rows.at(-1)?.index === documents.length - 1;
  useEffect(() => {
    if (isAtEnd) onEnd();
  }, [isAtEnd, onEnd]);
  return (
    <ul
      ref={list}
      className="card shared__list"
      aria-label={t('shelf.documents')}
      style={{ height: virtualizer.getTotalSize() }}
    >
      {rows.map(({ index, start }) => {
        const document = documents[index];
        if (document === undefined) return null;
        const { folder, base } = splitName(document.name);
        return (
          <li
            key={document.id}
            ref={virtualizer.measureElement}
            data-index={index}
            className="shared__row"
            style={{ transform: `translateY(${start - offset}px)` }}
          >
            <FileIcon name={document.name} />
            <Link href={paths.shared(link, document.id)} className="shared__name">
              {folder !== '' && <span className="muted">{folder}</span>}
              {base}
            </Link>
            <span className="badge">{t('common.version', { number: document.version_number })}</span>
            <span className="muted nowrap shared__size">{formats.size(document.size)}</span>
            {isOpen && <DownloadLink link={link} document={document} isSmall />}
          </li>
        );
      })}
    </ul>
  );
}

function SharedShelf({ link, shared, documents, onEnd }: Omit<ListProps, 'isOpen'> & { readonly shared: Shared }) {
  const { t } = useTranslation();
  useTitle(shared.shelf);
  return (
    <div className="page">
      <header className="shared__head">
        <div className="page__head">
          <h1 className="page__title serif">{shared.shelf}</h1>
          {!shared.allow_download && <span className="badge badge--info">{t('sharing.viewOnly')}</span>}
        </div>
        <p className="muted">
          {shared.library} · {t('common.documents', { count: shared.count })}
        </p>
      </header>
      {documents.length === 0 ? (
        <div className="card">
          <EmptyState icon={FileUp} title={t('sharing.emptyShelf')} text={t('sharing.emptyShelfText')} />
        </div>
      ) : (
        <DocumentList link={link} documents={documents} isOpen={shared.allow_download} onEnd={onEnd} />
      )}
    </div>
  );
}

export interface SharedPageProps {
  readonly link: string;
  /** Shows a document, a feature of its own. */
  readonly viewer: ComponentType<ViewerProps>;
}

/** `/shared/{link}`: what somebody shared, for whoever has the link. */
export function SharedPage({ link, viewer }: SharedPageProps) {
  const { data, error, isPending, isLoadingError, refetch, hasNextPage, isFetching, fetchNextPage } = useShared(link);
  const isLeaving = useLinkState(error, link);
  const named = new URLSearchParams(useSearch()).get('document');
  const shared = data?.pages[0];
  if (isPending || isLeaving) {
    return (
      <div className="page">
        <LoadingRows />
      </div>
    );
  }
  if (isLoadingError || shared === undefined) return <ErrorState error={error} onRetry={() => void refetch()} />;
  const documents = data.pages.flatMap((page) => page.documents);
  const document = shared.kind === 'shelf' ? documents.find(({ id }) => id === named) : documents[0];
  if (document !== undefined) return <Reader link={link} shared={shared} document={document} viewer={viewer} />;
  const onEnd = () => {
    if (hasNextPage && !isFetching) void fetchNextPage();
  };
  return <SharedShelf link={link} shared={shared} documents={documents} onEnd={onEnd} />;
}
