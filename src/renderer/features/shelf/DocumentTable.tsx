import { Download as DownloadIcon, FolderDown, Trash2 } from 'lucide-react';
import { memo, useEffect, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { navigate } from 'wouter/use-browser-location';
import type { Shelf, ShelfDocument } from '../../../shared/model/library.ts';
import { useFavoriteIds, useStar } from '../../api/favorites.ts';
import { paths } from '../../app/routes.ts';
import { Avatar } from '../../ui/Avatar.tsx';
import { type GridTarget, SelectableGrid } from '../../ui/SelectableGrid.tsx';
import { SelectionBar } from '../../ui/SelectionBar.tsx';
import { SortHeader, type SortOrder } from '../../ui/SortHeader.tsx';
import { StarButton } from '../../ui/StarButton.tsx';
import { useSelection } from '../../ui/selection.ts';
import { useFormats } from '../../ui/useFormats.ts';
import { When } from '../../ui/When.tsx';
import { DocumentMenu, type MenuActions, type ShelfRights } from './DocumentMenu.tsx';
import { DocumentName, NameEditor } from './DocumentName.tsx';
import { DocumentOverlay, type Overlay } from './DocumentOverlay.tsx';
import { useDocumentActions } from './documentActions.ts';
import { useExportPdf } from './exportPdf.ts';
import { type Download, useDownload, useRemoval } from './manyDocuments.ts';
import './documents.css';

type Column = 'name' | 'version' | 'changed' | 'size';

function compareBy(column: Column, locale: string): (a: ShelfDocument, b: ShelfDocument) => number {
  if (column === 'size') return (a, b) => a.size - b.size;
  if (column === 'version') return (a, b) => a.current_version - b.current_version;
  if (column === 'changed') return (a, b) => (a.updated_at < b.updated_at ? -1 : Number(a.updated_at > b.updated_at));
  const { compare } = new Intl.Collator(locale, { numeric: true, sensitivity: 'base' });
  return (a, b) => compare(a.name, b.name);
}

interface CellsProps {
  readonly document: ShelfDocument;
  readonly href: string;
  readonly isFavorite: boolean;
  readonly onStar: (document: ShelfDocument, isFavorite: boolean) => void;
  readonly rights: ShelfRights;
  readonly actions: MenuActions;
  readonly tabIndex: 0 | -1;
}

/** The cells after the name. Drawn again only when the document changes: scrolling draws many rows. */
const Cells = memo(function Cells({ document, href, isFavorite, onStar, rights, actions, tabIndex }: CellsProps) {
  const { t } = useTranslation();
  const formats = useFormats();
  return (
    <>
      <td className="documents__version">
        <span className="badge">{t('common.version', { number: document.current_version })}</span>
      </td>
      <td className="documents__who" title={document.commit_message || undefined}>
        <Avatar name={document.author} />
        <span className="truncated">{document.author}</span>
        <span className="documents__when">
          <When moment={document.updated_at} />
        </span>
      </td>
      <td className="documents__size">{formats.size(document.size)}</td>
      <td className="grid__actions">
        <StarButton
          name={document.name}
          isFavorite={isFavorite}
          onToggle={() => onStar(document, !isFavorite)}
          tabIndex={tabIndex}
        />
        <DocumentMenu document={document} href={href} rights={rights} actions={actions} tabIndex={tabIndex} />
      </td>
    </>
  );
});

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
  readonly documents: readonly ShelfDocument[];
  /** Those of them that are shown. */
  readonly shown: readonly ShelfDocument[];
  readonly library: string;
  readonly shelf: Shelf;
  readonly rights: ShelfRights;
  /** The document that the address names. */
  readonly target: GridTarget | null;
}

/** The documents of a shelf: sorted, selected, and changed one by one or many at once. */
export function DocumentTable({ documents, shown, library, shelf, rights, target: named }: DocumentTableProps) {
  const { t } = useTranslation();
  const { locale } = useFormats();
  const selection = useSelection();
  const favorites = useFavoriteIds();
  const star = useStar();
  const actions = useDocumentActions(shelf.id);
  const [order, setOrder] = useState<SortOrder<Column>>({ column: 'name', descending: false });
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
  const all = useMemo(() => {
    const rows = [...documents].sort(compareBy(order.column, locale));
    return order.descending ? rows.reverse() : rows;
  }, [documents, order, locale]);
  // Sorting very many takes long, so that it is not done again for what is typed into the filter.
  const sorted = useMemo(() => {
    if (shown.length === all.length) return all;
    const ids = new Set(shown.map(({ id }) => id));
    return all.filter(({ id }) => ids.has(id));
  }, [all, shown]);
  const selected = useMemo(() => sorted.filter(({ id }) => selection.ids.has(id)), [sorted, selection]);

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
  const endRename = (id: string) => {
    setRenaming(null);
    setTarget({ id });
  };
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
  const isBarShown = selected.length > 0 || (progress?.total ?? 0) > 1;

  return (
    <>
      <SelectableGrid
        label={t('shelf.documents')}
        className="documents"
        items={sorted}
        selection={selection}
        target={target}
        actions={keys}
        head={<Head order={order} onSort={setOrder} />}
        cells={(document, tabIndex) => {
          const href = paths.version(library, shelf.id, document.current_version_id);
          return (
            <>
              {renaming === document.id ? (
                <NameEditor
                  document={document}
                  onRename={(name) => actions.rename(document, name)}
                  onClose={() => endRename(document.id)}
                />
              ) : (
                <DocumentName document={document} href={href} tabIndex={tabIndex} />
              )}
              <Cells
                document={document}
                href={href}
                isFavorite={favorites.has(document.id)}
                onStar={onStar}
                rights={rights}
                actions={menuActions}
                tabIndex={tabIndex}
              />
            </>
          );
        }}
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
}
