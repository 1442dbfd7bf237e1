import { Download, FolderDown, Trash2 } from 'lucide-react';
import { memo, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Shelf, ShelfDocument } from '../../../shared/model/library.ts';
import { paths } from '../../app/routes.ts';
import { useServices } from '../../app/services.ts';
import { Avatar } from '../../ui/Avatar.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { splitName } from '../../ui/fileKind.ts';
import { type ItemOutcome, OutcomeDialog } from '../../ui/OutcomeDialog.tsx';
import { type GridTarget, SelectableGrid } from '../../ui/SelectableGrid.tsx';
import { SelectionBar } from '../../ui/SelectionBar.tsx';
import { SortHeader, type SortOrder } from '../../ui/SortHeader.tsx';
import { useSelection } from '../../ui/selection.ts';
import { notify } from '../../ui/toast.ts';
import { useBatch } from '../../ui/useBatch.ts';
import { useErrorText } from '../../ui/useErrorText.ts';
import { useFormats } from '../../ui/useFormats.ts';
import { When } from '../../ui/When.tsx';
import { useFavoriteIds, useStar } from '../favorites/favorites.ts';
import { StarButton } from '../favorites/StarButton.tsx';
import { DocumentMenu, type MenuActions, type ShelfRights } from './DocumentMenu.tsx';
import { DocumentName, NameEditor } from './DocumentName.tsx';
import { useDocumentActions } from './documentActions.ts';
import { VersionsDialog } from './VersionsDialog.tsx';
import { downloadDocument, downloadShelf, downloadZip, ZIP_MOST } from './zip.ts';
import './documents.css';

type Column = 'name' | 'version' | 'changed' | 'size';

/** Each is a commit of its own: so few, that the bar moves and cancelling takes hold at once. */
const DELETED_AT_ONCE = 5;
const BROUGHT_BACK_AT_ONCE = 20;

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

interface BreakLockProps {
  readonly document: ShelfDocument;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
}

function BreakLockDialog({ document, onConfirm, onClose }: BreakLockProps) {
  const { t } = useTranslation();
  return (
    <Dialog
      title={t('files.breakLockTitle', { name: splitName(document.name).base })}
      description={t('files.breakLockText', { name: document.lock?.by ?? '' })}
      onClose={onClose}
      actions={
        <>
          <button type="button" className="button" onClick={onClose}>
            {t('common.cancel')}
          </button>
          <button type="button" className="button button--danger" onClick={onConfirm}>
            {t('files.breakLock')}
          </button>
        </>
      }
    />
  );
}

/** What stands over the list: one at a time. */
type Overlay =
  | { readonly kind: 'versions' | 'break-lock'; readonly document: ShelfDocument }
  | { readonly kind: 'report'; readonly title: string; readonly outcomes: readonly ItemOutcome[] };

export interface DocumentTableProps {
  readonly documents: readonly ShelfDocument[];
  readonly library: string;
  readonly shelf: Shelf;
  readonly rights: ShelfRights;
  /** The document that the address names. */
  readonly target: GridTarget | null;
}

/** The documents of a shelf: sorted, selected, and changed one by one or many at once. */
export function DocumentTable({ documents, library, shelf, rights, target: named }: DocumentTableProps) {
  const { t } = useTranslation();
  const { locale } = useFormats();
  const { client } = useServices();
  const errorText = useErrorText();
  const selection = useSelection();
  const batch = useBatch();
  const favorites = useFavoriteIds();
  const star = useStar();
  const actions = useDocumentActions(shelf.id);
  const zip = useRef<AbortController | null>(null);
  const [isZipping, setZipping] = useState(false);
  const [order, setOrder] = useState<SortOrder<Column>>({ column: 'name', descending: false });
  const [renaming, setRenaming] = useState<string | null>(null);
  const [target, setTarget] = useState<GridTarget | null>(named);
  const [overlay, setOverlay] = useState<Overlay | null>(null);
  const sorted = useMemo(() => {
    const rows = [...documents].sort(compareBy(order.column, locale));
    return order.descending ? rows.reverse() : rows;
  }, [documents, order, locale]);
  const selected = useMemo(() => sorted.filter(({ id }) => selection.ids.has(id)), [sorted, selection]);

  const bringBack = async (gone: readonly ItemOutcome[]) => {
    try {
      const outcomes = await batch.run(gone, BROUGHT_BACK_AT_ONCE, actions.bringBack);
      if (outcomes.some(({ problem }) => problem !== null)) {
        setOverlay({ kind: 'report', title: t('files.restoreReport'), outcomes });
      }
    } catch (error) {
      notify(errorText(error), 'error');
    }
    await actions.refresh();
  };
  const remove = async (targets: readonly ShelfDocument[]) => {
    const outcomes = await batch.run(targets, DELETED_AT_ONCE, actions.remove);
    const gone = outcomes.filter(({ problem }) => problem === null);
    selection.clear();
    if (gone.length > 0) {
      notify(t('files.deleted', { count: gone.length, name: splitName(gone[0]?.name ?? '').base }), 'success', {
        label: t('files.undo'),
        run: () => void bringBack(gone),
      });
    }
    const [first] = outcomes;
    if (targets.length === 1 && first !== undefined && first.problem !== null) notify(first.problem, 'error');
    else if (gone.length < outcomes.length) setOverlay({ kind: 'report', title: t('files.deleteReport'), outcomes });
    await actions.refresh();
  };
  const download = async () => {
    const [first] = selected;
    if (first === undefined) return;
    if (selected.length === 1) downloadDocument(first.id, splitName(first.name).base);
    else if (selected.length === shelf.document_count) downloadShelf(library, shelf.id, shelf.name);
    else if (selected.length > ZIP_MOST) notify(t('files.zipTooMany', { most: ZIP_MOST }), 'warning');
    else {
      zip.current = new AbortController();
      setZipping(true);
      const ids = selected.map(({ id }) => id);
      await downloadZip(client, ids, shelf.name, zip.current.signal).catch((error: unknown) => {
        if (zip.current?.signal.aborted !== true) notify(errorText(error), 'error');
      });
      setZipping(false);
    }
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: what these do depends on the shelf alone, and rows are drawn by them
  const menuActions = useMemo<MenuActions>(
    () => ({
      rename: ({ id }) => setRenaming(id),
      remove: (document) => void remove([document]),
      versions: (document) => setOverlay({ kind: 'versions', document }),
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
      if (rights.canWrite && batch.progress === null) void remove(selected.length > 0 ? selected : [document]);
    },
  };
  const sort = { order, onSort: setOrder };
  const isBarShown = selected.length > 0 || (batch.progress?.total ?? 0) > 1;

  return (
    <>
      <SelectableGrid
        label={t('shelf.documents')}
        className="documents"
        items={sorted}
        selection={selection}
        target={target}
        actions={keys}
        head={
          <>
            <SortHeader {...sort} column="name" label={t('shelf.columnName')} className="documents__head-name" />
            <SortHeader
              {...sort}
              column="version"
              label={t('shelf.columnVersion')}
              className="documents__version"
              largestFirst
            />
            <SortHeader
              {...sort}
              column="changed"
              label={t('shelf.columnChanged')}
              className="documents__who"
              largestFirst
            />
            <SortHeader
              {...sort}
              column="size"
              label={t('shelf.columnSize')}
              className="documents__size"
              largestFirst
            />
            <td />
          </>
        }
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
        <SelectionBar count={selected.length} onClear={selection.clear} progress={batch.progress}>
          <button type="button" className="button" onClick={() => (isZipping ? zip.current?.abort() : void download())}>
            {isZipping ? <span className="spinner" /> : selected.length === 1 ? <Download /> : <FolderDown />}
            {isZipping ? t('files.zipCancel') : selected.length === 1 ? t('common.download') : t('files.zip')}
          </button>
          {rights.canWrite && (
            <button type="button" className="button button--danger" onClick={() => void remove(selected)}>
              <Trash2 />
              {t('files.delete')}
            </button>
          )}
        </SelectionBar>
      )}
      {overlay?.kind === 'versions' && (
        <VersionsDialog
          document={overlay.document}
          library={library}
          shelfId={shelf.id}
          canWrite={rights.canWrite}
          actions={actions}
          onClose={closeOverlay}
        />
      )}
      {overlay?.kind === 'break-lock' && (
        <BreakLockDialog
          document={overlay.document}
          onClose={closeOverlay}
          onConfirm={() => {
            closeOverlay();
            void actions.giveBack(overlay.document);
          }}
        />
      )}
      {overlay?.kind === 'report' && (
        <OutcomeDialog
          title={overlay.title}
          summary={t('files.reportSummary', {
            done: overlay.outcomes.filter(({ problem }) => problem === null).length,
            total: overlay.outcomes.length,
          })}
          outcomes={overlay.outcomes}
          onClose={closeOverlay}
        />
      )}
    </>
  );
}
