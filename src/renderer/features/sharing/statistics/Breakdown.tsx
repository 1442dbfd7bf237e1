import { type ReactNode, useId, useState } from 'react';
import type { ShareStatistics } from '../../../../shared/model/shareLink.ts';
import { useTranslation } from '../../../i18n/useTranslation.ts';
import { useFormats } from '../../../ui/useFormats.ts';
import '../../../ui/chart/figures.css';

type Row = ShareStatistics['per_document'][number];

/** Rows that are shown at first; of only a few more none is left out. */
const ROWS_SHOWN = 10;
const ROWS_LONG = 13;

/** The busiest rows, and one of all others together. */
function busiest(rows: readonly Row[]): readonly Row[] {
  const others = rows.slice(ROWS_SHOWN);
  const sum = (figure: 'views' | 'downloads') => others.reduce((total, row) => total + row[figure], 0);
  const together = { key: null, name: null, views: sum('views'), downloads: sum('downloads'), last_access: null };
  return [...rows.slice(0, ROWS_SHOWN), together];
}

export interface BreakdownProps {
  readonly title: string;
  readonly rows: readonly Row[];
  readonly totals: ShareStatistics['totals'];
  /** What a row is of; the empty key has a meaning of its own in each breakdown. */
  readonly nameOf: (row: Row & { readonly key: string }) => ReactNode;
}

/** Views and downloads by one thing, with bars in proportion; the rows add up to the totals, also while some stand together. */
export function Breakdown({ title, rows, totals, nameOf }: BreakdownProps) {
  const { t } = useTranslation();
  const formats = useFormats();
  const id = useId();
  const [isWhole, setWhole] = useState(false);
  const isLong = rows.length >= ROWS_LONG;
  const shown = isLong && !isWhole ? busiest(rows) : rows;
  const most = Math.max(1, ...shown.map(({ views, downloads }) => views + downloads));
  return (
    <section className="card figures-card" aria-labelledby={id}>
      <h2 id={id} className="figures-card__title">
        {title}
      </h2>
      <table className="figures" aria-labelledby={id}>
        <thead>
          <tr>
            <th scope="col">{t('sharing.name')}</th>
            <th scope="col">{t('sharing.figureViews')}</th>
            <th scope="col">{t('sharing.figureDownloads')}</th>
          </tr>
        </thead>
        <tbody>
          {shown.map((row) => (
            <tr key={row.key ?? 'others'}>
              <th scope="row">
                <span className="figures__name">
                  {row.key === null ? t('sharing.others') : nameOf({ ...row, key: row.key })}
                </span>
                <span
                  className="figures__bar"
                  aria-hidden="true"
                  style={{ width: `${((row.views + row.downloads) / most) * 100}%` }}
                />
              </th>
              <td>{formats.number(row.views)}</td>
              <td>{formats.number(row.downloads)}</td>
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">{t('sharing.total')}</th>
            <td>{formats.number(totals.views)}</td>
            <td>{formats.number(totals.downloads)}</td>
          </tr>
        </tfoot>
      </table>
      {isLong && (
        <button
          type="button"
          className="button button--small breakdown__more"
          aria-expanded={isWhole}
          onClick={() => setWhole(!isWhole)}
        >
          {isWhole ? t('sharing.fewerRows') : t('sharing.allRows')}
        </button>
      )}
    </section>
  );
}
