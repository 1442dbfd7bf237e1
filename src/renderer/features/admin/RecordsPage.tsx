import type { UseQueryResult } from '@tanstack/react-query';
import { Pencil, Plus, Trash2 } from 'lucide-react';
import { type ComponentType, type ReactNode, useState } from 'react';
import type { DashboardChild } from '../../app/routes.ts';
import { useTranslation } from '../../i18n/useTranslation.ts';
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx';
import { EmptyState, ErrorState, LoadingRows } from '../../ui/States.tsx';
import { AdminPage } from './AdminPage.tsx';
import { type Column, DataTable } from './DataTable.tsx';
import { PageGone, Pager } from './Pager.tsx';

/** Records shown at once (web-and-phone.md §9 for service notices). */
export const RECORDS_PER_PAGE = 20;

interface RecordsPageProps<T> {
  readonly child: DashboardChild;
  readonly page: number;
  readonly onPage: (page: number) => void;
  readonly found: UseQueryResult<{ readonly count: number; readonly has_more: boolean }>;
  /** Those of the page; undefined until they are there. */
  readonly records: readonly T[] | undefined;
  readonly columns: readonly Column<T, never>[];
  readonly nameOf: (record: T) => string;
  /** What the button says that makes another one. */
  readonly verb: string;
  readonly empty: { readonly icon: ComponentType; readonly title: string; readonly text: string };
  /** The dialog in which a record is changed, or, of null, made. */
  readonly editor: (record: T | null, onClose: () => void) => ReactNode;
  readonly removal: (record: T) => { readonly title: string; readonly description: string };
  readonly onRemove: (record: T) => Promise<void>;
}

/** A page of the dashboard with what administrators write: a list by pages, each of which is made, changed and deleted. */
export function RecordsPage<T extends { readonly id: string }>(props: RecordsPageProps<T>) {
  const { child, page, onPage, found, records, columns, nameOf, verb, empty, editor, removal, onRemove } = props;
  const { t } = useTranslation();
  const [edited, setEdited] = useState<T | 'new' | null>(null);
  const [doomed, setDoomed] = useState<T | null>(null);
  const { data, error, isPending, isLoadingError, refetch } = found;
  const make = (
    <button type="button" className="button button--primary" onClick={() => setEdited('new')}>
      <Plus />
      {verb}
    </button>
  );
  const isEmpty = data?.count === 0;
  return (
    <AdminPage child={child} {...(isEmpty ? {} : { actions: make })}>
      <div className="card">
        {isPending ? (
          <LoadingRows />
        ) : isLoadingError || data === undefined || records === undefined ? (
          <ErrorState error={error} onRetry={() => void refetch()} />
        ) : isEmpty ? (
          <EmptyState {...empty}>{make}</EmptyState>
        ) : records.length === 0 ? (
          <PageGone onFirst={() => onPage(1)} />
        ) : (
          <>
            <DataTable
              label={t(`admin.children.${child}`)}
              columns={columns}
              rows={records}
              keyOf={({ id }) => id}
              actions={(record) => (
                <>
                  <button
                    type="button"
                    className="icon-button"
                    aria-label={t('admin.editOf', { name: nameOf(record) })}
                    onClick={() => setEdited(record)}
                  >
                    <Pencil />
                  </button>
                  <button
                    type="button"
                    className="icon-button"
                    aria-label={t('admin.removeOf', { name: nameOf(record) })}
                    onClick={() => setDoomed(record)}
                  >
                    <Trash2 />
                  </button>
                </>
              )}
            />
            <Pager
              page={page}
              pageSize={RECORDS_PER_PAGE}
              shown={records.length}
              count={data.count}
              hasMore={data.has_more}
              onPage={onPage}
            />
          </>
        )}
      </div>
      {edited !== null && editor(edited === 'new' ? null : edited, () => setEdited(null))}
      {doomed !== null && (
        <ConfirmDialog
          {...removal(doomed)}
          verb={t('admin.remove')}
          onConfirm={() => onRemove(doomed)}
          onClose={() => setDoomed(null)}
        />
      )}
    </AdminPage>
  );
}
