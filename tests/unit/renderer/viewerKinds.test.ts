import { describe, expect, it } from 'vitest';
import { fittingScale, steppedScale, turned } from '../../../src/renderer/features/viewer/image/zoom.ts';
import { resolvePart } from '../../../src/renderer/features/viewer/kit/paths.ts';
import { readHtml } from '../../../src/renderer/features/viewer/kit/readHtml.ts';
import { refusalOf } from '../../../src/renderer/features/viewer/kit/refusal.ts';
import { sheetOfCells, sheetOfText } from '../../../src/renderer/features/viewer/table/makeSheet.ts';
import { openDocumentSheets } from '../../../src/renderer/features/viewer/table/openDocumentSheets.ts';
import {
  cellAt,
  cellsOf,
  columnLetters,
  momentText,
  rowCount,
  rowOnLine,
} from '../../../src/renderer/features/viewer/table/sheet.ts';
import { viewKind } from '../../../src/renderer/features/viewer/viewKind.ts';
import { openParts } from '../../../src/renderer/features/viewer/zip/archive.ts';
import { readDirectory } from '../../../src/renderer/features/viewer/zip/readDirectory.ts';
import { openRows, treeOf } from '../../../src/renderer/features/viewer/zip/tree.ts';
import { markedEncrypted, zipFile } from '../../helpers/madeDocuments.ts';

/** Why a call refuses a document. */
async function refusal(call: () => unknown): Promise<string | null> {
  try {
    await call();
  } catch (error) {
    return refusalOf(error);
  }
  return null;
}

describe('the kind of a view', () => {
  it.each([
    ['Photo.JPEG', '', 'image'],
    ['drawing.svg', '', 'image'],
    ['film.mkv', '', 'media'],
    ['song.flac', '', 'media'],
    ['README.md', '', 'markdown'],
    ['budget.csv', '', 'table'],
    ['budget.xlsx', '', 'table'],
    ['budget.xls', '', 'office'],
    ['letter.eml', '', 'office'],
    ['book.epub', '', 'epub'],
    ['page.htm', '', 'html'],
    ['parts.zip', '', 'zip'],
    ['report.pdf', '', 'pdf'],
    ['main.rs', '', 'text'],
    ['LICENSE', '', 'text'],
    ['LICENSE', 'application/pdf', 'pdf'],
    ['notes.unknown', 'text/x-notes', 'text'],
    ['setup.exe', 'application/octet-stream', 'layer'],
  ])('of %s, stored as %j, is %s', (name, mime, kind) => expect(viewKind(name, mime)).toBe(kind));
});

describe('a table of a text', () => {
  const text = 'name;amount\n"Ana; Müller";1,50\n\n"two\nlines";20\n';
  const sheet = sheetOfText(text);

  it('has its rows and cells, whatever is in quotes', () => {
    expect(rowCount(sheet)).toBe(4);
    expect(Array.from({ length: 4 }, (_, row) => cellsOf(sheet, row))).toEqual([
      ['name', 'amount'],
      ['Ana; Müller', '1,50'],
      [''],
      ['two\nlines', '20'],
    ]);
    expect(sheet).toMatchObject({ columns: 2, hasHeader: true, numeric: [false, true] });
  });

  it.each([
    ['amount', 0, 1],
    ['Müller', 1, 0],
    ['1,50', 1, 1],
    ['lines', 3, 0],
    ['20', 3, 1],
  ])('knows the cell of %s', (part, row, column) => expect(cellAt(sheet, text.indexOf(part))).toEqual({ row, column }));

  it('knows the row on a line of the file', () => {
    expect([1, 2, 4, 5, 99].map((line) => rowOnLine(sheet, line))).toEqual([0, 1, 3, 3, 3]);
  });

  it.each([
    ['', 0],
    ['a', 1],
    ['a,b\r\nc,d', 2],
    ['a,b\r\nc,d\r\n', 2],
  ])('of %j has %i rows', (source, rows) => expect(rowCount(sheetOfText(source))).toBe(rows));
});

describe('a table of cells', () => {
  const cell = (value: string, isDate = false) => ({ text: value, isDate });

  it('is searched by what it stores and shows moments as their reader writes them', () => {
    const sheet = sheetOfCells('Plan', [
      [cell('say "when"'), cell('45000.5', true)],
      [],
      [cell(''), cell('tab\there')],
    ]);
    expect(sheet.text).toBe('"say ""when"""\t45000.5\n\t"tab\there"\n');
    expect(cellsOf(sheet, 1)).toEqual([]);
    expect(cellsOf(sheet, 2)).toEqual(['', 'tab\there']);
    expect(cellAt(sheet, sheet.text.indexOf('here'))).toEqual({ row: 2, column: 1 });
    expect([...sheet.dates]).toEqual([1]);
    expect(momentText('45000.5', 'en')).toBe('Mar 15, 2023, 12:00 PM');
    expect(momentText('45000', 'de')).toBe('15.03.2023');
    expect(momentText('0.25', 'en')).toBe('6:00 AM');
    expect(momentText('soon', 'en')).toBe('soon');
  });

  it('names its columns by letters', () => {
    expect([0, 25, 26, 701, 702].map(columnLetters)).toEqual(['A', 'Z', 'AA', 'ZZ', 'AAA']);
  });

  it('of an OpenDocument has repeated cells, and notes are no text', () => {
    const xml = `<office><table:table table:name="One"><table:table-row>
      <table:table-cell table:number-columns-repeated="2"><text:p>a</text:p></table:table-cell>
      <table:table-cell><office:annotation><text:p>note</text:p></office:annotation><text:p>b</text:p><text:p>c</text:p></table:table-cell>
      <table:table-cell table:number-columns-repeated="16000"/></table:table-row>
      <table:table-row table:number-rows-repeated="1048000"><table:table-cell/></table:table-row></table:table></office>`;
    expect(
      openDocumentSheets(xml).map(({ name, rows }) => [name, rows.map((row) => row.map(({ text }) => text))]),
    ).toEqual([['One', [['a', 'a', 'b\nc']]]]);
  });
});

describe('an archive', () => {
  const list = (zip: Buffer) => {
    const asked: number[] = [];
    const read = async (start: number, end: number) => {
      asked.push(end - start);
      return new Uint8Array(zip.subarray(start, end));
    };
    return { entries: readDirectory(zip.length, read), asked };
  };
  const zip = zipFile({ 'a/b/c.txt': 'hello', 'a/ü.txt': '', 'z.txt': 'x'.repeat(200_000) });

  it('is listed by its end alone, with sizes, times and what is locked', async () => {
    const { entries, asked } = list(zip);
    expect(await entries).toEqual([
      { path: 'a/b/c.txt', size: 5, changedAt: new Date(2024, 4, 6, 7, 8, 8), isEncrypted: false },
      { path: 'a/ü.txt', size: 0, changedAt: new Date(2024, 4, 6, 7, 8, 8), isEncrypted: false },
      { path: 'z.txt', size: 200_000, changedAt: new Date(2024, 4, 6, 7, 8, 8), isEncrypted: false },
    ]);
    expect(asked).toHaveLength(2);
    expect((await list(markedEncrypted(zip)).entries).every(({ isEncrypted }) => isEncrypted)).toBe(true);
  });

  it.each([
    ['nothing', Buffer.alloc(0)],
    ['no archive', Buffer.from('just a text')],
    ['the beginning of one', zip.subarray(0, zip.length / 2)],
    ['one with its beginning cut off', zip.subarray(100)],
  ])('is refused when it is %s', async (_what, bytes) => {
    expect(await refusal(() => list(bytes).entries)).toBe('damaged');
  });

  it('is a tree with folders first, which close', async () => {
    const rows = treeOf(await list(zip).entries);
    expect(rows.map(({ path, depth }) => [path, depth])).toEqual([
      ['a/', 0],
      ['a/b/', 1],
      ['a/b/c.txt', 2],
      ['a/ü.txt', 1],
      ['z.txt', 0],
    ]);
    expect(openRows(rows, new Set(['a/b/'])).map(({ name }) => name)).toEqual(['a', 'b', 'ü.txt', 'z.txt']);
  });

  it('that a document is, is refused when it is none, locked, or unpacks to too much', async () => {
    expect(await refusal(() => openParts(Buffer.from('text')))).toBe('damaged');
    expect(await refusal(() => openParts(Buffer.from('d0cf11e0a1b11ae1', 'hex')))).toBe('encrypted');
    const bomb = Buffer.from(zip);
    bomb.writeUInt32LE(0x7fffffff, bomb.indexOf('PK\u0001\u0002', 0, 'latin1') + 24);
    expect(await refusal(() => openParts(bomb))).toBe('unpacksTooLarge');
    expect(openParts(zip).text('a/b/c.txt')).toBe('hello');
    expect(openParts(zip).read('missing')).toBeNull();
  });
});

describe('a chapter of a book', () => {
  it.each([
    ['<p>a<a id="x"/>b<br/>c</p>', '<p>a<a id="x"></a>b<br>c</p>'],
    ['<svg:svg><svg:image xlink:href="cover.png"/></svg:svg>', '<img src="cover.png" alt="">'],
    ['<p onclick="run()">1 &lt; 2 &amp; 3</p>', '<p>1 &lt; 2 &amp; 3</p>'],
    ['<head><title/></head><script>run()</script><p>left</p>', '<p>left</p>'],
  ])('%s is %s', (chapter, html) => expect(readHtml(chapter, true).html).toBe(html));
});

describe('a page', () => {
  it('is read without what a browser would run, load or draw at once', () => {
    const { html, styles } = readHtml(
      '<head><title>T</title><base href="x"><style media="print">p { top: 0 }</style><body class=a onload=run()><p style="color: red">1 < 2<br><script>run()</script>',
      false,
    );
    expect(html).toBe('<body class="a"><p data-kept-style="color: red">1 &lt; 2<br></p></body>');
    expect(styles).toEqual(['@media print {p { top: 0 }}']);
  });
});

describe('an address within a document', () => {
  it.each([
    ['text/a.xhtml', '../images/a%20b.png', 'images/a b.png'],
    ['text/a.xhtml', 'b.xhtml#place', 'text/b.xhtml'],
    ['text/a.xhtml', '/c.xhtml', 'c.xhtml'],
    ['text/a.xhtml', '../../../d.xhtml', 'd.xhtml'],
    ['text/a.xhtml', '100%.png', 'text/100%.png'],
    ['text/a.xhtml', 'https://example.org/', null],
    ['text/a.xhtml', '//example.org/', null],
  ])('in %s, %s is %s', (from, target, part) => expect(resolvePart(from, target)).toBe(part));
});

describe('an image', () => {
  it('fits its room, never enlarged, and lies as it was turned', () => {
    const image = { width: 400, height: 100 };
    expect(fittingScale(image, { width: 200, height: 200 })).toBe(0.5);
    expect(fittingScale(image, { width: 2000, height: 2000 })).toBe(1);
    expect(turned(image, 90)).toEqual({ width: 100, height: 400 });
  });

  it('is zoomed in steps that do not pass its actual size by', () => {
    expect(steppedScale(0.9, 1)).toBe(1);
    expect(steppedScale(1.1, -1)).toBe(1);
    expect(steppedScale(1, 1)).toBe(1.25);
    expect(steppedScale(32, 1)).toBe(32);
  });
});
