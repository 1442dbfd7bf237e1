import { useMemo } from 'react';
import { navigate, usePathname, useSearch } from '../../app/place.ts';
import type { SortOrder } from '../../ui/SortHeader.tsx';

/** Rows of a list that are shown at once. */
export const PAGE_SIZE = 50;

/** Which part of a list its address asks for: so it can be linked to, and Back leads to the part before. */
export interface ListAddress<C extends string> {
  readonly page: number;
  readonly search: string;
  readonly order: SortOrder<C>;
  /** What else the list is narrowed to; empty for all. */
  readonly filter: (name: string) => string;
  readonly goTo: (page: number) => void;
  readonly sortBy: (order: SortOrder<C>) => void;
  /** Narrows the list by words. They come letter by letter, so they are one step back. */
  readonly searchFor: (search: string) => void;
  /** Narrows the list otherwise; the first page of what is left shows. */
  readonly narrow: (filters: Readonly<Record<string, string>>) => void;
}

const SEARCH = 'search';

/** The list of the present address. */
export function useListAddress<C extends string>(columns: readonly C[], initial: SortOrder<C>): ListAddress<C> {
  const pathname = usePathname();
  const address = useSearch();
  return useMemo(() => {
    const query = new URLSearchParams(address);
    const go = (changes: Readonly<Record<string, string>>, replace: boolean) => {
      const next = new URLSearchParams(address);
      for (const [name, value] of Object.entries(changes)) {
        if (value === '') next.delete(name);
        else next.set(name, value);
      }
      navigate(next.size === 0 ? pathname : `${pathname}?${next}`, { replace });
    };
    const column = columns.find((each) => each === query.get('sort'));
    const page = Number(query.get('page'));
    return {
      page: Number.isSafeInteger(page) && page > 0 ? page : 1,
      search: query.get(SEARCH) ?? '',
      order: column === undefined ? initial : { column, descending: query.get('order') === 'desc' },
      filter: (name) => query.get(name) ?? '',
      goTo: (next) => go({ page: next === 1 ? '' : String(next) }, false),
      sortBy: (order) => go({ sort: order.column, order: order.descending ? 'desc' : 'asc', page: '' }, false),
      searchFor: (search) => go({ [SEARCH]: search, page: '' }, true),
      narrow: (filters) => go({ ...filters, page: '' }, false),
    };
  }, [pathname, address, columns, initial]);
}

const NO_COLUMNS: readonly string[] = [];
const UNSORTED: SortOrder<string> = { column: '', descending: false };

/** The list of the present address where its order is the server's alone. */
export function useUnsortedAddress(): ListAddress<string> {
  return useListAddress(NO_COLUMNS, UNSORTED);
}

/** The list's part as the query of its call. */
export function listQuery<C extends string>({ page, search, order }: ListAddress<C>) {
  return {
    page,
    page_size: PAGE_SIZE,
    sort: order.column,
    order: order.descending ? ('desc' as const) : ('asc' as const),
    ...(search === '' ? {} : { search }),
  };
}
