import { HardDrive, Recycle } from 'lucide-react';
import { Link } from 'wouter';
import { api } from '../../../shared/api/index.ts';
import type { StorageUse } from '../../../shared/model/admin.ts';
import { paths } from '../../app/routes.ts';
import { useTranslation } from '../../i18n/useTranslation.ts';
import { EmptyState, ErrorState, LoadingRows } from '../../ui/States.tsx';
import { notify } from '../../ui/toast.ts';
import { useErrorText } from '../../ui/useErrorText.ts';
import { useFormats } from '../../ui/useFormats.ts';
import { When } from '../../ui/When.tsx';
import { AdminPage } from './AdminPage.tsx';
import { type Column, DataTable } from './DataTable.tsx';
import { useAdminChange, useAdminQuery } from './queries.ts';
import '../../ui/chart/figures.css';

/** The server makes these figures anew once a minute. */
const REFRESH_MS = 60_000;
const PARTS = ['current', 'older', 'trash'] as const;

/** What a library's bytes are, in proportion to the largest one. */
function UseBar({ use, most }: { readonly use: StorageUse; readonly most: number }) {
  return (
    <span className="use-bar" aria-hidden="true">
      {PARTS.map((part) => (
        <span key={part} data-part={part} style={{ width: `${(use[part] / most) * 100}%` }} />
      ))}
    </span>
  );
}

function LibraryTable({ libraries }: { readonly libraries: readonly StorageUse[] }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const most = Math.max(1, ...libraries.map(({ total }) => total));
  const columns: readonly Column<StorageUse, never>[] = [
    {
      label: t('admin.shelves.library'),
      cell: (use) => (
        <>
          <Link className="table__link" href={paths.dashboard('shelves', { library: use.library })}>
            {use.library}
          </Link>
          <span className="table__small">
            <Link className="table__link" href={paths.dashboard('users', { search: use.owner })}>
              {use.owner}
            </Link>
          </span>
          <UseBar use={use} most={most} />
        </>
      ),
    },
    ...[...PARTS, 'total' as const].map((part) => ({
      label: t(`admin.storage.${part}`),
      isFigure: true,
      cell: (use: StorageUse) => formats.size(use[part]),
    })),
  ];
  return (
    <section className="card" aria-label={t('admin.storage.byLibrary')}>
      {libraries.length === 0 ? (
        <EmptyState icon={HardDrive} title={t('admin.storage.none')} text={t('admin.storage.noneText')} />
      ) : (
        <>
          <p className="use-legend" aria-hidden="true">
            {PARTS.map((part) => (
              <span key={part} data-part={part}>
                {t(`admin.storage.${part}`)}
              </span>
            ))}
          </p>
          <DataTable
            label={t('admin.storage.byLibrary')}
            columns={columns}
            rows={libraries}
            keyOf={({ library }) => library}
          />
        </>
      )}
    </section>
  );
}

/** `/dashboard/storage`: what takes room, what storing each content once saves, and what waits to be collected. */
export function StoragePage() {
  const { t } = useTranslation();
  const formats = useFormats();
  const errorText = useErrorText();
  const { data, error, isPending, isLoadingError, refetch } = useAdminQuery(
    api.admin.storage,
    {},
    { refreshMs: REFRESH_MS },
  );
  const collect = useAdminChange(api.admin.collect);
  const start = () =>
    collect.mutate(
      {},
      {
        onSuccess: () => notify(t('admin.storage.collecting')),
        onError: (failure) => notify(errorText(failure), 'error'),
      },
    );
  return (
    <AdminPage
      child="storage"
      actions={
        <button type="button" className="button" onClick={start} disabled={collect.isPending}>
          <Recycle />
          {t('admin.storage.collect')}
        </button>
      }
    >
      {isPending ? (
        <div className="card">
          <LoadingRows />
        </div>
      ) : isLoadingError || data === undefined ? (
        <div className="card">
          <ErrorState error={error} onRetry={() => void refetch()} />
        </div>
      ) : (
        <>
          <dl className="totals totals--sizes">
            <div className="card totals__item">
              <dt>{t('admin.storage.allVersions')}</dt>
              <dd className="totals__size">{formats.size(data.total)}</dd>
            </div>
            <div className="card totals__item">
              <dt>{t('admin.storage.stored')}</dt>
              <dd className="totals__size">{formats.size(data.stored)}</dd>
            </div>
            <div className="card totals__item">
              <dt>{t('admin.storage.saved')}</dt>
              <dd className="totals__size">{formats.size(data.saved)}</dd>
            </div>
            <div className="card totals__item">
              <dt>{t('admin.storage.orphans')}</dt>
              <dd className="totals__size" title={t('admin.storage.orphansHint')}>
                {formats.size(data.condemned.bytes)}
                <span className="totals__note">{t('admin.storage.contents', { count: data.condemned.count })}</span>
              </dd>
            </div>
          </dl>
          <LibraryTable libraries={data.libraries} />
          <p className="muted">
            {t('admin.storage.orphansHint')} {t('admin.computed')} <When moment={data.computed_at} />
          </p>
        </>
      )}
    </AdminPage>
  );
}
