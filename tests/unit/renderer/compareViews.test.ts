import { describe, expect, it } from 'vitest';
import { compareViews } from '../../../src/renderer/features/compare/kinds.ts';
import {
  columnName,
  columnTitle,
  columnWidths,
  tableChanges,
  tableRows,
} from '../../../src/renderer/features/compare/table/tableRows.ts';
import type { ComparedRow, ComparedTable } from '../../../src/shared/model/compare.ts';

describe('ways to compare', () => {
  it.each([
    ['a.csv', 'b.xlsx', ['table', 'text']],
    ['a.pdf', 'a.pdf', ['text', 'pages']],
    ['a.pdf', 'a.docx', ['text']],
    ['plan.PNG', 'plan.jpg', ['picture']],
    ['plan.svg', 'plan.svg', ['text']],
    ['plan.png', 'plan.txt', ['text']],
    ['none', 'none', ['text']],
  ])('%s with %s', (base, other, views) => {
    expect(compareViews(base, other)).toEqual(views);
  });
});

describe('rows of a compared table', () => {
  const row = (kind: ComparedRow['kind'], base: number | null, other: number | null): ComparedRow => ({
    kind,
    base_row: base,
    other_row: other,
    cells: ['a', 'a longer cell'],
    changed: kind === 'changed' ? [[0, 'before that']] : [],
  });
  const table = (rows: readonly ComparedRow[]): ComparedTable => ({
    base_name: '',
    other_name: '',
    kind: 'changed',
    columns: [
      { kind: 'equal', heading: 'Flat', base: 1, other: 1 },
      { kind: 'added', heading: '', base: null, other: 28 },
    ],
    rows: [...rows],
    rows_added: 0,
    rows_removed: 0,
    cells_changed: 0,
  });

  it('says where rows are left out, and where changes begin', () => {
    const rows = tableRows(
      table([
        row('equal', 1, 1),
        row('changed', 2, 2),
        row('added', null, 3),
        row('equal', 3, 4),
        row('removed', 9, null),
        row('equal', 10, 10),
      ]),
    );
    expect(rows.map((each) => (each.kind === 'gap' ? `before ${each.row}` : each.row.kind))).toEqual([
      'equal',
      'changed',
      'added',
      'equal',
      'before 9',
      'removed',
      'equal',
    ]);
    expect(tableChanges(rows)).toEqual([1, 5]);
  });
  it.each([
    [1, 'A'],
    [26, 'Z'],
    [27, 'AA'],
    [702, 'ZZ'],
    [16_384, 'XFD'],
  ])('calls column %s as spreadsheets do', (number, name) => {
    expect(columnName(number)).toBe(name);
  });
  it('calls columns by their headings too, and gives them the room they need', () => {
    const { columns, ...rest } = table([row('changed', 1, 1)]);
    expect(columns.map(columnTitle)).toEqual(['A · Flat', 'AB']);
    expect(columnWidths({ columns, ...rest }, 4, 12)).toEqual([11, 12]);
  });
});
