import type { KeyboardEvent, MouseEvent } from 'react';
import type { SelectionControl } from './selection.ts';

const TYPING_PAUSE_MS = 1000;
const PAGE = 10;

/** Letters typed one after another, which make one text to jump to. */
export interface TypedLetters {
  text: string;
  /** When the last of them was done with, in milliseconds of the page's clock. */
  at: number;
}

export interface GridKeys {
  /** Ids of all rows, in order; rows carry their place in it as `data-index`. */
  readonly order: readonly string[];
  /** There are no more rows to come: all can be selected. */
  readonly isWhole: boolean;
  readonly selection: SelectionControl;
  /** Brings a row into sight and gives it the focus. */
  readonly focusRow: (index: number) => void;
  /** The text of a row by which typing letters jumps to it. */
  readonly nameOf: (index: number) => string;
  /** Kept by the grid from one key to the next. */
  readonly typed: TypedLetters;
  /** Further keys, by the row that has the focus. */
  readonly actions: Readonly<Record<string, (index: number) => void>>;
}

/** The place of the row that an event happened in; null outside of all rows. */
export function rowOf(target: EventTarget): number | null {
  const row = target instanceof Element ? target.closest<HTMLElement>('[data-index]')?.dataset.index : undefined;
  return row === undefined ? null : Number(row);
}

/** Fields keep their own keys, and so do menus and buttons what presses them. */
function isBusy(target: EventTarget, key: string): boolean {
  if (!(target instanceof HTMLElement)) return true;
  if (target.closest('[role="menu"], input:not([type="checkbox"]), textarea, select') !== null) return true;
  return key === ' ' && target.matches('button, input');
}

/** Goes to the next name that begins with what was typed; the time that a slow list takes to move is no pause in typing. */
function jump(
  { order, nameOf, focusRow, typed }: GridKeys,
  { key, timeStamp }: KeyboardEvent<HTMLElement>,
  from: number,
): void {
  typed.text = (timeStamp - typed.at < TYPING_PAUSE_MS ? typed.text : '') + key.toLocaleLowerCase();
  // The first letter goes on to the next such name; more of them make sure of the present one.
  const start = typed.text.length === 1 ? from + 1 : from;
  for (let step = 0; step < order.length; step += 1) {
    const index = (start + step) % order.length;
    if (nameOf(index).toLocaleLowerCase().startsWith(typed.text)) {
      focusRow(index);
      break;
    }
  }
  typed.at = performance.now();
}

function move({ order, selection, focusRow }: GridKeys, from: number, wanted: number, isExtending: boolean): void {
  const to = Math.max(0, Math.min(wanted, order.length - 1));
  const [id, target] = [order[from], order[to]];
  if (isExtending && id !== undefined && target !== undefined) {
    if (selection.ids.size === 0) selection.toggle(id);
    selection.extendTo(order, target);
  }
  focusRow(to);
}

/**
 * The keys of a grid with a selection: arrows, Page keys, Home and End move, with Shift they extend; Space takes a row in or
 * out, Ctrl or Cmd and A takes all, Escape none; letters jump to a name.
 */
export function onGridKey(event: KeyboardEvent<HTMLElement>, keys: GridKeys): void {
  const at = rowOf(event.target);
  if (at === null || event.altKey || isBusy(event.target, event.key)) return;
  const { order, isWhole, selection, actions } = keys;
  const moves: Readonly<Record<string, number>> = {
    ArrowDown: at + 1,
    ArrowUp: at - 1,
    PageDown: at + PAGE,
    PageUp: at - PAGE,
    Home: 0,
    End: order.length - 1,
  };
  const to = moves[event.key];
  const id = order[at];
  if (event.ctrlKey || event.metaKey) {
    if (event.key.toLowerCase() !== 'a') return;
    if (isWhole) selection.select(order);
  } else if (to !== undefined) move(keys, at, to, event.shiftKey);
  else if (event.key === ' ' && id !== undefined) selection.toggle(id);
  else if (event.key === 'Escape' && selection.ids.size > 0) selection.clear();
  else if (actions[event.key] !== undefined) actions[event.key]?.(at);
  else if (event.key.length === 1 && event.key !== ' ') jump(keys, event, at);
  else return;
  event.preventDefault();
  event.stopPropagation();
}

/** A finger takes rows in and out by tapping them once there is a selection, which a press begins; what a row does it does still. */
function isSelectingTap({ nativeEvent, target }: MouseEvent<HTMLElement>, { ids }: SelectionControl): boolean {
  const isTouch = nativeEvent instanceof PointerEvent && nativeEvent.pointerType === 'touch';
  return isTouch && ids.size > 0 && target instanceof Element && target.closest('button, label') === null;
}

/**
 * A click beside what a row holds selects this row alone; Ctrl or Cmd and a click anywhere in it takes it in or out, Shift and
 * a click all up to it.
 */
export function onGridClick(event: MouseEvent<HTMLElement>, { order, selection }: GridKeys): void {
  const at = rowOf(event.target);
  const id = at === null ? undefined : order[at];
  if (id === undefined || !(event.target instanceof Element)) return;
  if (event.target.closest('[role="menu"], input:not([type="checkbox"])') !== null) return;
  if (!(event.shiftKey || event.ctrlKey || event.metaKey || isSelectingTap(event, selection))) {
    if (event.target.closest('a, button, label') === null) selection.only(id);
    return;
  }
  event.preventDefault();
  event.stopPropagation();
  if (event.shiftKey) selection.extendTo(order, id);
  else selection.toggle(id);
}
