import { RotateCcw, SearchX, Trash2 } from 'lucide-react';
import { useCallback, useEffect, useMemo, useState } from 'react';
import { Link } from 'wouter';
import type { DeletedDocument } from '../../../shared/api/trash.ts';
import { conflictName } from '../../../shared/rules/conflictName.ts';
import { LIMITS } from '../../../shared/rules/limits.ts';
import { paths } from '../../app/routes.ts';
import { useSession } from '../../app/services.ts';
import { useTranslation } from '../../i18n/useTranslation.ts';
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
import { useTitle } from '../../ui/useTitle.ts';
import { RemoveDialog } from './RemoveDialog.tsx';
import { TrashCells } from './TrashCells.tsx';
import { NO_FILTER, type TrashFilter, TrashTools } from './TrashTools.tsx';
import { type TrashColumn, useTrash, useTrashActions } from './trash.ts';
import './trash.css';

const CHANGED_AT_ONCE = 20;
/** So many are asked for at once, that selecting all means all of them; the rest comes with scrolling. */
const LOADED_AHEAD = 1000;

interface Report {
  readonly kind: 'restore' | 'remove';
  readonly outcomes: readonly ItemOutcome[];
}

/** `/trash`: what was deleted, where it was, who deleted it, and how long it can still be brought back. */
export function TrashPage() {
  const { t } = useTranslation();
  const username = useSession(({ user }) => user?.username ?? '');
  const selection = useSelection();
  const batch = useBatch();
  const actions = useTrashActions();
  const [filter, setFilter] = useState<TrashFilter>(NO_FILTER);
  const [order, setOrder] = useState<SortOrder<TrashColumn>>({ column: 'deleted_at', descending: true });
  const [doomed, setDoomed] = useState<readonly DeletedDocument[] | null>(null);
  const [report, setReport] = useState<Report | null>(null);
  const { library, searchIn } = filter;
  const settled = useDebounced(filter.words, LIMITS.searchDebounceMs).trim();
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
  useTitle(t('nav.trash'));

  const documents = useMemo(() => data?.pages.flatMap((page) => page.documents) ?? [], [data]);
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
  const sort = { order, onSort: setOrder };
  const canRemove = selected.some(({ can_delete }) => can_delete);
  const canRestore = selected.some(({ can_restore }) => can_restore);

  return (
    <div className="page">
      <header className="page__head">
        <h1 className="page__title serif">{t('nav.trash')}</h1>
        {count > 0 && (
          <span className="muted" role="status">
            {t('common.documents', { count })}
          </span>
        )}
      </header>
      {(count > 0 || isFiltered || filter.words !== '') && (
        <TrashTools filter={filter} onFilter={setFilter} isSearching={found.isPlaceholderData} />
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
            <button type="button" className="button" onClick={() => setFilter(NO_FILTER)}>
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
          label={t('nav.trash')}
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
            <TrashCells
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
