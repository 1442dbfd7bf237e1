import { useVirtualizer } from '@tanstack/react-virtual';
import Papa from 'papaparse';
import { type ClipboardEvent, type PointerEvent, useEffect, useId, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormats } from '../../../ui/useFormats.ts';
import { type CellPlace, cellsOf, columnLetters, momentText, rowCount, type Sheet } from './sheet.ts';
import { type CellRange, useCellSelection } from './useCellSelection.ts';
import '../kit/kit.css';
import './table.css';

const ROW_HEIGHT = 28;
/** Browsers draw nothing beyond some 33 million pixels. */
const MOST_ROWS = 1_000_000;
/** More cells are not copied at once: the file itself is the better copy of so much. */
const MOST_COPIED = 500_000;
const CHARACTER = 7.8;
const CELL_PADDING = 18;

const isWithin = ({ top, bottom, left, right }: CellRange, row: number, column: number) =>
  row >= top && row <= bottom && column >= left && column <= right;

function rangeText(sheet: Sheet, { top, bottom, left, right }: CellRange): string {
  const rows: string[][] = [];
  for (let row = top; row <= bottom; row += 1) {
    const cells = cellsOf(sheet, row);
    rows.push(Array.from({ length: right - left + 1 }, (_, index) => cells[left + index] ?? ''));
  }
  return Papa.unparse(rows, { delimiter: '\t', newline: '\n' });
}

/** The cells of rows, read once while they are in sight. */
function useRows(sheet: Sheet): (row: number) => readonly string[] {
  return useMemo(() => {
    const kept = new Map<number, readonly string[]>();
    return (row) => {
      const known = kept.get(row);
      if (known !== undefined) return known;
      if (kept.size > 500) kept.clear();
      const cells = cellsOf(sheet, row);
      kept.set(row, cells);
      return cells;
    };
  }, [sheet]);
}

function cellOf(event: PointerEvent): CellPlace | null {
  const cell = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-column]') : null;
  const row = cell?.closest<HTMLElement>('[data-row]')?.dataset.row;
  return cell === null || row === undefined ? null : { row: Number(row), column: Number(cell.dataset.column) };
}

export interface SheetGridProps {
  readonly sheet: Sheet;
  /** The cell to be in sight, whenever it is another one. */
  readonly target: CellPlace;
  /** Cells in which something was found, as `row * columns + column`. */
  readonly marks: ReadonlySet<number>;
}

/** A table of any size: only what is in sight is drawn. */
export function SheetGrid({ sheet, target, marks }: SheetGridProps) {
  const { t } = useTranslation();
  const formats = useFormats();
  const id = useId();
  const scroller = useRef<HTMLDivElement>(null);
  const rows = Math.min(rowCount(sheet), MOST_ROWS);
  const rowOf = useRows(sheet);
  const selection = useCellSelection(rows, sheet.columns, target);
  const { active, range, goTo } = selection;
  const [isDragging, setDragging] = useState(false);
  // The row that names the columns stays in sight above the others.
  const first = sheet.hasHeader ? 1 : 0;
  const numbersWidth = Math.max(3, String(rows).length) * CHARACTER + CELL_PADDING;
  const headHeight = ROW_HEIGHT * (1 + first);
  const vertical = useVirtualizer({
    count: rows - first,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_HEIGHT,
    scrollPaddingStart: headHeight,
    paddingStart: headHeight,
    overscan: 8,
  });
  const horizontal = useVirtualizer({
    horizontal: true,
    count: sheet.columns,
    getScrollElement: () => scroller.current,
    estimateSize: (column) => Math.max(3, sheet.widths[column] ?? 3) * CHARACTER + CELL_PADDING,
    scrollPaddingStart: numbersWidth,
    paddingStart: numbersWidth,
    overscan: 3,
  });

  useEffect(() => {
    if (active.row >= first) vertical.scrollToIndex(active.row - first);
    horizontal.scrollToIndex(active.column);
  }, [active, first, vertical, horizontal]);
  const latestGoTo = useRef(goTo);
  useEffect(() => {
    latestGoTo.current = goTo;
  });
  useEffect(() => latestGoTo.current(target, false), [target]);

  const columns = horizontal.getVirtualItems();
  const shown = (row: number, column: number): string => {
    const text = rowOf(row)[column] ?? '';
    return sheet.dates.has(row * sheet.columns + column) ? momentText(text, formats.locale) : text;
  };
  const cells = (row: number) =>
    columns.map(({ index: column, start, size }) => {
      const isActive = row === active.row && column === active.column;
      const place = row * sheet.columns + column;
      return (
        // biome-ignore lint/a11y/useFocusableInteractive: the grid has the focus, and names its active cell
        // biome-ignore lint/a11y/useSemanticElements: a table cannot leave out what is not in sight
        <div
          key={column}
          id={isActive ? `${id}-active` : undefined}
          role="gridcell"
          className="sheet__cell"
          aria-colindex={column + 2}
          aria-selected={isWithin(range, row, column)}
          data-column={column}
          data-active={isActive || undefined}
          data-found={marks.has(place) || undefined}
          data-number={sheet.numeric[column] || sheet.dates.has(place) || undefined}
          style={{ left: start, width: size }}
        >
          {shown(row, column)}
        </div>
      );
    });
  const rowNumber = (row: number) => (
    // biome-ignore lint/a11y/useFocusableInteractive: the grid has the focus, and names its active cell
    // biome-ignore lint/a11y/useSemanticElements: a table cannot leave out what is not in sight
    <div className="sheet__number" role="rowheader" aria-colindex={1} style={{ width: numbersWidth }}>
      {row + 1}
    </div>
  );

  const onCopy = (event: ClipboardEvent) => {
    const count = (range.bottom - range.top + 1) * (range.right - range.left + 1);
    if (count > MOST_COPIED) return;
    event.preventDefault();
    event.clipboardData.setData('text/plain', rangeText(sheet, range));
  };
  const pointer = {
    onPointerDown(event: PointerEvent) {
      const cell = cellOf(event);
      if (cell === null || event.button !== 0) return;
      goTo(cell, event.shiftKey);
      setDragging(event.pointerType === 'mouse');
    },
    onPointerMove(event: PointerEvent) {
      const cell = isDragging && event.buttons === 1 ? cellOf(event) : null;
      if (cell !== null && (cell.row !== active.row || cell.column !== active.column)) goTo(cell, true);
    },
    onPointerUp: () => setDragging(false),
  };
  const width = horizontal.getTotalSize();
  return (
    <div className="view">
      <div className="sheet-cell-bar">
        <span className="sheet-cell-bar__place">
          {columnLetters(active.column)}
          {active.row + 1}
        </span>
        <span className="sheet-cell-bar__text">{shown(active.row, active.column)}</span>
        <span className="sheet-cell-bar__count">
          {t('viewKinds.tableSize', { rows: formats.number(rowCount(sheet)), columns: formats.number(sheet.columns) })}
        </span>
      </div>
      {rowCount(sheet) > MOST_ROWS && (
        <p className="view-note">{t('viewKinds.firstRows', { rows: formats.number(MOST_ROWS) })}</p>
      )}
      {/* biome-ignore lint/a11y/useSemanticElements: a table cannot leave out what is not in sight */}
      <div
        className="sheet view__main"
        ref={scroller}
        role="grid"
        tabIndex={0}
        aria-label={sheet.name === '' ? t('version.preview') : sheet.name}
        aria-rowcount={rows + 1}
        aria-colcount={sheet.columns + 1}
        aria-activedescendant={`${id}-active`}
        aria-multiselectable="true"
        aria-readonly="true"
        onKeyDown={(event) => selection.onKey(event) && event.preventDefault()}
        onCopy={onCopy}
        {...pointer}
      >
        <div className="sheet__canvas" role="presentation" style={{ width, height: vertical.getTotalSize() }}>
          <div className="sheet__head" role="rowgroup" style={{ width }}>
            {/* biome-ignore lint/a11y/useSemanticElements: a table cannot leave out what is not in sight */}
            {/* biome-ignore lint/a11y/useFocusableInteractive: the grid has the focus */}
            <div className="sheet__row sheet__letters" role="row" aria-rowindex={1}>
              {/* biome-ignore lint/a11y/useSemanticElements: as above */}
              {/* biome-ignore lint/a11y/useFocusableInteractive: as above */}
              <div
                className="sheet__number"
                role="columnheader"
                aria-colindex={1}
                aria-label={t('viewKinds.rowNumber')}
                style={{ width: numbersWidth }}
              />
              {columns.map(({ index: column, start, size }) => (
                // biome-ignore lint/a11y/useSemanticElements: as above
                // biome-ignore lint/a11y/useFocusableInteractive: as above
                <div
                  key={column}
                  className="sheet__letter"
                  role="columnheader"
                  aria-colindex={column + 2}
                  style={{ left: start, width: size }}
                >
                  {columnLetters(column)}
                </div>
              ))}
            </div>
            {first === 1 && (
              // biome-ignore lint/a11y/useSemanticElements: as above
              // biome-ignore lint/a11y/useFocusableInteractive: as above
              <div className="sheet__row sheet__names" role="row" aria-rowindex={2} data-row={0}>
                {rowNumber(0)}
                {cells(0)}
              </div>
            )}
          </div>
          <div role="rowgroup">
            {vertical.getVirtualItems().map(({ index, start }) => {
              const row = index + first;
              return (
                // biome-ignore lint/a11y/useSemanticElements: as above
                // biome-ignore lint/a11y/useFocusableInteractive: as above
                <div
                  key={row}
                  className="sheet__row sheet__row--body"
                  role="row"
                  aria-rowindex={row + 2}
                  data-row={row}
                  style={{ transform: `translateY(${start}px)`, width }}
                >
                  {rowNumber(row)}
                  {cells(row)}
                </div>
              );
            })}
          </div>
        </div>
      </div>
    </div>
  );
}
