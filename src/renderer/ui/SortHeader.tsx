import { ArrowDown, ArrowUp } from 'lucide-react';

/** By which column a list stands. */
export interface SortOrder<C extends string> {
  readonly column: C;
  readonly descending: boolean;
}

export interface SortHeaderProps<C extends string> {
  readonly column: C;
  readonly label: string;
  readonly className: string;
  readonly order: SortOrder<C>;
  readonly onSort: (order: SortOrder<C>) => void;
  /** Times and sizes are wanted largest first, names from the start of the alphabet. */
  readonly largestFirst?: boolean;
}

/** The head of a column that a list can be sorted by; once more turns the order round. */
export function SortHeader<C extends string>(props: SortHeaderProps<C>) {
  const { column, label, className, order, onSort, largestFirst = false } = props;
  const isSorted = order.column === column;
  const Arrow = order.descending ? ArrowDown : ArrowUp;
  return (
    <th
      scope="col"
      className={className}
      aria-sort={isSorted ? (order.descending ? 'descending' : 'ascending') : undefined}
    >
      <button
        type="button"
        className="grid__sort"
        onClick={() => onSort({ column, descending: isSorted ? !order.descending : largestFirst })}
      >
        {label}
        {isSorted && <Arrow aria-hidden="true" />}
      </button>
    </th>
  );
}
