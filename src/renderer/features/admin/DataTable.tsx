import type { ReactNode } from 'react';
import { SortHeader, type SortOrder } from '../../ui/SortHeader.tsx';
import '../../ui/selectableGrid.css';
import './table.css';

export interface Column<T, C extends string> {
  readonly label: string;
  /** What the server sorts it by; left out where it does not. */
  readonly sort?: C;
  /** Figures and times: they are wanted largest first. */
  readonly isFigure?: boolean;
  readonly cell: (row: T) => ReactNode;
}

export interface DataTableProps<T, C extends string> {
  readonly label: string;
  /** The first one names the row. */
  readonly columns: readonly Column<T, C>[];
  readonly rows: readonly T[];
  readonly keyOf: (row: T) => string;
  readonly order?: SortOrder<C>;
  readonly onSort?: (order: SortOrder<C>) => void;
  /** What can be done with a row. */
  readonly actions?: (row: T) => ReactNode;
}

/** A table of the dashboard. In a narrow window each row is a card, whose figures say what they are. */
export function DataTable<T, C extends string = never>(props: DataTableProps<T, C>) {
  const { label, columns, rows, keyOf, order, onSort, actions } = props;
  const classOf = ({ isFigure }: Column<T, C>, more = '') =>
    `table__cell${isFigure ? ' table__cell--figure' : ''}${more}`;
  return (
    <table className="table" aria-label={label}>
      <thead className="table__group">
        <tr className="table__head">
          {columns.map((column) =>
            column.sort !== undefined && order !== undefined && onSort !== undefined ? (
              <SortHeader
                key={column.label}
                column={column.sort}
                label={column.label}
                className={classOf(column, ' table__cell--head')}
                order={order}
                onSort={onSort}
                largestFirst={column.isFigure ?? false}
              />
            ) : (
              <th key={column.label} scope="col" className={classOf(column, ' table__cell--head')}>
                {column.label}
              </th>
            ),
          )}
          {actions !== undefined && <td className="table__cell table__cell--head" />}
        </tr>
      </thead>
      <tbody className="table__group">
        {rows.map((row) => (
          <tr key={keyOf(row)} className="table__row">
            {columns.map((column, index) =>
              index === 0 ? (
                <th key={column.label} scope="row" className="table__cell table__cell--name">
                  {column.cell(row)}
                </th>
              ) : (
                <td key={column.label} className={classOf(column)} data-label={column.label}>
                  {column.cell(row)}
                </td>
              ),
            )}
            {actions !== undefined && <td className="table__cell table__cell--actions">{actions(row)}</td>}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
