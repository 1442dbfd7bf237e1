import { Download, GitCompareArrows, RotateCcw, Tag } from 'lucide-react';
import { useState } from 'react';
import { Link } from 'wouter';
import { fillPath } from '../../../shared/api/call.ts';
import { STREAM_ROUTES } from '../../../shared/api/documents.ts';
import type { ShelfDocument, Version } from '../../../shared/model/library.ts';
import { useDocumentHistory } from '../../api/queries.ts';
import { paths } from '../../app/routes.ts';
import { useTranslation } from '../../i18n/useTranslation.ts';
import { Avatar } from '../../ui/Avatar.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { splitName } from '../../ui/fileKind.ts';
import { IconButton } from '../../ui/IconButton.tsx';
import { ErrorState, LoadingRows } from '../../ui/States.tsx';
import { type Formats, useFormats } from '../../ui/useFormats.ts';
import { LabelField } from '../../ui/versions/LabelField.tsx';
import { When } from '../../ui/When.tsx';
import type { DocumentActions } from './documentActions.ts';
import './versions.css';

/** How much larger or smaller a version is than the one before. */
function delta(bytes: number, { size }: Formats): string {
  return bytes === 0 ? '±0' : `${bytes > 0 ? '+' : '−'}${size(Math.abs(bytes))}`;
}

interface RowProps {
  readonly version: Version;
  readonly previous: Version | undefined;
  readonly current: Version | undefined;
  readonly library: string;
  readonly shelfId: string;
  readonly canWrite: boolean;
  readonly actions: DocumentActions;
}

function Row({ version, previous, current, library, shelfId, canWrite, actions }: RowProps) {
  const { t } = useTranslation();
  const formats = useFormats();
  const [isNaming, setNaming] = useState(false);
  const { number } = version;
  return (
    <li className="version-row">
      <div className="version-row__text">
        <p className="version-row__line">
          <Link href={paths.version(library, shelfId, version.id)} className="version-row__link">
            {t('version.heading', { number })}
          </Link>
          {version.is_current && <span className="badge badge--accent">{t('version.current')}</span>}
          {version.label !== null && !isNaming && (
            <span className="badge badge--info version-row__label">
              <Tag aria-hidden="true" />
              {version.label}
            </span>
          )}
        </p>
        <p className="version-row__message">{version.commit_message || t('shelf.noMessage')}</p>
        <p className="version-row__line muted">
          <Avatar name={version.author} />
          <span className="truncated">{version.author}</span>
          <When moment={version.created_at} />
          <span className="nowrap">
            {formats.size(version.size)}
            {previous !== undefined && ` (${delta(version.size - previous.size, formats)})`}
          </span>
        </p>
        {isNaming && (
          <LabelField
            version={version}
            onClose={() => setNaming(false)}
            onSave={(label) => {
              setNaming(false);
              void actions.label(version, label);
            }}
          />
        )}
      </div>
      <div className="version-row__actions">
        {previous !== undefined && (
          <Link
            href={paths.compare(library, shelfId, version.id, previous.id)}
            className="icon-button"
            aria-label={t('files.compareWith', { number, other: previous.number })}
            title={t('files.compareWith', { number, other: previous.number })}
          >
            <GitCompareArrows />
          </Link>
        )}
        <a
          className="icon-button"
          href={fillPath(STREAM_ROUTES.versionDownload, { id: version.id })}
          download={splitName(version.document_name).base}
          aria-label={t('files.downloadVersion', { number })}
          title={t('files.downloadVersion', { number })}
        >
          <Download />
        </a>
        {canWrite && (
          <IconButton label={t('files.nameVersion', { number })} onClick={() => setNaming(true)}>
            <Tag />
          </IconButton>
        )}
        {canWrite && current !== undefined && !version.is_current && (
          <IconButton
            label={t('files.restoreVersion', { number })}
            onClick={() => void actions.restore(version, current)}
          >
            <RotateCcw />
          </IconButton>
        )}
      </div>
    </li>
  );
}

export interface VersionsDialogProps {
  readonly document: ShelfDocument;
  readonly library: string;
  readonly shelfId: string;
  readonly canWrite: boolean;
  readonly actions: DocumentActions;
  readonly onClose: () => void;
}

/** All versions of a document: to open, download, compare, name and restore. */
export function VersionsDialog({ document, library, shelfId, canWrite, actions, onClose }: VersionsDialogProps) {
  const { t } = useTranslation();
  const { data: versions, error, isPending, isLoadingError, refetch } = useDocumentHistory(document.id);
  const current = versions?.find(({ is_current }) => is_current);
  return (
    <Dialog
      title={t('files.versionsOf', { name: splitName(document.name).base })}
      description={canWrite ? t('files.versionsText') : undefined}
      onClose={onClose}
      size="xl"
    >
      {isPending ? (
        <LoadingRows rows={3} />
      ) : isLoadingError ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : (
        <ol className="version-rows">
          {versions.map((version, index) => (
            <Row
              key={version.id}
              version={version}
              previous={versions[index + 1]}
              current={current}
              library={library}
              shelfId={shelfId}
              canWrite={canWrite}
              actions={actions}
            />
          ))}
        </ol>
      )}
    </Dialog>
  );
}
