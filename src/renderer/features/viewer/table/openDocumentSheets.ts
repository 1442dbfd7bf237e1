import { Parser } from 'htmlparser2';
import type { StoredCell } from './makeSheet.ts';

/** Repeated cells and rows fill the whole of an empty sheet: only those with something in them are taken so often. */
const MOST_REPEATED = 10_000;

interface OpenSheet {
  readonly name: string;
  readonly rows: (readonly StoredCell[])[];
}

const timesOf = (value: string | undefined) => Math.min(MOST_REPEATED, Math.max(1, Number(value ?? 1) || 1));

/** The sheets of an OpenDocument spreadsheet, by its `content.xml`. Cells say what people see of them. */
export function openDocumentSheets(xml: string): readonly OpenSheet[] {
  const sheets: OpenSheet[] = [];
  let row: StoredCell[] = [];
  let text: string[] = [];
  let times = 1;
  let rowTimes = 1;
  let inCell = false;
  let paragraphs = 0;
  let inParagraph = 0;
  let notes = 0;
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        if (name === 'table:table') sheets.push({ name: attributes['table:name'] ?? '', rows: [] });
        else if (name === 'table:table-row') {
          row = [];
          rowTimes = timesOf(attributes['table:number-rows-repeated']);
        } else if (name === 'table:table-cell' || name === 'table:covered-table-cell') {
          inCell = true;
          text = [];
          paragraphs = 0;
          times = timesOf(attributes['table:number-columns-repeated']);
        } else if (name === 'office:annotation') notes += 1;
        else if (name === 'text:p' && inCell && notes === 0) {
          if (paragraphs > 0) text.push('\n');
          paragraphs += 1;
          inParagraph += 1;
        } else if (name === 'text:s' && inParagraph > 0) text.push(' ');
      },
      onclosetag(name) {
        if (name === 'office:annotation') notes -= 1;
        else if (name === 'text:p' && inParagraph > 0 && notes === 0) inParagraph -= 1;
        else if (name === 'table:table-cell' || name === 'table:covered-table-cell') {
          inCell = false;
          const cell = { text: text.join('').normalize('NFC'), isDate: false };
          for (let count = 0; count < times; count += 1) row.push(cell);
        } else if (name === 'table:table-row') {
          const used = row.slice(0, row.findLastIndex((cell) => cell.text !== '') + 1);
          const rows = sheets.at(-1)?.rows ?? [];
          for (let count = 0; count < rowTimes; count += 1) rows.push(used);
        } else if (name === 'table:table') {
          const rows = sheets.at(-1)?.rows ?? [];
          rows.length = rows.findLastIndex((cells) => cells.length > 0) + 1;
        }
      },
      ontext(part) {
        if (inParagraph > 0 && notes === 0) text.push(part);
      },
    },
    { xmlMode: true, decodeEntities: true },
  );
  parser.write(xml);
  parser.end();
  return sheets;
}
