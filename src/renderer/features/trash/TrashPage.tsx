import { RotateCcw, SearchX, Trash2 } from 'lucide-react';
import { useCallback, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import type { DeletedDocument } from '../../../shared/api/trash.ts';
import { conflictName } from '../../../shared/rules/conflictName.ts';
import { LIMITS } from '../../../shared/rules/limits.ts';
import { useLibraries } from '../../api/queries.ts';
import { paths } from '../../app/routes.ts';
import { useSession } from '../../app/services.ts';
import { Avatar } from '../../ui/Avatar.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { FileIcon } from '../../ui/FileIcon.tsx';
import { splitName } from '../../ui/fileKind.ts';
import { useDebounced } from '../../ui/nameCheck.ts';
import { type ItemOutcome, OutcomeDialog } from '../../ui/OutcomeDialog.tsx';
import { SelectableGrid } from '../../ui/SelectableGrid.tsx';
import { SelectionBar } from '../../ui/SelectionBar.tsx';
import { SortHeader, type SortOrder } from '../../ui/SortHeader.tsx';
import { EmptyState, ErrorState, LoadingRows } from '../../ui/States.tsx';
import { useSelection } from '../../ui/selection.ts';
import { notify } from '../../ui/toast.ts';
import { useBatch } from '../../ui/useBatch.ts';
import { useFormats, useNow } from '../../ui/useFormats.ts';
import { useTitle } from '../../ui/useTitle.ts';
import { When } from '../../ui/When.tsx';
import { type TrashColumn, useTrash, useTrashActions } from './trash.ts';
import './trash.css';

const DAY_MS = 24 * 3600_000;
/** Fewer days than this are worth a warning. */
const SOON_DAYS = 7;
const CHANGED_AT_ONCE = 20;
/** So many are asked for at once, that selecting all means all of them; the rest comes with scrolling. */
const LOADED_AHEAD = 1000;
const SEARCH_IN = ['name', 'text'] as const;
type SearchIn = (typeof SEARCH_IN)[number];

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

interface CellsProps {
  readonly document: DeletedDocument;
  readonly tabIndex: 0 | -1;
  readonly onRestore: () => void;
  readonly onRemove: () => void;
}

function Cells({ document, tabIndex, onRestore, onRemove }: CellsProps) {
  const { t } = useTranslation();
  const { name, library, shelf, shelf_id, shelf_deleted } = document;
  const { folder, base } = splitName(name);
  const place = `${library} / ${shelf}`;
  return (
    <>
      <td className="grid__name">
        <FileIcon name={name} />
        {shelf_deleted ? (
          <span className="trash__name" data-focus="" tabIndex={tabIndex}>
            {name}
          </span>
        ) : (
          <Link
            href={paths.version(library, shelf_id, document.current_version_id)}
            className="grid__link"
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

interface RemoveDialogProps {
  readonly documents: readonly DeletedDocument[];
  readonly onConfirm: () => void;
  readonly onClose: () => void;
}

function RemoveDialog({ documents, onConfirm, onClose }: RemoveDialogProps) {
  const { t } = useTranslation();
  const formats = useFormats();
  const count = documents.length;
  const versions = documents.reduce((sum, { version_count }) => sum + version_count, 0);
  return (
    <Dialog
      title={t('files.removeTitle', { count, name: splitName(documents[0]?.name ?? '').base })}
      description={t('files.removeText', { count: versions, number: formats.number(versions) })}
      onClose={onClose}
      actions={
        <>
          <button type="button" className="button" onClick={onClose}>
            {t('common.cancel')}
          </button>
          <button type="button" className="button button--danger" onClick={onConfirm}>
            {t('files.removeMany', { count })}
          </button>
        </>
      }
    />
  );
}

interface Report {
  readonly kind: 'restore' | 'remove';
  readonly outcomes: readonly ItemOutcome[];
}

/** `/trash`: what was deleted, where it was, who deleted it, and how long it can still be brought back. */
export function TrashPage() {
  const { t } = useTranslation();
  const username = useSession(({ user }) => user?.username ?? '');
  const { data: libraries = [] } = useLibraries();
  const selection = useSelection();
  const batch = useBatch();
  const actions = useTrashActions();
  const [words, setWords] = useState('');
  const [searchIn, setSearchIn] = useState<SearchIn>('name');
  const [library, setLibrary] = useState('');
  const [order, setOrder] = useState<SortOrder<TrashColumn>>({ column: 'deleted_at', descending: true });
  const [doomed, setDoomed] = useState<readonly DeletedDocument[] | null>(null);
  const [report, setReport] = useState<Report | null>(null);
  const settled = useDebounced(words, LIMITS.searchDebounceMs).trim();
  const query = {
    name: searchIn === 'name' ? settled : '',
    text: searchIn === 'text' && settled.length >= LIMITS.searchMinLength ? settled : '',
    library,
    sort: order.column,
    order: order.descending ? 'desc' : 'asc',
  } as const;
  const found = useTrash(query);
  const { data, error, isPending, isLoadingError, isFetching, refetch, hasNextPage, fetchNextPage } = found;
  const hasFailed = found.isFetchNextPageError;
  useTitle(t('files.trash'));

  const documents = data?.pages.flatMap((page) => page.documents) ?? [];
  const count = data?.pages[0]?.count ?? 0;
  const selected = documents.filter(({ id }) => selection.ids.has(id));
  const isFiltered = query.name !== '' || query.text !== '' || library !== '';
  const onEnd = useCallback(() => {
    if (hasNextPage && !isFetching && !hasFailed) void fetchNextPage();
  }, [hasNextPage, isFetching, hasFailed, fetchNextPage]);
  useEffect(() => {
    if (documents.length < LOADED_AHEAD) onEnd();
  }, [documents.length, onEnd]);

  const finish = async (kind: Report['kind'], outcomes: readonly ItemOutcome[]) => {
    selection.clear();
    if (outcomes.length === 0) return;
    const done = outcomes.filter(({ problem }) => problem === null).length;
    if (outcomes.length > 1 || done < outcomes.length) setReport({ kind, outcomes });
    else notify(t(`files.${kind}Done`, { name: splitName(outcomes[0]?.name ?? '').base }));
    await actions.refresh();
  };
  const restore = async (targets: readonly DeletedDocument[]) => {
    const able = targets.filter(({ can_restore }) => can_restore);
    if (able.length > 0) await finish('restore', await batch.run(able, CHANGED_AT_ONCE, actions.restore));
  };
  const remove = async (targets: readonly DeletedDocument[]) => {
    setDoomed(null);
    await finish('remove', await batch.run(targets, CHANGED_AT_ONCE, actions.remove));
  };
  const askToRemove = (targets: readonly DeletedDocument[]) => {
    const able = targets.filter(({ can_delete }) => can_delete);
    if (able.length > 0 && batch.progress === null) setDoomed(able);
  };
  const restoreAs = async ({ id, name }: ItemOutcome) => {
    const outcome = await actions.restoreAs(id, conflictName(name, username, new Date()));
    setReport(
      (shown) => shown && { ...shown, outcomes: shown.outcomes.map((each) => (each.id === id ? outcome : each)) },
    );
    await actions.refresh();
  };
  const clearFilters = () => {
    setWords('');
    setLibrary('');
  };
  const sort = { order, onSort: setOrder };
  const canRemove = selected.some(({ can_delete }) => can_delete);
  const canRestore = selected.some(({ can_restore }) => can_restore);

  return (
    <div className="page">
      <header className="page__head">
        <h1 className="page__title serif">{t('files.trash')}</h1>
        {count > 0 && (
          <span className="muted" role="status">
            {t('common.documents', { count })}
          </span>
        )}
      </header>
      {(count > 0 || isFiltered || words !== '') && (
        <div className="grid-tools">
          <input
            type="search"
            className="input grid-tools__filter"
            aria-label={t('files.searchTrash')}
            placeholder={t('files.searchTrash')}
            maxLength={LIMITS.searchMaxLength}
            value={words}
            onChange={(event) => setWords(event.target.value)}
          />
          <select
            className="input select grid-tools__select"
            aria-label={t('files.searchIn')}
            value={searchIn}
            onChange={(event) => setSearchIn(SEARCH_IN.find((each) => each === event.target.value) ?? 'name')}
          >
            {SEARCH_IN.map((each) => (
              <option key={each} value={each}>
                {t(`files.searchIn_${each}`)}
              </option>
            ))}
          </select>
          <select
            className="input select grid-tools__select"
            aria-label={t('files.library')}
            value={library}
            onChange={(event) => setLibrary(event.target.value)}
          >
            <option value="">{t('library.all')}</option>
            {libraries.map(({ id, name }) => (
              <option key={id} value={name}>
                {name}
              </option>
            ))}
          </select>
          {found.isPlaceholderData && <span className="spinner" role="status" aria-label={t('search.searching')} />}
        </div>
      )}
      {isPending ? (
        <div className="card">
          <LoadingRows />
        </div>
      ) : isLoadingError ? (
        <div className="card">
          <ErrorState error={error} onRetry={() => void refetch()} />
        </div>
      ) : documents.length === 0 && isFiltered ? (
        <div className="card">
          <EmptyState icon={SearchX} title={t('files.noTrashMatch')}>
            <button type="button" className="button" onClick={clearFilters}>
              {t('files.clearFilters')}
            </button>
          </EmptyState>
        </div>
      ) : documents.length === 0 ? (
        <div className="card">
          <EmptyState icon={Trash2} title={t('files.noTrash')} text={t('files.noTrashText')}>
            <Link href={paths.user(username)} className="button">
              {t('nav.myLibraries')}
            </Link>
          </EmptyState>
        </div>
      ) : (
        <SelectableGrid
          label={t('files.trash')}
          className="trash"
          items={documents}
          selection={selection}
          onEnd={onEnd}
          actions={{ Delete: (document) => askToRemove(selected.length > 0 ? selected : [document]) }}
          head={
            <>
              <SortHeader {...sort} column="name" label={t('shelf.columnName')} className="trash__head-name" />
              <SortHeader {...sort} column="path" label={t('files.columnPath')} className="trash__path" />
              <SortHeader {...sort} column="deleted_by" label={t('files.columnDeletedBy')} className="trash__who" />
              <SortHeader
                {...sort}
                column="deleted_at"
                label={t('files.columnDeleted')}
                className="trash__when"
                largestFirst
              />
              <th scope="col" className="trash__left">
                {t('files.columnLeft')}
              </th>
              <td />
            </>
          }
          cells={(document, tabIndex) => (
            <Cells
              document={document}
              tabIndex={tabIndex}
              onRestore={() => void restore([document])}
              onRemove={() => askToRemove([document])}
            />
          )}
        />
      )}
      {hasFailed && <ErrorState error={error} onRetry={() => void fetchNextPage()} />}
      {(selected.length > 0 || (batch.progress?.total ?? 0) > 1) && (
        <SelectionBar count={selected.length} onClear={selection.clear} progress={batch.progress}>
          {canRestore && (
            <button type="button" className="button" onClick={() => void restore(selected)}>
              <RotateCcw />
              {t('files.restore')}
            </button>
          )}
          {canRemove && (
            <button type="button" className="button button--danger" onClick={() => askToRemove(selected)}>
              <Trash2 />
              {t('files.remove')}
            </button>
          )}
        </SelectionBar>
      )}
      {doomed !== null && (
        <RemoveDialog documents={doomed} onClose={() => setDoomed(null)} onConfirm={() => void remove(doomed)} />
      )}
      {report !== null && (
        <OutcomeDialog
          title={report.kind === 'restore' ? t('files.restoreReport') : t('files.removeReport')}
          summary={t('files.reportSummary', {
            done: report.outcomes.filter(({ problem }) => problem === null).length,
            total: report.outcomes.length,
          })}
          outcomes={report.outcomes}
          onClose={() => setReport(null)}
          remedy={(outcome) =>
            report.kind === 'restore' &&
            outcome.code === 'name-taken' && (
              <button type="button" className="button button--small" onClick={() => void restoreAs(outcome)}>
                {t('files.restoreAs')}
              </button>
            )
          }
        />
      )}
    </div>
  );
}
