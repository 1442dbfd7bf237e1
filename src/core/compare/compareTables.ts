import type { ComparedColumn, ComparedRow, ComparedTable, TableComparison } from '../../shared/model/compare.ts';
import { align, type Block, blocksOf, numbered } from './alignment.ts';
import { alignRows, type PairedRow } from './alignRows.ts';
import type { Table } from './readTables.ts';

/** How much work a comparison may be, and how long its answer. */
export interface TableLimits {
  /** Unchanged rows around each change. */
  readonly context: number;
  readonly maxEdits: number;
  readonly timeoutMs: number;
  /** Cells, and UTF-16 code units in them, that the list of changes may have. */
  readonly maxListedCells: number;
  readonly maxListedLength: number;
}

export const TABLE_LIMITS: TableLimits = {
  context: 3,
  maxEdits: 5_000,
  timeoutMs: 1_500,
  maxListedCells: 200_000,
  maxListedLength: 2 * 1024 * 1024,
};

/** A column of a comparison with where it stands in each table, from 0. */
interface Column extends ComparedColumn {
  readonly from: number | null;
  readonly to: number | null;
}

/** What is still free of the list of all tables. */
interface Room {
  cells: number;
  length: number;
}

const widthOf = ({ rows }: Table) => rows.reduce((most, row) => Math.max(most, row.length), 0);

/** What a table names its columns by: its first row that has cells. */
const headingOf = ({ rows }: Table, width: number) => {
  const row = rows.find((each) => each.some((cell) => cell !== ''));
  return Array.from({ length: width }, (_, column) => row?.[column] ?? '');
};

/** Places in both tables of what belongs together; null where only one has it. */
type Pair = readonly [number | null, number | null];

/** What stands together: what is equal, and between two of those as many as both sides have. */
function pairsOf(blocks: readonly Block[]): Pair[] {
  return blocks.flatMap(({ isEqual, base, other }): Pair[] => {
    const [removed, added] = [base[1] - base[0], other[1] - other[0]];
    // As many as before in their place are the same, called otherwise; of others nobody knows.
    if (isEqual || removed === added) {
      return Array.from({ length: removed }, (_, at) => [base[0] + at, other[0] + at] as const);
    }
    return [
      ...Array.from({ length: removed }, (_, at) => [base[0] + at, null] as const),
      ...Array.from({ length: added }, (_, at) => [null, other[0] + at] as const),
    ];
  });
}

/** What stands at the same place, where nothing says more. */
const byPlace = (base: number, other: number) =>
  Array.from({ length: Math.max(base, other) }, (_, at) => [at < base ? at : null, at < other ? at : null] as const);

/** Columns belong together by their headings. */
function columnsOf(base: Table, other: Table, maxEdits: number, deadline: number): Column[] {
  const [from, to] = [headingOf(base, widthOf(base)), headingOf(other, widthOf(other))];
  const [a = [], b = []] = numbered(from, to);
  const { runs } = align(a, b, maxEdits, deadline);
  const hasCommon = runs.some(({ kind }) => kind === 'equal');
  return (hasCommon ? pairsOf(blocksOf(runs)) : byPlace(from.length, to.length)).map(([left, right]) => ({
    kind: right === null ? 'removed' : left === null ? 'added' : 'equal',
    heading: (right === null ? from[left ?? -1] : to[right]) ?? '',
    base: left === null ? null : left + 1,
    other: right === null ? null : right + 1,
    from: left,
    to: right,
  }));
}

const cell = (row: readonly string[] | undefined, column: number | null): string =>
  (column === null ? undefined : row?.[column]) ?? '';

function comparedRow(base: Table, other: Table, { from, to }: PairedRow, columns: readonly Column[]): ComparedRow {
  const [older, newer] = [from === null ? undefined : base.rows[from], to === null ? undefined : other.rows[to]];
  const cells = columns.map((column) =>
    newer === undefined || column.to === null ? cell(older, column.from) : cell(newer, column.to),
  );
  const changed = columns.flatMap((column, index): [number, string][] => {
    if (older === undefined || newer === undefined || column.kind !== 'equal') return [];
    const before = cell(older, column.from);
    return before === cells[index] ? [] : [[index, before]];
  });
  return {
    kind: newer === undefined ? 'removed' : older === undefined ? 'added' : changed.length > 0 ? 'changed' : 'equal',
    base_row: from === null ? null : from + 1,
    other_row: to === null ? null : to + 1,
    cells,
    changed,
  };
}

/** Which rows are listed: those that changed, and the ones around them. A column that came or went changes no row. */
function listedRows(pairs: readonly PairedRow[], context: number): readonly PairedRow[] {
  const isListed = new Uint8Array(pairs.length);
  for (const [index, { isEqual }] of pairs.entries()) {
    if (!isEqual) isListed.fill(1, Math.max(0, index - context), index + context + 1);
  }
  return pairs.filter((_, index) => isListed[index] === 1);
}

/** As many rows as there is room for. */
function fitting(rows: Iterable<ComparedRow>, room: Room): { rows: ComparedRow[]; fits: boolean } {
  const listed: ComparedRow[] = [];
  for (const row of rows) {
    const length = [...row.cells, ...row.changed.map(([, before]) => before)].reduce(
      (sum, { length: of }) => sum + of,
      0,
    );
    if (row.cells.length > room.cells || length > room.length) return { rows: listed, fits: false };
    room.cells -= row.cells.length;
    room.length -= length;
    listed.push(row);
  }
  return { rows: listed, fits: true };
}

interface Sides {
  readonly base: Table | null;
  readonly other: Table | null;
}

/** Sheets belong together by their names, wherever they stand, and by all that is in them when they only have another name. */
function sidesOf(base: readonly Table[], other: readonly Table[]): Sides[] {
  const older = new Map(base.map((table) => [table.name, table]));
  const newer = new Set(other.map(({ name }) => name));
  const content = ({ rows }: Table) => JSON.stringify(rows);
  const gone = new Map(base.filter(({ name }) => !newer.has(name)).map((table) => [content(table), table]));
  const sides = other.map((table): Sides => {
    const same = older.get(table.name) ?? (gone.size === 0 ? undefined : gone.get(content(table)));
    if (same !== undefined) older.delete(same.name);
    return { base: same ?? null, other: table };
  });
  return [...sides, ...[...older.values()].map((table) => ({ base: table, other: null }))];
}

const NOTHING: Table = { name: '', rows: [] };

/**
 * Compares tables cell by cell. Sheets belong together by their names, columns by their headings, rows by what they hold. It is
 * right for any two: what takes too long is told as removed and added.
 */
export function compareTables(
  baseTables: readonly Table[],
  otherTables: readonly Table[],
  overrides: Partial<TableLimits> = {},
): TableComparison {
  const { context, maxEdits, timeoutMs, maxListedCells, maxListedLength } = { ...TABLE_LIMITS, ...overrides };
  const deadline = Date.now() + timeoutMs;
  const room: Room = { cells: maxListedCells, length: maxListedLength };
  let [coarse, truncated] = [false, false];

  function compareOne({ base, other }: Sides): ComparedTable {
    const [older, newer] = [base ?? NOTHING, other ?? NOTHING];
    const columns = columnsOf(older, newer, maxEdits, deadline);
    const common = columns.filter(({ kind }) => kind === 'equal');
    const values = (table: Table, side: 'from' | 'to') =>
      table.rows.map((row) => common.map((column) => cell(row, column[side])));
    const aligned = alignRows(values(older, 'from'), values(newer, 'to'), maxEdits, deadline);
    coarse ||= aligned.coarse;
    const listed = listedRows(aligned.pairs, context);
    const { rows, fits } = fitting(
      listed.values().map((pair) => comparedRow(older, newer, pair, columns)),
      room,
    );
    truncated ||= !fits;
    const isSame = listed.length === 0 && common.length === columns.length && base?.name === other?.name;
    return {
      base_name: base?.name ?? null,
      other_name: other?.name ?? null,
      kind: base === null ? 'added' : other === null ? 'removed' : isSame ? 'equal' : 'changed',
      columns: columns.map(({ from: _from, to: _to, ...column }) => column),
      rows,
      rows_added: aligned.pairs.filter(({ from }) => from === null).length,
      rows_removed: aligned.pairs.filter(({ to }) => to === null).length,
      cells_changed: aligned.cellsChanged,
    };
  }

  return { tables: sidesOf(baseTables, otherTables).map(compareOne), coarse, truncated };
}
