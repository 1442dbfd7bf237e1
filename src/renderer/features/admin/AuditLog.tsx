import { Download, ScrollText } from 'lucide-react';
import { useState } from 'react';
import { AUDIT_CSV } from '../../../shared/api/admin.ts';
import { api } from '../../../shared/api/index.ts';
import type { AuditRecord } from '../../../shared/model/admin.ts';
import { LIMITS } from '../../../shared/rules/limits.ts';
import { useTranslation } from '../../i18n/useTranslation.ts';
import { FilterField } from '../../ui/FilterField.tsx';
import { useDebounced } from '../../ui/nameCheck.ts';
import { EmptyState, ErrorState, LoadingRows } from '../../ui/States.tsx';
import { When } from '../../ui/When.tsx';
import { type Column, DataTable } from './DataTable.tsx';
import { Pager } from './Pager.tsx';
import { useAdminQuery } from './queries.ts';

const PER_PAGE = 20;

/** What was changed, as the record has it: `plan_type: 1`. */
function detailsOf({ details }: AuditRecord): string {
  return Object.entries(details)
    .map(([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join(', ');
}

/** Deletions, shares, roles, accounts and settings: who, when, from where (field.md row 61). */
export function AuditLog() {
  const { t } = useTranslation();
  const [page, setPage] = useState(1);
  const [typed, setTyped] = useState('');
  const actor = useDebounced(typed, LIMITS.searchDebounceMs).trim();
  const { data, error, isPending, isLoadingError, refetch } = useAdminQuery(api.admin.audit, {
    query: { page, page_size: PER_PAGE, ...(actor === '' ? {} : { actor }) },
  });
  const columns: readonly Column<AuditRecord, never>[] = [
    {
      label: t('admin.audit.action'),
      cell: (record) => (
        <>
          <span className="mono">{record.action}</span>
          <span className="table__small">{detailsOf(record)}</span>
        </>
      ),
    },
    { label: t('admin.audit.target'), cell: ({ target_name, target_kind }) => target_name || target_kind },
    { label: t('admin.audit.actor'), cell: ({ actor: name }) => name || t('admin.audit.server') },
    { label: t('admin.audit.address'), cell: ({ address }) => <span className="mono">{address}</span> },
    { label: t('admin.audit.when'), isFigure: true, cell: ({ at }) => <When moment={at} /> },
  ];
  return (
    <section className="card figures-card" aria-labelledby="audit">
      <header className="figures-card__head audit__head">
        <h2 id="audit" className="figures-card__title">
          {t('admin.audit.title')}
        </h2>
        <div className="grid-tools">
          <FilterField
            className="grid-tools__filter"
            label={t('admin.audit.byUser')}
            value={typed}
            onChange={(value) => {
              setTyped(value);
              setPage(1);
            }}
          />
          <a className="button" href={AUDIT_CSV} download>
            <Download />
            {t('sharing.csv')}
          </a>
        </div>
      </header>
      {isPending ? (
        <LoadingRows />
      ) : isLoadingError || data === undefined ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : data.items.length === 0 ? (
        <EmptyState icon={ScrollText} title={t('admin.audit.none')} text={t('admin.audit.noneText')} />
      ) : (
        <div className="audit__table">
          <DataTable label={t('admin.audit.title')} columns={columns} rows={data.items} keyOf={({ id }) => id} />
          <Pager
            page={page}
            pageSize={PER_PAGE}
            shown={data.items.length}
            count={data.count}
            hasMore={data.has_more}
            onPage={setPage}
          />
        </div>
      )}
    </section>
  );
}
