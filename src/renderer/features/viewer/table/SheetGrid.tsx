import { useVirtualizer, type VirtualItem } from '@tanstack/react-virtual';
import Papa from 'papaparse';
import {
  type KeyboardEvent,
  type PointerEvent,
  type RefObject,
  useEffect,
  useId,
  useMemo,
  useRef,
  useState,
} from 'react';
import { useTranslation } from '../../../i18n/useTranslation.ts';
import { notify } from '../../../ui/toast.ts';
import { useFormats } from '../../../ui/useFormats.ts';
import { GridPart } from '../kit/GridPart.tsx';
import { type CellPlace, cellsOf, columnLetters, momentText, rowCount, type Sheet } from './sheet.ts';
import { type CellRange, type CellSelection, useCellSelection } from './useCellSelection.ts';
import '../kit/kit.css';
import './table.css';

const ROW_HEIGHT = 28;
/** Browsers draw nothing beyond some 33 million pixels. */
const MOST_ROWS = 1_000_000;
/** More cells are not copied at once: the file itself is the better copy of so much. */
const MOST_COPIED = 500_000;
/** Rows whose cells are kept while others are in sight. */
const MOST_KEPT = 500;
const CHARACTER = 7.8;
const CELL_PADDING = 18;
const NARROWEST = 3;

const isWithin = ({ top, bottom, left, right }: CellRange, row: number, column: number) =>
  row >= top && row <= bottom && column >= left && column <= right;

const widthOf = (characters: number) => Math.max(NARROWEST, characters) * CHARACTER + CELL_PADDING;

function rangeText(sheet: Sheet, { top, bottom, left, right }: CellRange): string {
  const rows: string[][] = [];
  for (let row = top; row <= bottom; row += 1) {
    const cells = cellsOf(sheet, row);
    rows.push(Array.from({ length: right - left + 1 }, (_, index) => cells[left + index] ?? ''));
  }
  return Papa.unparse(rows, { delimiter: '\t', newline: '\n' });
}

/** What a cell says to its reader. */
type CellText = (row: number, column: number) => string;

function useCellText(sheet: Sheet): CellText {
  const { locale } = useFormats();
  return useMemo(() => {
    const kept = new Map<number, readonly string[]>();
    const cells = (row: number) => {
      const known = kept.get(row);
      if (known !== undefined) return known;
      if (kept.size >= MOST_KEPT) kept.clear();
      const read = cellsOf(sheet, row);
      kept.set(row, read);
      return read;
    };
    return (row, column) => {
      const text = cells(row)[column] ?? '';
      return sheet.dates.has(row * sheet.columns + column) ? momentText(text, locale) : text;
    };
  }, [sheet, locale]);
}

/** What of a sheet is in sight. The row that names the columns always is, above the others. */
function useGridWindow(sheet: Sheet, rows: number, scroller: RefObject<HTMLDivElement | null>) {
  const namesRows = sheet.hasHeader ? 1 : 0;
  const numbersWidth = widthOf(String(rows).length);
  const headHeight = ROW_HEIGHT * (1 + namesRows);
  const getScrollElement = () => scroller.current;
  const vertical = useVirtualizer({
    count: rows - namesRows,
    getScrollElement,
    estimateSize: () => ROW_HEIGHT,
    scrollPaddingStart: headHeight,
    paddingStart: headHeight,
    overscan: 8,
  });
  const horizontal = useVirtualizer({
    horizontal: true,
    count: sheet.columns,
    getScrollElement,
    estimateSize: (column) => widthOf(sheet.widths[column] ?? 0),
    scrollPaddingStart: numbersWidth,
    paddingStart: numbersWidth,
    overscan: 3,
  });
  return { namesRows, numbersWidth, headHeight, vertical, horizontal };
}

interface RowCellsProps {
  readonly sheet: Sheet;
  readonly row: number;
  readonly columns: readonly VirtualItem[];
  readonly numbersWidth: number;
  readonly text: CellText;
  readonly selection: CellSelection;
  readonly marks: ReadonlySet<number>;
  readonly activeId: string;
}

function RowCells({ sheet, row, columns, numbersWidth, text, selection, marks, activeId }: RowCellsProps) {
  const { active, range } = selection;
  return (
    <>
      <GridPart className="sheet__number" role="rowheader" aria-colindex={1} style={{ width: numbersWidth }}>
        {row + 1}
      </GridPart>
      {columns.map(({ index: column, start, size }) => {
        const place = row * sheet.columns + column;
        const isActive = row === active.row && column === active.column;
        return (
          <GridPart
            key={column}
            id={isActive ? activeId : undefined}
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
            {text(row, column)}
          </GridPart>
        );
      })}
    </>
  );
}

function Letters({ columns, numbersWidth }: Pick<RowCellsProps, 'columns' | 'numbersWidth'>) {
  const { t } = useTranslation();
  return (
    <GridPart className="sheet__row" role="row" aria-rowindex={1}>
      <GridPart className="sheet__number" role="columnheader" aria-colindex={1} style={{ width: numbersWidth }}>
        <span className="visually-hidden">{t('viewKinds.rowNumber')}</span>
      </GridPart>
      {columns.map(({ index: column, start, size }) => (
        <GridPart
          key={column}
          className="sheet__letter"
          role="columnheader"
          aria-colindex={column + 2}
          style={{ left: start, width: size }}
        >
          {columnLetters(column)}
        </GridPart>
      ))}
    </GridPart>
  );
}

interface CellBarProps {
  readonly sheet: Sheet;
  readonly active: CellPlace;
  readonly text: CellText;
}

/** The cell that the keys move from, with all of its text, and how large the sheet is. */
function CellBar({ sheet, active: { row, column }, text }: CellBarProps) {
  const { t } = useTranslation();
  const { number } = useFormats();
  return (
    <>
      <div className="sheet-cell-bar">
        <span className="sheet-cell-bar__place">
          {columnLetters(column)}
          {row + 1}
        </span>
        <span className="sheet-cell-bar__text">{text(row, column)}</span>
        <span className="sheet-cell-bar__count">
          {t('viewKinds.tableSize', { rows: number(rowCount(sheet)), columns: number(sheet.columns) })}
        </span>
      </div>
      {rowCount(sheet) > MOST_ROWS && (
        <p className="view-note">{t('viewKinds.firstRows', { rows: number(MOST_ROWS) })}</p>
      )}
    </>
  );
}

function cellOf(event: PointerEvent): CellPlace | null {
  const cell = event.target instanceof Element ? event.target.closest<HTMLElement>('[data-column]') : null;
  const row = cell?.closest<HTMLElement>('[data-row]')?.dataset.row;
  return cell === null || row === undefined ? null : { row: Number(row), column: Number(cell.dataset.column) };
}

/** Selecting with the pointer: a click a cell, with Shift or by dragging all up to it. Fingers scroll. */
function usePointerSelection({ active, goTo }: CellSelection) {
  const [isDragging, setDragging] = useState(false);
  return {
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
  const activeId = useId();
  const scroller = useRef<HTMLDivElement>(null);
  const rows = Math.min(rowCount(sheet), MOST_ROWS);
  const text = useCellText(sheet);
  const selection = useCellSelection(rows, sheet.columns, target);
  const { active, range, goTo } = selection;
  const pointer = usePointerSelection(selection);
  const { namesRows, numbersWidth, vertical, horizontal } = useGridWindow(sheet, rows, scroller);

  useEffect(() => {
    if (active.row >= namesRows) vertical.scrollToIndex(active.row - namesRows);
    horizontal.scrollToIndex(active.column);
  }, [active, namesRows, vertical, horizontal]);
  const latestGoTo = useRef(goTo);
  useEffect(() => {
    latestGoTo.current = goTo;
  });
  useEffect(() => latestGoTo.current(target, false), [target]);

  const copy = () => {
    const count = (range.bottom - range.top + 1) * (range.right - range.left + 1);
    if (count > MOST_COPIED) {
      notify(t('viewKinds.tooManyCells'), 'warning');
      return;
    }
    navigator.clipboard.writeText(rangeText(sheet, range)).then(
      () => notify(t('viewKinds.cellsCopied', { count })),
      () => notify(t('viewKinds.notCopied'), 'warning'),
    );
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const isCopy = (event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'c';
    if (isCopy) copy();
    if (isCopy || selection.onKey(event)) event.preventDefault();
  };
  const columns = horizontal.getVirtualItems();
  const width = horizontal.getTotalSize();
  const shared = { sheet, columns, numbersWidth, text, selection, marks, activeId };
  return (
    <div className="view">
      <CellBar sheet={sheet} active={active} text={text} />
      <GridPart
        className="sheet view__main"
        ref={scroller}
        role="grid"
        tabIndex={0}
        aria-label={sheet.name === '' ? t('viewKinds.document') : sheet.name}
        aria-rowcount={rows + 1}
        aria-colcount={sheet.columns + 1}
        aria-activedescendant={activeId}
        aria-multiselectable
        aria-readonly
        onKeyDown={onKeyDown}
        {...pointer}
      >
        <div className="sheet__canvas" role="presentation" style={{ width, height: vertical.getTotalSize() }}>
          <GridPart className="sheet__head" role="rowgroup" style={{ width }}>
            <Letters columns={columns} numbersWidth={numbersWidth} />
            {namesRows === 1 && (
              <GridPart className="sheet__row sheet__names" role="row" aria-rowindex={2} data-row={0}>
                <RowCells row={0} {...shared} />
              </GridPart>
            )}
          </GridPart>
          <GridPart role="rowgroup">
            {vertical.getVirtualItems().map(({ index, start }) => {
              const row = index + namesRows;
              return (
                <GridPart
                  key={row}
                  className="sheet__row sheet__row--body"
                  role="row"
                  aria-rowindex={row + 2}
                  data-row={row}
                  style={{ transform: `translateY(${start}px)`, width }}
                >
                  <RowCells row={row} {...shared} />
                </GridPart>
              );
            })}
          </GridPart>
        </div>
      </GridPart>
    </div>
  );
}
