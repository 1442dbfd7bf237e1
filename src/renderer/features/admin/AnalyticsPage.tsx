import { ChartNoAxesColumn } from 'lucide-react';
import { lazy, Suspense, useId, useState } from 'react';
import type { CallOutput } from '../../../shared/api/call.ts';
import { api } from '../../../shared/api/index.ts';
import { useTranslation } from '../../i18n/useTranslation.ts';
import { bucketsOf, dayOf, firstDayOf } from '../../ui/chart/buckets.ts';
import { Segments } from '../../ui/Segments.tsx';
import { EmptyState, ErrorState, LoadingRows } from '../../ui/States.tsx';
import { useFormats, useNow } from '../../ui/useFormats.ts';
import { AdminPage } from './AdminPage.tsx';
import { useAdminQuery } from './queries.ts';
import '../../ui/chart/figures.css';

const DayChart = lazy(async () => ({ default: (await import('../../ui/chart/DayChart.tsx')).DayChart }));

const PERIODS = { week: 7, month: 30, quarter: 90 } as const;
type Period = keyof typeof PERIODS;
const PERIOD_NAMES = Object.keys(PERIODS) as readonly Period[];
const KINDS = ['page-view', 'search', 'upload'] as const;
type Kind = (typeof KINDS)[number];
type Count = CallOutput<typeof api.admin.analytics>['counts'][number];

/** The sum of counts by what tells them apart, in the order in which they first come. */
function sumBy(counts: readonly Count[], keyOf: (count: Count) => string): ReadonlyMap<string, number> {
  const sums = new Map<string, number>();
  for (const each of counts) sums.set(keyOf(each), (sums.get(keyOf(each)) ?? 0) + each.count);
  return sums;
}

interface UsageProps {
  readonly kind: Kind;
  readonly counts: readonly Count[];
}

/** What the counts are of, most first. */
function ByName({ kind, counts }: UsageProps) {
  const { t } = useTranslation();
  const formats = useFormats();
  const id = useId();
  const rows = [...sumBy(counts, ({ name }) => name)].sort(([, a], [, b]) => b - a);
  const most = Math.max(1, ...rows.map(([, count]) => count));
  return (
    <section className="card figures-card" aria-labelledby={id}>
      <h2 id={id} className="figures-card__title">
        {t(`admin.analytics.by_${kind}`)}
      </h2>
      <table className="figures" aria-labelledby={id}>
        <thead>
          <tr>
            <th scope="col">{t('sharing.name')}</th>
            <th scope="col">{t('admin.analytics.count')}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(([name, count]) => (
            <tr key={name}>
              <th scope="row">
                <span className="figures__name">{t(`admin.analytics.names.${name}`, { defaultValue: name })}</span>
                <span className="figures__bar" aria-hidden="true" style={{ width: `${(count / most) * 100}%` }} />
              </th>
              <td>{formats.number(count)}</td>
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">{t('sharing.total')}</th>
            <td>{formats.number(counts.reduce((sum, { count }) => sum + count, 0))}</td>
          </tr>
        </tfoot>
      </table>
    </section>
  );
}

function Usage({ kind, counts, from, today }: UsageProps & { readonly from: string | null; readonly today: string }) {
  const { t } = useTranslation();
  const days = [...sumBy(counts, ({ day }) => day)].map(([day, count]) => ({ day, values: [count] }));
  return (
    <div className="admin__pair">
      <DayChart
        title={t(`admin.analytics.${kind}`)}
        figures={[{ label: t('admin.analytics.count'), isDrawn: true }]}
        buckets={bucketsOf(days, 1, from, today)}
      />
      <ByName kind={kind} counts={counts} />
    </div>
  );
}

/** `/dashboard/analytics`: what is used, by nothing but its kind; nothing leaves the server (decisions.md §11). */
export function AnalyticsPage() {
  const { t } = useTranslation();
  const [period, setPeriod] = useState<Period>('month');
  const today = dayOf(useNow());
  const from = firstDayOf(PERIODS[period], Date.parse(today));
  const { data, error, isPending, isLoadingError, refetch } = useAdminQuery(api.admin.analytics, {
    query: from === null ? {} : { from },
  });
  const used = KINDS.map((kind) => ({ kind, counts: data?.counts.filter((each) => each.kind === kind) ?? [] }));
  return (
    <AdminPage
      child="analytics"
      actions={
        <Segments
          label={t('sharing.period')}
          value={period}
          options={PERIOD_NAMES.map((value) => ({ value, label: t(`sharing.period_${value}`) }))}
          onChange={setPeriod}
        />
      }
    >
      {isPending ? (
        <div className="card">
          <LoadingRows />
        </div>
      ) : isLoadingError ? (
        <div className="card">
          <ErrorState error={error} onRetry={() => void refetch()} />
        </div>
      ) : (
        <Suspense fallback={<LoadingRows rows={4} shape="text" />}>
          {used.map(({ kind, counts }) =>
            counts.length === 0 ? (
              <div key={kind} className="card">
                <EmptyState
                  icon={ChartNoAxesColumn}
                  title={t(`admin.analytics.none_${kind}`)}
                  text={t(`admin.analytics.noneText_${kind}`)}
                />
              </div>
            ) : (
              <Usage key={kind} kind={kind} counts={counts} from={from} today={today} />
            ),
          )}
        </Suspense>
      )}
    </AdminPage>
  );
}
