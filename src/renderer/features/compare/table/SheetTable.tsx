import { useVirtualizer, type VirtualItem } from '@tanstack/react-virtual';
import { type CSSProperties, type ReactNode, useMemo, useRef, useState } from 'react';
import type { ComparedColumn, ComparedRow, ComparedTable } from '../../../../shared/model/compare.ts';
import { useTranslation } from '../../../i18n/useTranslation.ts';
import { ChangeMoves } from '../ChangeMoves.tsx';
import { columnTitle, columnWidths, type TableRow, tableChanges, tableRows } from './tableRows.ts';
import './table.css';

const ROW_HEIGHT = 30;
/** What was and what is stand below each other. */
const CHANGED_HEIGHT = 52;
const NUMBERS_WIDTH = 104;
const CHARACTER = 8;
const CELL_PADDING = 24;
const [LEAST, MOST] = [6, 36];
const OVERSCAN = 12;

const heightOf = (row: TableRow | undefined) =>
  row?.kind === 'row' && row.row.changed.length > 0 ? CHANGED_HEIGHT : ROW_HEIGHT;

const across = ({ start, size }: VirtualItem): CSSProperties => ({ left: start, width: size });

function Heading({ column, item }: { readonly column: ComparedColumn; readonly item: VirtualItem }) {
  const { t } = useTranslation();
  const title = columnTitle(column);
  const label = { equal: 'column', added: 'columnAdded', removed: 'columnRemoved' } as const;
  return (
    <th
      scope="col"
      className="sheet__head"
      data-kind={column.kind}
      aria-colindex={item.index + 2}
      aria-label={t(`compare.${label[column.kind]}`, { column: title })}
      title={title}
      style={across(item)}
    >
      {title}
    </th>
  );
}

interface CellProps {
  readonly row: ComparedRow;
  readonly column: ComparedColumn;
  readonly before: string | undefined;
  readonly item: VirtualItem;
}

/** A cell, with what it held before where that changed. Never parsed as HTML. */
function Cell({ row, column, before, item }: CellProps) {
  const { t } = useTranslation();
  const text = row.cells[item.index] ?? '';
  const isNone =
    (row.kind === 'added' && column.kind === 'removed') || (row.kind === 'removed' && column.kind === 'added');
  const kind =
    row.kind === 'added' || row.kind === 'removed' ? row.kind : before === undefined ? column.kind : 'changed';
  return (
    <td
      className="sheet__cell"
      data-kind={isNone ? 'none' : kind}
      aria-colindex={item.index + 2}
      title={before === undefined ? text : `${before} → ${text}`}
      style={across(item)}
    >
      {before === undefined ? (
        text
      ) : (
        <>
          <span className="visually-hidden">{t('compare.before')}: </span>
          <del className="sheet__before">{before}</del>
          <span className="visually-hidden"> {t('compare.now')}: </span>
          <ins className="sheet__now">{text}</ins>
        </>
      )}
    </td>
  );
}

export interface SheetTableProps {
  readonly table: ComparedTable;
  /** Stands before the buttons that go from change to change. */
  readonly children: ReactNode;
}

/** The changed rows of a table; virtual in both directions, since tables may have thousands of columns too. */
export function SheetTable({ table, children }: SheetTableProps) {
  const { t } = useTranslation();
  const rows = useMemo(() => tableRows(table), [table]);
  const starts = useMemo(() => tableChanges(rows), [rows]);
  const widths = useMemo(() => columnWidths(table, LEAST, MOST), [table]);
  const scroller = useRef<HTMLDivElement>(null);
  const [active, setActive] = useState<number | null>(null);
  const down = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => heightOf(rows[index]),
    overscan: OVERSCAN,
    scrollPaddingStart: ROW_HEIGHT,
  });
  const right = useVirtualizer({
    horizontal: true,
    count: table.columns.length,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => (widths[index] ?? LEAST) * CHARACTER + CELL_PADDING,
    paddingStart: NUMBERS_WIDTH,
    scrollPaddingStart: NUMBERS_WIDTH,
    overscan: 4,
  });
  const columns = right.getVirtualItems();
  const go = (to: number) => {
    const index = starts[to];
    const row = index === undefined ? undefined : rows[index];
    if (index === undefined || row?.kind !== 'row') return;
    setActive(index);
    down.scrollToIndex(index, { align: 'center' });
    const [changed] = row.row.changed[0] ?? [];
    if (changed !== undefined) right.scrollToIndex(changed, { align: 'auto' });
  };
  return (
    <>
      <div className="compare__bar card">
        {children}
        <ChangeMoves count={starts.length} at={active === null ? -1 : starts.indexOf(active)} onGo={go} />
      </div>
      {rows.length === 0 ? (
        <p className="card sheet__same muted">{t('compare.sheetSame')}</p>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by keys
        <section ref={scroller} className="sheet card" tabIndex={0} aria-label={t('compare.tableOf')}>
          <table
            className="sheet__table"
            aria-label={t('compare.tableOf')}
            aria-colcount={table.columns.length + 1}
            style={{ width: right.getTotalSize(), height: down.getTotalSize() + ROW_HEIGHT }}
          >
            <thead className="sheet__top">
              <tr>
                <th scope="col" className="sheet__corner" style={{ width: NUMBERS_WIDTH }}>
                  {t('compare.rowNumber')}
                </th>
                {columns.map((item) => {
                  const column = table.columns[item.index];
                  return column === undefined ? null : <Heading key={item.index} column={column} item={item} />;
                })}
              </tr>
            </thead>
            <tbody>
              {down.getVirtualItems().map(({ index, start, size }) => {
                const row = rows[index];
                if (row === undefined) return null;
                const style = { top: start + ROW_HEIGHT, height: size };
                if (row.kind === 'gap') {
                  return (
                    <tr key={index} className="sheet__row sheet__gap" style={style}>
                      <td colSpan={table.columns.length + 1}>
                        <span className="sheet__gap-text">{t('compare.row', { row: row.row })}</span>
                      </td>
                    </tr>
                  );
                }
                const before = new Map(row.row.changed);
                return (
                  <tr
                    key={index}
                    className="sheet__row"
                    data-kind={row.row.kind}
                    data-active={index === active}
                    style={style}
                  >
                    <th scope="row" className="sheet__number" style={{ width: NUMBERS_WIDTH }}>
                      {row.row.kind === 'added' && <span className="visually-hidden">{t('files.added')}: </span>}
                      {row.row.kind === 'removed' && <span className="visually-hidden">{t('files.removed')}: </span>}
                      <span>{row.row.base_row}</span> <span>{row.row.other_row}</span>
                    </th>
                    {columns.map((item) => {
                      const column = table.columns[item.index];
                      return column === undefined ? null : (
                        <Cell
                          key={item.index}
                          row={row.row}
                          column={column}
                          before={before.get(item.index)}
                          item={item}
                        />
                      );
                    })}
                  </tr>
                );
              })}
            </tbody>
          </table>
        </section>
      )}
    </>
  );
}
