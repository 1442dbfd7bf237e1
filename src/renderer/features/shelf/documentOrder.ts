import { useMemo, useState } from 'react';
import type { ShelfDocument } from '../../../shared/model/library.ts';
import type { SortOrder } from '../../ui/SortHeader.tsx';

export type Column = 'name' | 'version' | 'changed' | 'size';

const COMPARE: Readonly<Record<Exclude<Column, 'name'>, (a: ShelfDocument, b: ShelfDocument) => number>> = {
  version: (a, b) => a.current_version - b.current_version,
  changed: (a, b) => (a.updated_at < b.updated_at ? -1 : Number(a.updated_at > b.updated_at)),
  size: (a, b) => a.size - b.size,
};

export interface OrderedDocuments {
  /** Those that hold the wanted text in their names, as they are to stand. */
  readonly shown: readonly ShelfDocument[];
  readonly order: SortOrder<Column>;
  readonly onSort: (order: SortOrder<Column>) => void;
}

/** Sorts the documents of a shelf, which come by name, and leaves out those whose names do not hold a text, which is in lower case. */
export function useOrderedDocuments(documents: readonly ShelfDocument[], wanted: string): OrderedDocuments {
  const [order, onSort] = useState<SortOrder<Column>>({ column: 'name', descending: false });
  // Sorting very many takes long, so that it is not done again for what is typed into the filter.
  const all = useMemo(() => {
    const rows = order.column === 'name' ? documents : documents.toSorted(COMPARE[order.column]);
    return order.descending ? rows.toReversed() : rows;
  }, [documents, order]);
  const shown = useMemo(
    () => (wanted === '' ? all : all.filter(({ name }) => name.toLocaleLowerCase().includes(wanted))),
    [all, wanted],
  );
  return useMemo(() => ({ shown, order, onSort }), [shown, order]);
}
