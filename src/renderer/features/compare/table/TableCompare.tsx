import { Equal } from 'lucide-react';
import { useState } from 'react';
import type { ComparedTable, ComparedTables } from '../../../../shared/model/compare.ts';
import { useTranslation } from '../../../i18n/useTranslation.ts';
import { EmptyState } from '../../../ui/States.tsx';
import { useTableComparison, type VersionPair } from '../comparisons.ts';
import { NotComparable } from '../NotComparable.tsx';
import { WhenCompared } from '../WhenCompared.tsx';
import { SheetTable } from './SheetTable.tsx';

/** What a sheet is called, both names where it was renamed. */
function useSheetName() {
  const { t } = useTranslation();
  return ({ base_name: before, other_name: after }: ComparedTable) =>
    before !== null && after !== null && before !== after
      ? t('compare.sheetRenamed', { before, after })
      : (after ?? before ?? '');
}

interface SheetsProps {
  readonly tables: readonly ComparedTable[];
  readonly at: number;
  readonly onGo: (index: number) => void;
}

/** All sheets of a workbook, with what became of each. */
function Sheets({ tables, at, onGo }: SheetsProps) {
  const { t } = useTranslation();
  const nameOf = useSheetName();
  return (
    <ul className="sheets" aria-label={t('compare.sheets')}>
      {tables.map((table, index) => (
        <li key={`${table.base_name} ${table.other_name}`}>
          <button type="button" className="sheets__item" aria-pressed={index === at} onClick={() => onGo(index)}>
            <span className="truncated">{nameOf(table)}</span>
            {table.kind !== 'equal' && (
              <span className="badge sheets__mark" data-mark={table.kind}>
                {t(`compare.table_${table.kind}`)}
              </span>
            )}
          </button>
        </li>
      ))}
    </ul>
  );
}

/** How much of a table changed, in words. */
function Counts({ table: { columns, rows_added, rows_removed, cells_changed } }: { readonly table: ComparedTable }) {
  const { t } = useTranslation();
  const columnsOf = (kind: 'added' | 'removed') => columns.filter((column) => column.kind === kind).length;
  const facts = [
    { of: 'cells', count: cells_changed, look: 'compare__changed' },
    { of: 'rowsAdded', count: rows_added, look: 'compare__added' },
    { of: 'rowsRemoved', count: rows_removed, look: 'compare__removed' },
    { of: 'columnsAdded', count: columnsOf('added'), look: 'compare__added' },
    { of: 'columnsRemoved', count: columnsOf('removed'), look: 'compare__removed' },
  ] as const;
  return facts
    .filter(({ count }) => count > 0)
    .map(({ of, count, look }) => (
      <span key={of} className={look}>
        {t(`compare.${of}`, { count })}
      </span>
    ));
}

interface ResultProps {
  readonly pair: VersionPair;
  readonly comparison: ComparedTables;
  readonly isWhole: boolean;
  readonly onWhole: (isWhole: boolean) => void;
}

function Result({ pair, comparison: { tables, unavailable, coarse, truncated }, isWhole, onWhole }: ResultProps) {
  const { t } = useTranslation();
  const [chosen, setChosen] = useState<number | null>(null);
  const changed = tables.findIndex(({ kind }) => kind !== 'equal');
  const at = chosen ?? Math.max(0, changed);
  const table = tables[at];
  if (unavailable !== null) {
    return <NotComparable pair={pair} title={t('compare.noTables')} text={t('files.notComparableText')} />;
  }
  if (table === undefined || changed === -1) {
    return (
      <div className="card">
        <EmptyState icon={Equal} title={t('compare.sameTables')} text={t('compare.sameTablesText')} />
      </div>
    );
  }
  return (
    <>
      {coarse && <p className="notice">{t('compare.coarseTables')}</p>}
      {truncated && <p className="notice notice--warning">{t('files.truncated')}</p>}
      {tables.length > 1 && <Sheets tables={tables} at={at} onGo={setChosen} />}
      <SheetTable key={at} table={table}>
        <Counts table={table} />
        <label className="check compare__whole">
          <input type="checkbox" checked={isWhole} onChange={(event) => onWhole(event.target.checked)} />
          {t('compare.allRows')}
        </label>
      </SheetTable>
    </>
  );
}

/** What two versions differ in as tables: cell by cell. */
export function TableCompare({ pair }: { readonly pair: VersionPair }) {
  const [isWhole, setWhole] = useState(false);
  return (
    <WhenCompared comparison={useTableComparison(pair, isWhole)}>
      {(comparison) => <Result pair={pair} comparison={comparison} isWhole={isWhole} onWhole={setWhole} />}
    </WhenCompared>
  );
}
