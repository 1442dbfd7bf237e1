import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { strToU8, zipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { compareTableFiles, FILE_LIMITS } from '../../../src/core/compare/compareFiles.ts';
import { compareTables, type TableLimits } from '../../../src/core/compare/compareTables.ts';
import { readTables, type Table } from '../../../src/core/compare/readTables.ts';
import type { ComparedTable } from '../../../src/shared/model/compare.ts';

type Rows = readonly (readonly string[])[];

const table = (rows: Rows, name = ''): Table => ({ name, rows });
const rowsOf = (text: string) => text.split('\n').map((row) => row.split(','));

function compareOne(base: Rows, other: Rows, limits: Partial<TableLimits> = {}): ComparedTable {
  const [compared] = compareTables([table(base)], [table(other)], limits).tables;
  if (compared === undefined) throw new Error('no table');
  return compared;
}

/** What is said of the changed rows: each cell as it is, or as it was and is. */
const told = ({ rows }: ComparedTable) =>
  rows
    .filter(({ kind }) => kind !== 'equal')
    .map(({ kind, cells, changed }) => {
      const before = new Map(changed);
      const each = cells.map((cell, at) => (before.has(at) ? `${before.get(at)}→${cell}` : cell));
      return `${{ added: '+', removed: '-', changed: '~', equal: ' ' }[kind]} ${each.join('|')}`;
    });

/** One side of a comparison that lists all rows; fails where numbers are not in order. */
function side({ columns, rows }: ComparedTable, which: 'base' | 'other'): string[][] {
  const own = columns.flatMap((column, index) => (column[which] === null ? [] : [{ index, at: column[which] - 1 }]));
  return rows.flatMap((row) => {
    if (row[`${which}_row`] === null) return [];
    const before = new Map(which === 'base' ? row.changed : []);
    const cells: string[] = [];
    for (const { index, at } of own) cells[at] = before.get(index) ?? row.cells[index] ?? '';
    return [cells];
  });
}

const padded = (rows: Rows, width: number) =>
  rows.map((row) => Array.from({ length: width }, (_, at) => row[at] ?? ''));

const cell = fc.constantFrom('', 'a', 'b', 'Flat', '1,200', '<b>', '料金');
const anyRows = fc.array(fc.array(cell, { maxLength: 4 }), { maxLength: 8 });

describe('comparing tables', () => {
  it.each<[string, Partial<TableLimits>]>([
    ['fully', {}],
    ['in no time', { timeoutMs: 0, maxEdits: 1 }],
  ])('tells each cell of both as it is: %s', (_, limits) => {
    fc.assert(
      fc.property(anyRows, anyRows, (base, other) => {
        const compared = compareOne(base, other, { ...limits, context: 100 });
        // Cells of a column that only one of them has are told where that has a row of its own.
        const isWhole = compared.columns.every(({ kind }) => kind === 'equal');
        const numbers = (which: 'base_row' | 'other_row') =>
          compared.rows.map((row) => row[which]).filter((number) => number !== null);
        if (compared.rows.length > 0) {
          expect(numbers('base_row')).toEqual(base.map((__, at) => at + 1));
          expect(numbers('other_row')).toEqual(other.map((__, at) => at + 1));
          if (isWhole) {
            expect(side(compared, 'base')).toEqual(padded(base, compared.columns.length));
            expect(side(compared, 'other')).toEqual(padded(other, compared.columns.length));
          }
        } else if (isWhole) expect(padded(base, 4)).toEqual(padded(other, 4));
        const count = (kind: string) => compared.rows.filter((row) => row.kind === kind).length;
        expect([count('added'), count('removed')]).toEqual([compared.rows_added, compared.rows_removed]);
        expect(compared.rows.reduce((sum, { changed }) => sum + changed.length, 0)).toBe(compared.cells_changed);
      }),
    );
  });

  it.each<[string, string, string, string[]]>([
    ['a cell', 'Flat,Rent\nA,1200\nB,900', 'Flat,Rent\nA,1350\nB,900', ['~ A|1200→1350']],
    ['a row put in', 'Flat,Rent\nA,1\nC,3', 'Flat,Rent\nA,1\nB,2\nC,3', ['+ B|2']],
    ['a row taken out', 'Flat,Rent\nA,1\nB,2\nC,3', 'Flat,Rent\nA,1\nC,3', ['- B|2']],
    [
      'rows numbered anew',
      'n,x,y\n1,a,i\n2,b,j',
      'n,x,y\n1,new,k\n2,a,i\n3,b,j',
      ['+ 1|new|k', '~ 1→2|a|i', '~ 2→3|b|j'],
    ],
    ['a column put in', 'Flat,Rent\nA,1\nB,2', 'Flat,Since,Rent\nA,2020,1\nB,2021,2', []],
    ['a column put in and a cell', 'F,R\nA,1\nB,2', 'F,S,R\nA,2020,1\nB,2021,3', ['~ B|2021|2→3']],
    ['nothing alike', 'a,b', 'c,d', ['- a|b', '+ c|d']],
  ])('finds %s', (_, base, other, expected) => {
    expect(told(compareOne(rowsOf(base), rowsOf(other)))).toEqual(expected);
  });
  it('says which columns came and went', () => {
    const { kind, columns } = compareOne(rowsOf('A,B,C\n1,2,3'), rowsOf('A,C,D,E\n1,3,4,5'));
    expect(kind).toBe('changed');
    expect(columns.map((column) => [column.kind, column.base, column.other])).toEqual([
      ['equal', 1, 1],
      ['removed', 2, null],
      ['equal', 3, 2],
      ['added', null, 3],
      ['added', null, 4],
    ]);
  });
  it('tells sheets by their names, renamed ones by what they hold', () => {
    const [one, two, three] = [rowsOf('a,b'), rowsOf('c,d'), rowsOf('e,f')];
    const { tables } = compareTables(
      [table(one, 'One'), table(two, 'Two'), table(three, 'Old')],
      [table(three, 'New'), table(one, 'One'), table(two, 'Four'), table([], 'Five')],
    );
    expect(tables.map(({ base_name, other_name, kind }) => [base_name, other_name, kind])).toEqual([
      ['Old', 'New', 'changed'],
      ['One', 'One', 'equal'],
      ['Two', 'Four', 'changed'],
      [null, 'Five', 'added'],
    ]);
    expect(compareTables([table(one, 'One'), table(two, 'Two')], [table(one, 'One')]).tables[1]).toMatchObject({
      base_name: 'Two',
      other_name: null,
      kind: 'removed',
      rows_removed: 1,
    });
  });
  it('lists changes with the rows around them, as many as there is room for', () => {
    const base = Array.from({ length: 100 }, (_, at) => [`row ${at}`, String(at)]);
    const other = base.map(([name = '', value = ''], at) => [name, at % 25 === 10 ? 'new' : value]);
    const numbers = ({ rows }: ComparedTable) => rows.map(({ other_row }) => other_row);
    expect(numbers(compareOne(base, other, { context: 1 }))).toEqual([10, 11, 12, 35, 36, 37, 60, 61, 62, 85, 86, 87]);
    const cut = compareTables([table(base)], [table(other)], { context: 0, maxListedCells: 5 });
    expect(cut).toMatchObject({ truncated: true, tables: [{ cells_changed: 4 }] });
    expect(cut.tables[0]?.rows).toHaveLength(2);
  });
  it('finds rows by their keys where all of very many changed', () => {
    const base = Array.from({ length: 50_000 }, (_, at) => [`id ${at}`, String(at % 7), 'same']);
    const other = base
      .filter((_, at) => at % 1000 !== 5)
      .map(([id = '', value = '', same = '']) => [id, `${value}.0`, same]);
    const compared = compareTables([table(base)], [table(other)]);
    expect(compared).toMatchObject({
      coarse: false,
      tables: [{ rows_removed: 50, rows_added: 0, cells_changed: other.length }],
    });
  });
});

describe('reading tables', () => {
  const fixture = async (name: string) =>
    new Uint8Array(await readFile(join(import.meta.dirname, '..', '..', 'fixtures', 'documents', name)));
  const read = (bytes: Uint8Array, name: string) => readTables(bytes, name, FILE_LIMITS);
  const text = (body: string) => new Uint8Array(Buffer.from(body));
  const sheet = (cells: string, styles = '') =>
    zipSync({
      'xl/workbook.xml': strToU8('<workbook><sheets><sheet name="Rents" r:id="r1"/></sheets></workbook>'),
      'xl/_rels/workbook.xml.rels': strToU8(
        '<Relationships><Relationship Id="r1" Target="worksheets/sheet1.xml" Type="sheet"/></Relationships>',
      ),
      'xl/styles.xml': strToU8(`<styleSheet>${styles}</styleSheet>`),
      'xl/worksheets/sheet1.xml': strToU8(`<worksheet><sheetData>${cells}</sheetData></worksheet>`),
    });

  it.each([
    [
      'a.csv',
      'a,"b, c"\n"say ""x""",d\n',
      [
        ['a', 'b, c'],
        ['say "x"', 'd'],
      ],
    ],
    [
      'a.csv',
      '\uFEFFa;b\n1;2\n',
      [
        ['a', 'b'],
        ['1', '2'],
      ],
    ],
    ['a.tsv', 'a\tb,c\n', [['a', 'b,c']]],
    ['empty.csv', '', []],
  ])('takes text apart: %s', (name, body, rows) => {
    expect(read(text(body), name)).toEqual({ ok: true, tables: [{ name: '', rows }] });
  });
  it('keeps the cells of a workbook at their places, dates as dates', () => {
    const rows =
      '<row r="2"><c r="B2" t="inlineStr"><is><t>Flat</t></is></c><c r="D2" t="b"><v>1</v></c></row><row r="4"><c r="A4" s="1"><v>45292</v></c><c r="B4" s="2"><v>45292.5</v></c><c r="C4"><v>45292</v></c></row>';
    const styles =
      '<numFmts><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd hh:mm"/></numFmts><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="164"/></cellXfs>';
    expect(read(sheet(rows, styles), 'a.xlsx')).toEqual({
      ok: true,
      tables: [
        { name: 'Rents', rows: [[], ['', 'Flat', '', 'TRUE'], [], ['2024-01-01', '2024-01-01 12:00:00', '45292']] },
      ],
    });
  });
  it('reads each kind of workbook', async () => {
    const [xlsx, ods] = [read(await fixture('sheet.xlsx'), 'a.xlsx'), read(await fixture('sheet.ods'), 'a.ods')];
    expect(xlsx).toMatchObject({ ok: true });
    expect(ods).toMatchObject({ ok: true });
    const same = compareTableFiles(
      { bytes: new Uint8Array(await fixture('sheet.xlsx')), fileName: 'a.xlsx' },
      { bytes: new Uint8Array(await fixture('sheet.xlsx')), fileName: 'b.xlsx' },
    );
    expect(same).toMatchObject({ comparison: { truncated: false } });
  });
  it.each([
    ['a.txt', text('a,b'), 'unsupported'],
    ['a.xlsx', text('no zip'), 'damaged'],
    ['a.csv', new Uint8Array([0, 1, 2, 0, 255]), 'binary'],
    ['far.xlsx', sheet('<row r="1"><c r="XFD1"><v>1</v></c></row>'.repeat(1)), null],
    [
      'huge.xlsx',
      sheet(
        Array.from({ length: 400 }, (_, at) => `<row r="${at + 1}"><c r="XFD${at + 1}"><v>1</v></c></row>`).join(''),
      ),
      'limit-reached',
    ],
  ])('says why there is none: %s', (name, bytes, code) => {
    const tables = read(bytes, name);
    expect(tables.ok ? null : tables.code).toBe(code);
  });
});
