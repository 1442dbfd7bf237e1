import { RotateCcw, Trash2 } from 'lucide-react';
import { Link } from 'wouter';
import type { DeletedDocument } from '../../../shared/api/trash.ts';
import { paths } from '../../app/routes.ts';
import { useTranslation } from '../../i18n/useTranslation.ts';
import { Avatar } from '../../ui/Avatar.tsx';
import { FileIcon } from '../../ui/FileIcon.tsx';
import { splitName } from '../../ui/fileKind.ts';
import { isPhoneLayout } from '../../ui/layoutKind.ts';
import { useFormats, useNow } from '../../ui/useFormats.ts';
import { When } from '../../ui/When.tsx';

const DAY_MS = 24 * 3600_000;
/** Fewer days than this are worth a warning. */
const SOON_DAYS = 7;

function DaysLeft({ until }: { readonly until: string }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const days = Math.max(0, Math.ceil((Date.parse(until) - useNow()) / DAY_MS));
  return (
    <span className={days < SOON_DAYS ? 'badge badge--warning' : 'badge'} title={formats.dateTime(until)}>
      {t('files.daysLeft', { count: days })}
    </span>
  );
}

export interface TrashCellsProps {
  readonly document: DeletedDocument;
  readonly tabIndex: 0 | -1;
  readonly onRestore: () => void;
  readonly onRemove: () => void;
}

/** Where a deleted document was, who deleted it when, and how long it is kept. */
export function TrashCells({ document, tabIndex, onRestore, onRemove }: TrashCellsProps) {
  const { t } = useTranslation();
  const { name, library, shelf, shelf_id, shelf_deleted } = document;
  const { folder, base } = splitName(name);
  const place = `${library} / ${shelf}`;
  return (
    <>
      <td className="grid__name">
        <FileIcon name={name} />
        {shelf_deleted ? (
          <span className="trash__name" title={name} data-focus="" tabIndex={tabIndex}>
            {name}
          </span>
        ) : (
          <Link
            href={paths.version(library, shelf_id, document.current_version_id)}
            className="grid__link"
            title={name}
            data-focus=""
            tabIndex={tabIndex}
          >
            {folder !== '' && <span className="trash__folder">{folder}</span>}
            {base}
          </Link>
        )}
      </td>
      <td className="trash__path grid__small">
        {shelf_deleted ? (
          <>
            {place} · {t('files.shelfDeleted')}
          </>
        ) : isPhoneLayout() ? (
          // Lines of a row are too near to each other for two links.
          place
        ) : (
          <Link href={paths.shelf(library, shelf_id)} className="trash__place" tabIndex={tabIndex}>
            {place}
          </Link>
        )}
      </td>
      <td className="trash__who">
        <Avatar name={document.deleted_by} />
        <span className="truncated">{document.deleted_by}</span>
      </td>
      <td className="trash__when">
        <When moment={document.deleted_at} />
      </td>
      <td className="trash__left">
        <DaysLeft until={document.expires_at} />
      </td>
      <td className="grid__actions">
        {document.can_restore && (
          <button
            type="button"
            className="icon-button"
            tabIndex={tabIndex}
            aria-label={t('files.restoreOf', { name })}
            title={t('files.restore')}
            onClick={onRestore}
          >
            <RotateCcw />
          </button>
        )}
        {document.can_delete && (
          <button
            type="button"
            className="icon-button"
            tabIndex={tabIndex}
            aria-label={t('files.removeOf', { name })}
            title={t('files.remove')}
            onClick={onRemove}
          >
            <Trash2 />
          </button>
        )}
      </td>
    </>
  );
}
