import type { UseQueryResult } from '@tanstack/react-query';
import { SearchX, X } from 'lucide-react';
import { type ComponentType, type ReactNode, useEffect, useState } from 'react';
import { LIMITS } from '../../../shared/rules/limits.ts';
import { useTranslation } from '../../i18n/useTranslation.ts';
import { useDebounced } from '../../ui/nameCheck.ts';
import { EmptyState, ErrorState, LoadingRows } from '../../ui/States.tsx';
import { DataTable, type DataTableProps } from './DataTable.tsx';
import { type ListAddress, PAGE_SIZE } from './listAddress.ts';
import { PageGone, Pager } from './Pager.tsx';

interface SearchFieldProps {
  readonly label: string;
  readonly search: string;
  readonly onSearch: (search: string) => void;
}

/** Words to look for: they count when the typing pauses, and follow the address when that goes back. */
function SearchField({ label, search, onSearch }: SearchFieldProps) {
  const [text, setText] = useState(search);
  const settled = useDebounced(text, LIMITS.searchDebounceMs).trim();
  // biome-ignore lint/correctness/useExhaustiveDependencies: only what was typed changes the address
  useEffect(() => {
    if (settled !== search) onSearch(settled);
  }, [settled]);
  useEffect(() => setText((typed) => (typed.trim() === search ? typed : search)), [search]);
  return (
    <input
      type="search"
      className="input grid-tools__filter"
      aria-label={label}
      placeholder={label}
      maxLength={200}
      value={text}
      onChange={({ target }) => setText(target.value)}
    />
  );
}

/** Something that a list is narrowed to by a link that led here. */
export interface ListFilter {
  /** In the address. */
  readonly name: string;
  readonly text: string;
}

export interface AdminListProps<T, C extends string> extends Omit<DataTableProps<T, C>, 'rows' | 'order' | 'onSort'> {
  readonly address: ListAddress<C>;
  readonly found: UseQueryResult<{ readonly items: readonly T[]; readonly count: number; readonly has_more: boolean }>;
  readonly searchLabel: string;
  readonly filter?: ListFilter | null;
  /** Further choices beside the search. */
  readonly tools?: ReactNode;
  /** Narrowed by those choices. */
  readonly isNarrowed?: boolean;
  readonly empty: { readonly icon: ComponentType; readonly title: string; readonly text: string };
}

/** A list that is searched, sorted and turned over by the server. */
export function AdminList<T, C extends string>(props: AdminListProps<T, C>) {
  const { address, found, searchLabel, filter = null, tools, isNarrowed = false, empty, ...table } = props;
  const { t } = useTranslation();
  const { data, error, isPending, isLoadingError, isPlaceholderData, refetch } = found;
  const isSearched = address.search !== '' || filter !== null || isNarrowed;
  return (
    <>
      <div className="grid-tools">
        <SearchField label={searchLabel} search={address.search} onSearch={address.searchFor} />
        {tools}
        {filter !== null && (
          <button
            type="button"
            className="button button--small table__filter"
            aria-label={t('admin.showAllInstead', { filter: filter.text })}
            onClick={() => address.narrow({ [filter.name]: '' })}
          >
            <span className="truncated">{filter.text}</span>
            <X />
          </button>
        )}
        {isPlaceholderData && <span className="spinner" role="status" aria-label={t('search.searching')} />}
      </div>
      <div className="card">
        {isPending ? (
          <LoadingRows />
        ) : isLoadingError || data === undefined ? (
          <ErrorState error={error} onRetry={() => void refetch()} />
        ) : data.items.length > 0 ? (
          <>
            <DataTable {...table} rows={data.items} order={address.order} onSort={address.sortBy} />
            <Pager
              page={address.page}
              pageSize={PAGE_SIZE}
              shown={data.items.length}
              count={data.count}
              hasMore={data.has_more}
              onPage={address.goTo}
            />
          </>
        ) : address.page > 1 ? (
          <PageGone onFirst={() => address.goTo(1)} />
        ) : isSearched ? (
          <EmptyState icon={SearchX} title={t('admin.noMatch')} text={t('admin.noMatchText')} />
        ) : (
          <EmptyState {...empty} />
        )}
      </div>
    </>
  );
}
