import { useMemo, useState } from 'react';
import type { ShelfDocument } from '../../../shared/model/library.ts';
import type { SortOrder } from '../../ui/SortHeader.tsx';
import { useFormats } from '../../ui/useFormats.ts';

export type Column = 'name' | 'version' | 'changed' | 'size';

function compareBy(column: Column, locale: string): (a: ShelfDocument, b: ShelfDocument) => number {
  if (column === 'size') return (a, b) => a.size - b.size;
  if (column === 'version') return (a, b) => a.current_version - b.current_version;
  if (column === 'changed') return (a, b) => (a.updated_at < b.updated_at ? -1 : Number(a.updated_at > b.updated_at));
  const { compare } = new Intl.Collator(locale, { numeric: true, sensitivity: 'base' });
  return (a, b) => compare(a.name, b.name);
}

export interface OrderedDocuments {
  /** Those that hold the wanted text in their names, as they are to stand. */
  readonly shown: readonly ShelfDocument[];
  readonly order: SortOrder<Column>;
  readonly onSort: (order: SortOrder<Column>) => void;
}

/** Sorts the documents of a shelf and leaves out those whose names do not hold a text, which is in lower case. */
export function useOrderedDocuments(documents: readonly ShelfDocument[], wanted: string): OrderedDocuments {
  const { locale } = useFormats();
  const [order, onSort] = useState<SortOrder<Column>>({ column: 'name', descending: false });
  // Sorting very many takes long, so that it is not done again for what is typed into the filter.
  const all = useMemo(() => {
    const rows = [...documents].sort(compareBy(order.column, locale));
    return order.descending ? rows.reverse() : rows;
  }, [documents, order, locale]);
  const shown = useMemo(
    () => (wanted === '' ? all : all.filter(({ name }) => name.toLocaleLowerCase().includes(wanted))),
    [all, wanted],
  );
  return useMemo(() => ({ shown, order, onSort }), [shown, order]);
}
