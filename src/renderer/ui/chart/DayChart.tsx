import { useId } from 'react';
import { useTranslation } from '../../i18n/useTranslation.ts';
import { useFormats } from '../useFormats.ts';
import type { Bucket } from './buckets.ts';
import './figures.css';

/** One of the figures that the buckets have, in their order. */
export interface ChartFigure {
  readonly label: string;
  /** Part of the bars; the others stand in the table only. */
  readonly isDrawn: boolean;
}

export interface DayChartProps {
  readonly title: string;
  /** At most two are drawn. */
  readonly figures: readonly ChartFigure[];
  readonly buckets: readonly Bucket[];
}

/** A day in the interface's language, with its year where days of several years stand beside each other. */
function useDayFormat(hasYears: boolean): (day: string) => string {
  const { locale } = useFormats();
  const year = hasYears ? ({ year: 'numeric' } as const) : {};
  const format = new Intl.DateTimeFormat(locale, { ...year, month: 'short', day: 'numeric', timeZone: 'UTC' });
  return (day) => format.format(new Date(day));
}

/** Figures over time: bars for the eye, and the same as a table. */
export function DayChart({ title, figures, buckets }: DayChartProps) {
  const { t } = useTranslation();
  const formats = useFormats();
  const [first, last] = [buckets[0], buckets.at(-1)];
  const dayText = useDayFormat(first?.from.slice(0, 4) !== last?.to.slice(0, 4));
  const id = useId();
  const drawn = figures.flatMap(({ label, isDrawn }, index) => (isDrawn ? [{ label, index }] : []));
  const heightOf = ({ values }: Bucket) => drawn.reduce((sum, { index }) => sum + (values[index] ?? 0), 0);
  const most = Math.max(1, ...buckets.map(heightOf));
  const daysOf = ({ from, to }: Bucket) => (from === to ? dayText(from) : `${dayText(from)} – ${dayText(to)}`);
  const figuresOf = ({ values }: Bucket) =>
    drawn.map(({ label, index }) => `${label}: ${formats.number(values[index] ?? 0)}`).join(' · ');
  return (
    <section className="card figures-card" aria-labelledby={id}>
      <header className="figures-card__head">
        <h2 id={id} className="figures-card__title">
          {title}
        </h2>
        {drawn.length > 1 && (
          <p className="chart__legend">
            {drawn.map(({ label }, place) => (
              <span key={label} data-figure={place}>
                {label}
              </span>
            ))}
          </p>
        )}
      </header>
      <div className="chart" aria-hidden="true">
        <span className="chart__most">{formats.number(most)}</span>
        <div className="chart__bars">
          {buckets.map((bucket) => (
            <div key={bucket.from} className="chart__bar" title={`${daysOf(bucket)} · ${figuresOf(bucket)}`}>
              {drawn
                .map(({ label, index }, place) => (
                  <span
                    key={label}
                    data-figure={place}
                    style={{ height: `${((bucket.values[index] ?? 0) / most) * 100}%` }}
                  />
                ))
                .toReversed()}
            </div>
          ))}
        </div>
        <p className="chart__ends">
          <span>{first !== undefined && dayText(first.from)}</span>
          <span>{last !== undefined && dayText(last.to)}</span>
        </p>
      </div>
      <details className="chart__table">
        <summary>{t('sharing.asTable')}</summary>
        <table className="figures" aria-labelledby={id}>
          <thead>
            <tr>
              <th scope="col">{t('sharing.day')}</th>
              {figures.map(({ label }) => (
                <th key={label} scope="col">
                  {label}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {buckets
              .filter((bucket) => heightOf(bucket) > 0)
              .toReversed()
              .map((bucket) => (
                <tr key={bucket.from}>
                  <th scope="row">{daysOf(bucket)}</th>
                  {figures.map(({ label }, index) => (
                    <td key={label}>{formats.number(bucket.values[index] ?? 0)}</td>
                  ))}
                </tr>
              ))}
          </tbody>
        </table>
      </details>
    </section>
  );
}
