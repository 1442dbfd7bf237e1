import { defaultRangeExtractor, type Range, useWindowVirtualizer } from '@tanstack/react-virtual';
import { type ReactNode, useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type GridKeys, onGridClick, onGridKey, rowOf } from './gridKeys.ts';
import type { SelectionControl } from './selection.ts';
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
  /** Gives the columns, as `--columns`. */
  readonly className: string;
  readonly items: readonly T[];
  readonly selection: SelectionControl;
  /** Cells of the head, after the one that selects all. */
  readonly head: ReactNode;
  /** Cells of a row, after the one that selects it. What takes the row's focus is marked `data-focus`. */
  readonly cells: (item: T, tabIndex: 0 | -1) => ReactNode;
  /** Keys beside those that move and select, for the row that has the focus. */
  readonly actions?: Readonly<Record<string, (item: T) => void>>;
  readonly target?: GridTarget | null;
  /** Told when the last rows come into sight. */
  readonly onEnd?: () => void;
}

const ROW_HEIGHT = 57;
const OVERSCAN = 12;
/** Kept free of a row that is brought into sight: the bars above and below the list. */
const MARGIN_ABOVE = 72;
const MARGIN_BELOW = 96;
const NO_ACTIONS: Readonly<Record<string, () => void>> = {};

/**
 * A list whose rows are selected by mouse and keyboard: virtual, so that a hundred thousand rows scroll like ten, and one stop
 * of the Tab key. A table in meaning, since rows have the same columns.
 */
export function SelectableGrid<T extends GridItem>(props: SelectableGridProps<T>) {
  const { label, className, items, selection, head, cells, actions = NO_ACTIONS, target = null, onEnd } = props;
  const { t } = useTranslation();
  const body = useRef<HTMLTableSectionElement>(null);
  const typed = useRef({ text: '', at: 0 });
  const wanted = useRef<string | null>(null);
  const hasFocus = useRef(false);
  const [offset, setOffset] = useState(0);
  const [stop, setStop] = useState<{ readonly id: string; readonly index: number }>({ id: '', index: 0 });
  const order = useMemo(() => items.map(({ id }) => id), [items]);
  const places = useMemo(() => new Map(order.map((id, index) => [id, index])), [order]);
  // A row that went leaves the stop to the one that took its place.
  const stopIndex = places.get(stop.id) ?? Math.max(0, Math.min(stop.index, items.length - 1));
  // The same function while the rows are the same: another one has all of them measured anew, at each frame of scrolling.
  const keyOf = useCallback((index: number) => order[index] ?? index, [order]);
  const virtualizer = useWindowVirtualizer({
    count: items.length,
    estimateSize: () => ROW_HEIGHT,
    getItemKey: keyOf,
    overscan: OVERSCAN,
    scrollMargin: offset,
    scrollPaddingStart: MARGIN_ABOVE,
    scrollPaddingEnd: MARGIN_BELOW,
    // The stop is always there, for the Tab key to come back to.
    rangeExtractor: (range: Range) =>
      [...new Set([stopIndex, ...defaultRangeExtractor(range)])]
        .filter((index) => index < range.count)
        .sort((a, b) => a - b),
  });
  const rows = virtualizer.getVirtualItems();

  useLayoutEffect(() => {
    const top = (body.current?.getBoundingClientRect().top ?? 0) + window.scrollY;
    setOffset((before) => (Math.abs(before - top) < 1 ? before : top));
  });

  const giveFocus = () => {
    if (wanted.current === null) return;
    const row = body.current?.querySelector<HTMLElement>(`[data-index="${places.get(wanted.current) ?? -1}"]`);
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
    virtualizer.scrollToIndex(index);
    giveFocus();
  };
  // A row far away is drawn only after it was scrolled to.
  useEffect(giveFocus);
  // biome-ignore lint/correctness/useExhaustiveDependencies: only another target, or the rows among which it is found, moves
  useEffect(() => {
    const index = target === null ? undefined : places.get(target.id);
    if (index !== undefined) focusRow(index);
  }, [target, target !== null && places.has(target.id)]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the focus of a row that went passes to the next one
  useEffect(() => {
    if (hasFocus.current && document.activeElement === document.body) focusRow(stopIndex);
  }, [items]);
  const isAtEnd = rows.at(-1)?.index === items.length - 1;
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
    selection,
    focusRow,
    nameOf: (index) => items[index]?.name ?? '',
    typed: typed.current,
    actions: itemActions,
  };
  const selectedCount = useMemo(
    () => order.reduce((sum, id) => sum + Number(selection.ids.has(id)), 0),
    [order, selection],
  );
  const isAll = selectedCount === items.length;

  return (
    <table
      // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: rows take the focus, are selected, and have columns
      role="grid"
      className={`grid card ${className}`}
      aria-label={label}
      aria-rowcount={items.length + 1}
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
                onChange={() => (isAll ? selection.clear() : selection.select(order))}
                aria-label={t('files.selectAll')}
              />
            </label>
          </td>
          {head}
        </tr>
      </thead>
      <tbody ref={body} className="grid__body" style={{ height: virtualizer.getTotalSize() }}>
        {rows.map(({ index, start, key }) => {
          const item = items[index];
          if (item === undefined) return null;
          const isSelected = selection.ids.has(item.id);
          const tabIndex = index === stopIndex ? 0 : -1;
          return (
            <tr
              key={key}
              data-index={index}
              ref={virtualizer.measureElement}
              className="grid__row grid__row--body"
              aria-rowindex={index + 2}
              aria-selected={isSelected}
              style={{ transform: `translateY(${start - offset}px)` }}
            >
              <td>
                <label className="check grid__check">
                  <input
                    type="checkbox"
                    checked={isSelected}
                    onChange={() => selection.toggle(item.id)}
                    tabIndex={tabIndex}
                    aria-label={t('files.select', { name: item.name })}
                  />
                </label>
              </td>
              {cells(item, tabIndex)}
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}
