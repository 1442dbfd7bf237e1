import { useTranslation } from 'react-i18next';
import { useFormats } from '../../../ui/useFormats.ts';
import type { Bucket } from './buckets.ts';

/** A day without its year, in the interface's language. */
function useDayFormat(): (day: string) => string {
  const { locale } = useFormats();
  const format = new Intl.DateTimeFormat(locale, { month: 'short', day: 'numeric', timeZone: 'UTC' });
  return (day) => format.format(new Date(day));
}

/** Views and downloads over time: bars for the eye, and the same as a table. */
export function DayChart({ buckets }: { readonly buckets: readonly Bucket[] }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const dayText = useDayFormat();
  const most = Math.max(1, ...buckets.map(({ views, downloads }) => views + downloads));
  const titleOf = ({ from, to }: Bucket) => (from === to ? dayText(from) : `${dayText(from)} – ${dayText(to)}`);
  const percent = (value: number) => `${(value / most) * 100}%`;
  const first = buckets[0];
  const last = buckets.at(-1);
  return (
    <section className="card stat__section" aria-labelledby="stat-days">
      <header className="stat__head">
        <h2 id="stat-days" className="stat__title">
          {t('sharing.overTime')}
        </h2>
        <p className="stat__legend">
          <span data-figure="views">{t('sharing.figureViews')}</span>
          <span data-figure="downloads">{t('sharing.figureDownloads')}</span>
        </p>
      </header>
      <div className="chart" aria-hidden="true">
        <span className="chart__most">{formats.number(most)}</span>
        <div className="chart__bars">
          {buckets.map((bucket) => (
            <div
              key={bucket.from}
              className="chart__bar"
              title={`${titleOf(bucket)}: ${t('sharing.viewsAndDownloads', { views: bucket.views, downloads: bucket.downloads })}`}
            >
              <span data-figure="downloads" style={{ height: percent(bucket.downloads) }} />
              <span data-figure="views" style={{ height: percent(bucket.views) }} />
            </div>
          ))}
        </div>
        <p className="chart__ends">
          <span>{first !== undefined && dayText(first.from)}</span>
          <span>{last !== undefined && dayText(last.to)}</span>
        </p>
      </div>
      <details className="stat__table">
        <summary>{t('sharing.asTable')}</summary>
        <table className="figures">
          <thead>
            <tr>
              <th scope="col">{t('sharing.day')}</th>
              <th scope="col">{t('sharing.figureViews')}</th>
              <th scope="col">{t('sharing.figureDownloads')}</th>
              <th scope="col">{t('sharing.figurePeople')}</th>
            </tr>
          </thead>
          <tbody>
            {buckets
              .filter(({ views, downloads }) => views + downloads > 0)
              .toReversed()
              .map((bucket) => (
                <tr key={bucket.from}>
                  <th scope="row">{titleOf(bucket)}</th>
                  <td>{formats.number(bucket.views)}</td>
                  <td>{formats.number(bucket.downloads)}</td>
                  <td>{formats.number(bucket.people)}</td>
                </tr>
              ))}
          </tbody>
        </table>
      </details>
    </section>
  );
}
