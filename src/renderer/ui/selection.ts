import { useCallback, useMemo, useState } from 'react';

/** Which rows of a list are selected, and from which one a range is measured. */
export interface Selection {
  readonly ids: ReadonlySet<string>;
  readonly anchor: string | null;
}

export const NOTHING_SELECTED: Selection = { ids: new Set(), anchor: null };

/** Takes one row in, or out; ranges are measured from it. */
export function toggled(selection: Selection, id: string): Selection {
  const ids = new Set(selection.ids);
  if (!ids.delete(id)) ids.add(id);
  return { ids, anchor: id };
}

/** Takes in all rows from the anchor to this one, in the order in which they stand. */
export function extended(selection: Selection, order: readonly string[], id: string): Selection {
  const to = order.indexOf(id);
  const from = selection.anchor === null ? to : order.indexOf(selection.anchor);
  if (to < 0 || from < 0) return toggled(selection, id);
  const ids = new Set(selection.ids);
  for (const each of order.slice(Math.min(from, to), Math.max(from, to) + 1)) ids.add(each);
  return { ids, anchor: selection.anchor ?? id };
}

/** A list's selection, with what changes it. The functions stay the same, so that rows need not be drawn again. */
export interface SelectionControl {
  readonly ids: ReadonlySet<string>;
  readonly toggle: (id: string) => void;
  /** This row and no other. */
  readonly only: (id: string) => void;
  /** From the last one that was toggled. */
  readonly extendTo: (order: readonly string[], id: string) => void;
  readonly select: (ids: Iterable<string>) => void;
  readonly clear: () => void;
}

/** Keeps a selection. Whoever draws the list leaves out what is no longer listed. */
export function useSelection(): SelectionControl {
  const [selection, setSelection] = useState(NOTHING_SELECTED);
  const toggle = useCallback((id: string) => setSelection((before) => toggled(before, id)), []);
  const only = useCallback((id: string) => setSelection({ ids: new Set([id]), anchor: id }), []);
  const extendTo = useCallback(
    (order: readonly string[], id: string) => setSelection((before) => extended(before, order, id)),
    [],
  );
  const select = useCallback((ids: Iterable<string>) => setSelection({ ids: new Set(ids), anchor: null }), []);
  const clear = useCallback(() => setSelection(NOTHING_SELECTED), []);
  return useMemo(
    () => ({ ids: selection.ids, toggle, only, extendTo, select, clear }),
    [selection, toggle, only, extendTo, select, clear],
  );
}
