import { lazy, Suspense } from 'react';
import { Link } from 'wouter';
import { api } from '../../../shared/api/index.ts';
import type { AdminOverview } from '../../../shared/model/admin.ts';
import { navigate, useSearch } from '../../app/place.ts';
import { paths } from '../../app/routes.ts';
import { useTranslation } from '../../i18n/useTranslation.ts';
import { bucketsOf } from '../../ui/chart/buckets.ts';
import { ErrorState, LoadingRows } from '../../ui/States.tsx';
import { useFormats } from '../../ui/useFormats.ts';
import { When } from '../../ui/When.tsx';
import { AdminPage } from './AdminPage.tsx';
import { AuditLog } from './AuditLog.tsx';
import { JobsDialog } from './JobsDialog.tsx';
import { MailsDialog } from './MailsDialog.tsx';
import { useAdminQuery } from './queries.ts';
import '../../ui/chart/figures.css';

const DayChart = lazy(async () => ({ default: (await import('../../ui/chart/DayChart.tsx')).DayChart }));

const REFRESH_MS = 60_000;
const HOUR_SECONDS = 3600;

/** How much there is of everything; each figure leads to its rows (field.md row 60). */
function Counts({ counts, bytes }: Pick<AdminOverview, 'counts' | 'bytes'>) {
  const { t } = useTranslation();
  const formats = useFormats();
  const figures = [
    { name: 'users', value: counts.users, href: paths.dashboard('users') },
    { name: 'libraries', value: counts.libraries, href: paths.dashboard('shelves', { view: 'libraries' }) },
    { name: 'shelves', value: counts.shelves, href: paths.dashboard('shelves') },
    { name: 'documents', value: counts.documents, href: paths.dashboard('documents') },
    {
      name: 'versions',
      value: counts.versions,
      href: paths.dashboard('documents', { sort: 'current_version', order: 'desc' }),
    },
  ] as const;
  return (
    <ul className="totals totals--three" aria-label={t('admin.overview.counts')}>
      {figures.map(({ name, value, href }) => (
        <li key={name}>
          <Link href={href} className="card total">
            <span className="total__label">{t(`admin.figures.${name}`)}</span>
            <strong className="total__value">{formats.number(value)}</strong>
          </Link>
        </li>
      ))}
      <li>
        <Link href={paths.dashboard('storage')} className="card total">
          <span className="total__label">{t('admin.overview.stored')}</span>
          <strong className="total__value">{formats.size(bytes)}</strong>
        </Link>
      </li>
    </ul>
  );
}

function Growth({ growth }: Pick<AdminOverview, 'growth'>) {
  const { t } = useTranslation();
  const [first, last] = [growth[0]?.day ?? null, growth.at(-1)?.day];
  if (last === undefined) return null;
  const charts = (['users', 'versions'] as const).map((figure) => ({
    figure,
    days: growth.map((row) => ({ day: row.day, values: [row[figure]] })),
  }));
  return (
    <div className="admin__pair">
      <Suspense fallback={<LoadingRows rows={4} shape="text" />}>
        {charts.map(({ figure, days }) => (
          <DayChart
            key={figure}
            title={t(`admin.overview.new_${figure}`)}
            figures={[{ label: t(`admin.figures.${figure}`), isDrawn: true }]}
            buckets={bucketsOf(days, 1, first, last)}
          />
        ))}
      </Suspense>
    </div>
  );
}

function Health({ health, computed_at }: Pick<AdminOverview, 'health' | 'computed_at'>) {
  const { t } = useTranslation();
  const formats = useFormats();
  const badge = (isBad: boolean) => (
    <span className={isBad ? 'badge badge--warning' : 'badge badge--accent'}>
      {isBad ? t('admin.overview.look') : t('admin.overview.fine')}
    </span>
  );
  const hours = Math.floor(health.uptime_seconds / HOUR_SECONDS);
  return (
    <section className="card figures-card" aria-labelledby="health">
      <header className="figures-card__head">
        <h2 id="health" className="figures-card__title">
          {t('admin.overview.health')}
        </h2>
        <span className="muted">
          {t('admin.computed')} <When moment={computed_at} />
        </span>
      </header>
      <dl className="health">
        <dt>{t('admin.overview.jobs')}</dt>
        <dd>
          <Link className="text-link" href={paths.dashboard('overview', { show: 'jobs' })}>
            {t('admin.overview.jobsWaiting', {
              waiting: formats.number(health.jobs_waiting),
              failing: formats.number(health.jobs_failing),
            })}
          </Link>
          {badge(health.jobs_failing > 0)}
        </dd>
        <dt>{t('admin.overview.mails')}</dt>
        <dd>
          <Link className="text-link" href={paths.dashboard('overview', { show: 'mails' })}>
            {t('admin.overview.mailsFailed', { failed: formats.number(health.mails_failed) })}
          </Link>
          {badge(health.mails_failed > 0)}
        </dd>
        <dt>{t('admin.overview.index')}</dt>
        <dd>{t('admin.overview.indexWaiting', { count: health.index_waiting })}</dd>
        <dt>{t('admin.overview.database')}</dt>
        <dd>{t(`admin.overview.database_${health.database}`)}</dd>
        <dt>{t('admin.overview.uptime')}</dt>
        <dd>
          {hours < 48
            ? t('admin.overview.hours', { count: hours })
            : t('admin.overview.days', { count: Math.floor(hours / 24) })}
        </dd>
      </dl>
    </section>
  );
}

/** `/dashboard/overview`: how much there is, how it grows, whether all is well, and who did what. */
export function OverviewPage() {
  const shown = new URLSearchParams(useSearch()).get('show');
  const { data, error, isPending, isLoadingError, refetch } = useAdminQuery(
    api.admin.overview,
    {},
    { refreshMs: REFRESH_MS },
  );
  const close = () => navigate(paths.dashboard('overview'), { replace: true });
  return (
    <AdminPage child="overview">
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
          <Counts {...data} />
          <Growth {...data} />
          <Health {...data} />
        </>
      )}
      <AuditLog />
      {shown === 'jobs' && <JobsDialog onClose={close} />}
      {shown === 'mails' && <MailsDialog onClose={close} />}
    </AdminPage>
  );
}
