import type { TFunction } from 'i18next';
import { type CSSProperties, memo, type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import { useTranslation } from '../i18n/useTranslation.ts';
import { type GridKeys, onGridClick, onGridKey, rowOf } from './gridKeys.ts';
import { useRowWindow } from './rowWindow.ts';
import type { SelectionControl } from './selection.ts';
import { usePress } from './usePress.ts';
import './selectableGrid.css';

/** What a row stands for. */
export interface GridItem {
  readonly id: string;
  readonly name: string;
}

/** A row to bring into sight and to give the focus; a new object does it again. */
export interface GridTarget {
  readonly id: string;
}

export interface SelectableGridProps<T extends GridItem> {
  readonly label: string;
  /** Gives the columns, as `--columns`, and how tall each row is, as `--row-height`. */
  readonly className: string;
  readonly items: readonly T[];
  /** How many there will be, while only the first of them are there. */
  readonly total?: number;
  readonly selection: SelectionControl;
  /** Cells of the head, after the one that selects all. */
  readonly head: ReactNode;
  /**
   * Cells of a row, after the one that selects it. What takes the row's focus is marked `data-focus`. A row that has just come
   * into sight with many others is not whole: its words are enough then. Rows are drawn again when this is another function,
   * and only then unless they changed themselves.
   */
  readonly cells: (item: T, tabIndex: 0 | -1, isWhole: boolean) => ReactNode;
  /** Keys beside those that move and select, for the row that has the focus. */
  readonly actions?: Readonly<Record<string, (item: T) => void>>;
  readonly target?: GridTarget | null;
  /** Told when the last rows come into sight. */
  readonly onEnd?: () => void;
}

const NO_ACTIONS: Readonly<Record<string, () => void>> = {};

interface RowProps<T extends GridItem> {
  readonly item: T;
  readonly index: number;
  readonly isSelected: boolean;
  readonly isWhole: boolean;
  readonly tabIndex: 0 | -1;
  readonly cells: SelectableGridProps<T>['cells'];
  readonly onToggle: (id: string) => void;
  /** The grid's own: many rows are drawn while a list scrolls, and each hook in them counts. */
  readonly t: TFunction;
}

function PlainRow<T extends GridItem>(props: RowProps<T>) {
  const { item, index, isSelected, isWhole, tabIndex, cells, onToggle, t } = props;
  return (
    <tr
      data-index={index}
      className="grid__row grid__row--body"
      aria-rowindex={index + 2}
      aria-selected={isSelected}
      style={{ '--index': index } as CSSProperties}
    >
      <td>
        {isWhole && (
          <label className="check grid__check">
            <input
              type="checkbox"
              checked={isSelected}
              onChange={() => onToggle(item.id)}
              tabIndex={tabIndex}
              aria-label={t('files.select', { name: item.name })}
            />
          </label>
        )}
      </td>
      {cells(item, tabIndex, isWhole)}
    </tr>
  );
}

/** Stands where a row will be that is not there yet. */
function ComingRow({ index }: { readonly index: number }) {
  return (
    <tr className="grid__row grid__row--body" aria-rowindex={index + 2} style={{ '--index': index } as CSSProperties}>
      <td />
      <td>
        <span className="skeleton grid__coming" />
      </td>
    </tr>
  );
}

/** Drawn again only when something of its own changes: scrolling brings in rows and leaves the others alone. */
const Row = memo(PlainRow) as typeof PlainRow;

/**
 * A list whose rows are selected by mouse and keyboard: virtual, so that a hundred thousand rows scroll like ten, and one stop
 * of the Tab key. A table in meaning, since rows have the same columns.
 */
export function SelectableGrid<T extends GridItem>(props: SelectableGridProps<T>) {
  const { label, className, items, selection, head, cells, actions = NO_ACTIONS, target = null, onEnd } = props;
  const total = Math.max(items.length, props.total ?? 0);
  const isWhole = items.length === total;
  const { t } = useTranslation();
  const body = useRef<HTMLTableSectionElement>(null);
  const typed = useRef({ text: '', at: 0 });
  const wanted = useRef<string | null>(null);
  const hasFocus = useRef(false);
  const [stop, setStop] = useState<{ readonly id: string; readonly index: number }>({ id: '', index: 0 });
  const order = useMemo(() => items.map(({ id }) => id), [items]);
  const { drawn: inSight, whole, reveal } = useRowWindow(body, total);
  const { first, end } = inSight;
  const stopIndex = useMemo(() => {
    const index = order[stop.index] === stop.id ? stop.index : order.indexOf(stop.id);
    // A row that went leaves the stop to the one that took its place.
    return index >= 0 ? index : Math.max(0, Math.min(stop.index, order.length - 1));
  }, [order, stop]);
  const targetIndex = useMemo(() => (target === null ? -1 : order.indexOf(target.id)), [order, target]);
  const drawn = Array.from({ length: end - first }, (_, place) => first + place);
  // The stop is always there, for the Tab key to come back to.
  if (stopIndex < first) drawn.unshift(stopIndex);
  else if (stopIndex >= end) drawn.push(stopIndex);

  const giveFocus = () => {
    if (wanted.current === null) return;
    const row = body.current?.querySelector<HTMLElement>(`[data-index="${order.indexOf(wanted.current)}"]`);
    const place = row?.querySelector<HTMLElement>('[data-focus]');
    if (place === null || place === undefined) return;
    wanted.current = null;
    place.focus({ preventScroll: true });
  };
  const focusRow = (index: number) => {
    const id = order[index];
    if (id === undefined) return;
    wanted.current = id;
    setStop({ id, index });
    reveal(index);
    giveFocus();
  };
  usePress(body, (pressed) => {
    const index = rowOf(pressed);
    const id = index === null ? undefined : order[index];
    if (id !== undefined) selection.toggle(id);
  });
  // A row far away is drawn only after it was scrolled to.
  useEffect(giveFocus);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only another target, or the rows among which it is found, moves
  useEffect(() => {
    if (targetIndex >= 0) focusRow(targetIndex);
  }, [target, targetIndex >= 0]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the focus of a row that went passes to the next one
  useEffect(() => {
    if (hasFocus.current && document.activeElement === document.body) focusRow(stopIndex);
  }, [items]);
  const isAtEnd = end > 0 && end >= items.length;
  useEffect(() => {
    if (isAtEnd) onEnd?.();
  }, [isAtEnd, onEnd]);

  const itemActions = Object.fromEntries(
    Object.entries(actions).map(([key, act]) => [
      key,
      (index: number) => {
        const item = items[index];
        if (item !== undefined) act(item);
      },
    ]),
  );
  const keys: GridKeys = {
    order,
    isWhole,
    selection,
    focusRow,
    nameOf: (index) => items[index]?.name ?? '',
    typed: typed.current,
    actions: itemActions,
  };
  const selectedCount = useMemo(
    () => (selection.ids.size === 0 ? 0 : order.reduce((sum, id) => sum + Number(selection.ids.has(id)), 0)),
    [order, selection],
  );
  const isAll = selectedCount === items.length;

  return (
    <table
      // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: rows take the focus, are selected, and have columns
      role="grid"
      className={`grid card ${className}`}
      aria-label={label}
      aria-rowcount={total + 1}
      aria-multiselectable="true"
      data-selecting={selectedCount > 0}
      onKeyDown={(event) => onGridKey(event, keys)}
      onClickCapture={(event) => onGridClick(event, keys)}
      onFocus={({ target: focused }) => {
        hasFocus.current = true;
        const index = rowOf(focused);
        const id = index === null ? undefined : order[index];
        if (index !== null && id !== undefined) setStop((before) => (before.id === id ? before : { id, index }));
      }}
      onBlur={({ relatedTarget }) => {
        hasFocus.current = relatedTarget === null;
      }}
    >
      <thead className="grid__head">
        <tr className="grid__row" aria-rowindex={1}>
          <td>
            <label className="check grid__check">
              <input
                type="checkbox"
                ref={(element) => {
                  if (element !== null) element.indeterminate = selectedCount > 0 && !isAll;
                }}
                checked={isAll}
                disabled={!isWhole}
                onChange={() => (isAll ? selection.clear() : selection.select(order))}
                aria-label={t('files.selectAll')}
              />
            </label>
          </td>
          {head}
        </tr>
      </thead>
      <tbody ref={body} className="grid__body" style={{ '--count': total } as CSSProperties}>
        {drawn.map((index) => {
          const item = items[index];
          return item === undefined ? (
            <ComingRow key={index} index={index} />
          ) : (
            <Row
              key={item.id}
              item={item}
              index={index}
              isSelected={selection.ids.has(item.id)}
              isWhole={index >= whole.first && index < whole.end}
              tabIndex={index === stopIndex ? 0 : -1}
              cells={cells}
              onToggle={selection.toggle}
              t={t}
            />
          );
        })}
      </tbody>
    </table>
  );
}
