import type { ComparedColumn, ComparedRow, ComparedTable } from '../../../../shared/model/compare.ts';

/** A row of the comparison as it is drawn. */
export type TableRow =
  /** Unchanged rows are left out before it. */
  { readonly kind: 'gap'; readonly row: number } | { readonly kind: 'row'; readonly row: ComparedRow };

/** Letters of a column as spreadsheets have them: 1 is A, 27 is AA. */
export function columnName(number: number): string {
  let name = '';
  for (let rest = number; rest > 0; rest = Math.floor((rest - 1) / 26)) {
    name = String.fromCharCode(65 + ((rest - 1) % 26)) + name;
  }
  return name;
}

/** What a column is called: its letters and what stands above it. */
export function columnTitle({ heading, base, other }: ComparedColumn): string {
  const letters = columnName(other ?? base ?? 1);
  return heading === '' ? letters : `${letters} · ${heading}`;
}

/** All rows of a table, in order. */
export function tableRows({ rows }: ComparedTable): readonly TableRow[] {
  let [base, other] = [0, 0];
  return rows.flatMap((row): TableRow[] => {
    // What is left out is in both tables.
    const isNext = row.base_row === base + 1 || row.other_row === other + 1;
    [base, other] = [row.base_row ?? base, row.other_row ?? other];
    const shown: TableRow = { kind: 'row', row };
    return isNext ? [shown] : [{ kind: 'gap', row: row.other_row ?? row.base_row ?? 1 }, shown];
  });
}

const isChanged = (row: TableRow | undefined) => row?.kind === 'row' && row.row.kind !== 'equal';

/** Where each change begins: rows that follow one another are one. */
export function tableChanges(rows: readonly TableRow[]): readonly number[] {
  return rows.flatMap((row, index) => (isChanged(row) && !isChanged(rows[index - 1]) ? [index] : []));
}

/** Characters that each column needs to show, within bounds, of the first rows. */
export function columnWidths({ columns, rows }: ComparedTable, least: number, most: number): readonly number[] {
  const widths = columns.map((column) => columnTitle(column).length + 2);
  for (const { cells, changed } of rows.slice(0, 500)) {
    for (const [index, cell] of cells.entries()) widths[index] = Math.max(widths[index] ?? 0, cell.length);
    for (const [index, before] of changed) widths[index] = Math.max(widths[index] ?? 0, before.length);
  }
  return widths.map((width) => Math.min(most, Math.max(least, width)));
}
