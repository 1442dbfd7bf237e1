import { CircleCheck } from 'lucide-react';
import { api } from '../../../shared/api/index.ts';
import { useTranslation } from '../../i18n/useTranslation.ts';
import { Dialog } from '../../ui/Dialog.tsx';
import { EmptyState, ErrorState, LoadingRows } from '../../ui/States.tsx';
import { When } from '../../ui/When.tsx';
import { useAdminQuery } from './queries.ts';

const REFRESH_MS = 10_000;

/** The work that waits, and why it failed when it did. */
export function JobsDialog({ onClose }: { readonly onClose: () => void }) {
  const { t } = useTranslation();
  const { data, error, isPending, isLoadingError, refetch } = useAdminQuery(
    api.admin.jobs,
    {},
    { refreshMs: REFRESH_MS },
  );
  return (
    <Dialog title={t('admin.overview.jobs')} description={t('admin.overview.jobsText')} onClose={onClose} size="lg">
      {isPending ? (
        <LoadingRows rows={3} />
      ) : isLoadingError || data === undefined ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : data.jobs.length === 0 ? (
        <EmptyState icon={CircleCheck} title={t('admin.overview.noJobs')} />
      ) : (
        <ul className="rows">
          {data.jobs.map(({ id, kind, attempts, run_at, last_error }) => (
            <li key={id}>
              <span className="rows__main">
                <span className="rows__title">
                  <span className="mono">{kind}</span>
                  {last_error !== null && (
                    <span className="badge badge--warning">{t('admin.overview.attempts', { count: attempts })}</span>
                  )}
                </span>
                {last_error !== null && <span className="muted">{last_error}</span>}
              </span>
              <span className="muted">
                <When moment={run_at} />
              </span>
            </li>
          ))}
        </ul>
      )}
    </Dialog>
  );
}
