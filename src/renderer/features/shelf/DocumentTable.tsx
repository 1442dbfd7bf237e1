import type { TFunction } from 'i18next';
import { Download as DownloadIcon, FolderDown, Trash2 } from 'lucide-react';
import { memo, useCallback, useEffect, useMemo, useState } from 'react';
import type { Shelf, ShelfDocument } from '../../../shared/model/library.ts';
import { useFavoriteIds, useStar } from '../../api/favorites.ts';
import { navigate } from '../../app/place.ts';
import { paths } from '../../app/routes.ts';
import { useTranslation } from '../../i18n/useTranslation.ts';
import { Avatar } from '../../ui/Avatar.tsx';
import { type GridTarget, SelectableGrid } from '../../ui/SelectableGrid.tsx';
import { SelectionBar } from '../../ui/SelectionBar.tsx';
import { SortHeader, type SortOrder } from '../../ui/SortHeader.tsx';
import { RowStar } from '../../ui/StarButton.tsx';
import { useSelection } from '../../ui/selection.ts';
import { type Formats, useFormats } from '../../ui/useFormats.ts';
import { Moment } from '../../ui/When.tsx';
import { DocumentMenu, type MenuActions, type ShelfRights } from './DocumentMenu.tsx';
import { DocumentName, NameEditor } from './DocumentName.tsx';
import { DocumentOverlay, type Overlay } from './DocumentOverlay.tsx';
import { useDocumentActions } from './documentActions.ts';
import type { Column, OrderedDocuments } from './documentOrder.ts';
import { useExportPdf } from './exportPdf.ts';
import { type Download, useDownload, useRemoval } from './manyDocuments.ts';
import './documents.css';

interface CellsProps {
  readonly document: ShelfDocument;
  readonly href: string;
  readonly isFavorite: boolean;
  readonly onStar: (document: ShelfDocument, isFavorite: boolean) => void;
  readonly rights: ShelfRights;
  readonly actions: MenuActions;
  readonly tabIndex: 0 | -1;
  /** The table's own: many rows are drawn while a list scrolls, and each hook in them counts. */
  readonly t: TFunction;
  readonly formats: Formats;
}

/** The cells after the name. */
function Cells({ document, href, isFavorite, onStar, rights, actions, tabIndex, t, formats }: CellsProps) {
  return (
    <>
      <td className="documents__version">
        <span className="badge">{t('common.version', { number: document.current_version })}</span>
      </td>
      <td className="documents__who" title={document.commit_message || undefined}>
        <Avatar name={document.author} />
        <span className="truncated">{document.author}</span>
        <span className="documents__when">
          <Moment moment={document.updated_at} formats={formats} />
        </span>
      </td>
      <td className="documents__size">{formats.size(document.size)}</td>
      <td className="grid__actions">
        <RowStar
          name={document.name}
          isFavorite={isFavorite}
          onToggle={() => onStar(document, !isFavorite)}
          tabIndex={tabIndex}
          t={t}
        />
        <DocumentMenu
          label={t('shelf.actions', { name: document.name })}
          document={document}
          href={href}
          rights={rights}
          actions={actions}
          tabIndex={tabIndex}
        />
      </td>
    </>
  );
}

interface DownloadButtonProps {
  readonly download: Download;
  readonly documents: readonly ShelfDocument[];
}

function DownloadButton({ download, documents }: DownloadButtonProps) {
  const { t } = useTranslation();
  if (download.isWaiting) {
    return (
      <button type="button" className="button" onClick={download.cancel}>
        <span className="spinner" />
        {t('files.zipCancel')}
      </button>
    );
  }
  const isOne = documents.length === 1;
  return (
    <button type="button" className="button" onClick={() => void download.start(documents)}>
      {isOne ? <DownloadIcon /> : <FolderDown />}
      {isOne ? t('common.download') : t('files.zip')}
    </button>
  );
}

interface HeadProps {
  readonly order: SortOrder<Column>;
  readonly onSort: (order: SortOrder<Column>) => void;
}

function Head(sort: HeadProps) {
  const { t } = useTranslation();
  return (
    <>
      <SortHeader {...sort} column="name" label={t('shelf.columnName')} className="documents__head-name" />
      <SortHeader
        {...sort}
        column="version"
        label={t('shelf.columnVersion')}
        className="documents__version"
        largestFirst
      />
      <SortHeader {...sort} column="changed" label={t('shelf.columnChanged')} className="documents__who" largestFirst />
      <SortHeader {...sort} column="size" label={t('shelf.columnSize')} className="documents__size" largestFirst />
      <td />
    </>
  );
}

export interface DocumentTableProps {
  readonly documents: OrderedDocuments;
  /** How many there will be, as soon as all are there. */
  readonly total: number;
  readonly library: string;
  readonly shelf: Shelf;
  readonly rights: ShelfRights;
  /** The document that the address names. */
  readonly target: GridTarget | null;
}

/** The documents of a shelf: sorted, selected, and changed one by one or many at once. */
export const DocumentTable = memo(function DocumentTable(props: DocumentTableProps) {
  const { documents, total, library, shelf, rights, target: named } = props;
  const { t } = useTranslation();
  const formats = useFormats();
  const { shown, order, onSort } = documents;
  const selection = useSelection();
  const favorites = useFavoriteIds();
  const star = useStar();
  const actions = useDocumentActions(shelf.id);
  const [renaming, setRenaming] = useState<string | null>(null);
  const [target, setTarget] = useState<GridTarget | null>(named);
  const [overlay, setOverlay] = useState<Overlay | null>(null);
  const download = useDownload(library, shelf);
  const exportPdf = useExportPdf();
  const { progress, remove } = useRemoval(actions, (title, outcomes) =>
    setOverlay({ kind: 'report', title, outcomes }),
  );
  // A link to another document of the shelf that is open already.
  useEffect(() => setTarget(named), [named]);
  const selected = useMemo(
    () => (selection.ids.size === 0 ? [] : shown.filter(({ id }) => selection.ids.has(id))),
    [shown, selection],
  );

  // biome-ignore lint/correctness/useExhaustiveDependencies: what these do depends on the shelf alone, and rows are drawn by them
  const menuActions = useMemo<MenuActions>(
    () => ({
      rename: ({ id }) => setRenaming(id),
      remove: (document) => void remove([document]),
      exportPdf: (document) => void exportPdf(document),
      versions: (document) => setOverlay({ kind: 'versions', document }),
      comments: ({ id }) => navigate(paths.comments(library, shelf.id, id)),
      checkOut: (document) => void actions.checkOut(document),
      giveBack: (document) => void actions.giveBack(document),
      breakLock: (document) => setOverlay({ kind: 'break-lock', document }),
    }),
    [actions],
  );
  // biome-ignore lint/correctness/useExhaustiveDependencies: as above
  const onStar = useMemo(
    () => (document: ShelfDocument, isFavorite: boolean) => {
      const { id, name } = document;
      star([{ kind: 'document', id, name, library: shelf.library, shelf: shelf.name, shelf_id: shelf.id }], isFavorite);
    },
    [shelf.id],
  );
  const closeOverlay = () => {
    if (overlay !== null && overlay.kind !== 'report') setTarget({ id: overlay.document.id });
    setOverlay(null);
  };
  const keys = {
    F2: ({ id }: ShelfDocument) => rights.canWrite && setRenaming(id),
    Delete: (document: ShelfDocument) => {
      if (rights.canWrite && progress === null) void remove(selected.length > 0 ? selected : [document]);
    },
  };
  // The same function while nothing changes that all rows show: another one has them drawn again.
  const cells = useCallback(
    (document: ShelfDocument, tabIndex: 0 | -1, isWhole: boolean) => {
      const href = paths.version(library, shelf.id, document.current_version_id);
      const endRename = () => {
        setRenaming(null);
        setTarget({ id: document.id });
      };
      return (
        <>
          {renaming === document.id ? (
            <NameEditor document={document} onRename={(name) => actions.rename(document, name)} onClose={endRename} />
          ) : (
            <DocumentName document={document} href={href} tabIndex={tabIndex} isWhole={isWhole} />
          )}
          {isWhole && (
            <Cells
              document={document}
              href={href}
              isFavorite={favorites.has(document.id)}
              onStar={onStar}
              rights={rights}
              actions={menuActions}
              tabIndex={tabIndex}
              t={t}
              formats={formats}
            />
          )}
        </>
      );
    },
    [t, formats, library, shelf.id, renaming, actions, favorites, onStar, rights, menuActions],
  );
  const isBarShown = selected.length > 0 || (progress?.total ?? 0) > 1;

  return (
    <>
      <SelectableGrid
        label={t('shelf.documents')}
        className="documents"
        items={shown}
        total={total}
        selection={selection}
        target={target}
        actions={keys}
        head={<Head order={order} onSort={onSort} />}
        cells={cells}
      />
      {isBarShown && (
        <SelectionBar count={selected.length} onClear={selection.clear} progress={progress}>
          <DownloadButton download={download} documents={selected} />
          {rights.canWrite && (
            <button type="button" className="button button--danger" onClick={() => void remove(selected)}>
              <Trash2 />
              {t('files.delete')}
            </button>
          )}
        </SelectionBar>
      )}
      {overlay !== null && (
        <DocumentOverlay
          overlay={overlay}
          library={library}
          shelfId={shelf.id}
          canWrite={rights.canWrite}
          actions={actions}
          onClose={closeOverlay}
        />
      )}
    </>
  );
});
