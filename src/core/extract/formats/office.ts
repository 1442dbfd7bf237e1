import { HEADING_MARK } from '../headings.ts';
import type { TextSection } from '../types.ts';
import { type Archive, resolvePart } from './archive.ts';
import { parseXml, relationships, relationshipsPart } from './xml.ts';

/** Styles of paragraphs that are headings; what people see of them in their language is made of these English names. */
function headingStyles(xml: string | null): ReadonlySet<string> {
  const ids = new Set<string>();
  let id = '';
  parseXml(xml ?? '', {
    open(name, attributes) {
      if (name === 'w:style') id = attributes['w:styleId'] ?? '';
      else if (name === 'w:name' && /^(?:heading \d|title)$/iu.test(attributes['w:val'] ?? '')) ids.add(id);
    },
  });
  return ids;
}

/**
 * Text runs of WordprocessingML and DrawingML: paragraphs end lines, tabs and breaks are kept, deleted text is left out;
 * paragraphs of one of the `headings` styles and the titles of slides are marked.
 */
function runs(xml: string | null, headings: ReadonlySet<string> = new Set()): string {
  if (xml === null) return '';
  const parts: string[] = [];
  let inText = 0;
  let skipped = 0;
  parseXml(xml, {
    open(name, attributes) {
      if (name === 'mc:Fallback') skipped += 1;
      else if (name === 'w:t' || name === 'a:t') inText += 1;
      else if (skipped > 0) return;
      else if (name === 'w:tab') parts.push('\t');
      else if (name === 'w:br' || name === 'w:cr' || name === 'a:br') parts.push('\n');
      else if (name === 'w:noBreakHyphen') parts.push('-');
      else if (name === 'w:pStyle' && headings.has(attributes['w:val'] ?? '')) parts.push(HEADING_MARK);
      else if (name === 'p:ph' && /^(?:ctrT|t)itle$/u.test(attributes.type ?? '')) parts.push(HEADING_MARK);
    },
    close(name) {
      if (name === 'mc:Fallback') skipped -= 1;
      else if (name === 'w:t' || name === 'a:t') inText -= 1;
      else if ((name === 'w:p' || name === 'a:p') && skipped === 0) parts.push('\n');
      else if (name === 'w:tc' && skipped === 0) parts.push('\t');
    },
    text(text) {
      if (inText > 0 && skipped === 0) parts.push(text);
    },
  });
  return parts.join('');
}

const DOCX_PARTS = /^word\/(document|header\d*|footer\d*|footnotes|endnotes|comments)\.xml$/u;
const DOCX_ORDER = ['document', 'footnotes', 'endnotes', 'comments', 'header', 'footer'];

/** A Word document as one section: body first, then notes, comments, headers and footers. */
export function extractDocx(archive: Archive): TextSection[] {
  const rank = (name: string) => DOCX_ORDER.findIndex((part) => name.startsWith(`word/${part}`));
  const parts = archive.names
    .filter((name) => DOCX_PARTS.test(name))
    .sort((a, b) => rank(a) - rank(b) || a.localeCompare(b));
  const headings = headingStyles(archive.read('word/styles.xml'));
  return [{ label: 'Content', text: parts.map((name) => runs(archive.read(name), headings)).join('\n') }];
}

/** Parts that a list in `part` names by relationship id, in the list's order. */
export function listed(archive: Archive, part: string, element: string): { path: string; name: string }[] {
  const related = relationships(archive.read(relationshipsPart(part)));
  const found: { path: string; name: string }[] = [];
  parseXml(archive.read(part) ?? '', {
    open(name, attributes) {
      const target = name.split(':').at(-1) === element ? related.get(attributes['r:id'] ?? '') : undefined;
      if (target !== undefined) found.push({ path: resolvePart(part, target.target), name: attributes.name ?? '' });
    },
  });
  return found;
}

/** A presentation, a section a slide in the order of the show, its notes after it. */
export function extractPptx(archive: Archive): TextSection[] {
  return listed(archive, 'ppt/presentation.xml', 'sldId').map(({ path }, position) => {
    const notes = [...relationships(archive.read(relationshipsPart(path))).values()]
      .filter(({ type }) => type.endsWith('/notesSlide'))
      .map(({ target }) => runs(archive.read(resolvePart(path, target))));
    return { label: `Slide ${position + 1}`, text: [runs(archive.read(path)), ...notes].join('\n') };
  });
}

/** Shared strings, without the phonetic readings that East Asian files keep beside them. */
export function sharedStrings(xml: string | null): string[] {
  const strings: string[] = [];
  if (xml === null) return strings;
  let current = '';
  let inText = false;
  let phonetic = 0;
  parseXml(xml, {
    open(name) {
      if (name === 'si') current = '';
      else if (name === 'rPh') phonetic += 1;
      else if (name === 't') inText = phonetic === 0;
    },
    close(name) {
      if (name === 'si') strings.push(current);
      else if (name === 'rPh') phonetic -= 1;
      else if (name === 't') inText = false;
    },
    text(text) {
      if (inText) current += text;
    },
  });
  return strings;
}

function sheetText(xml: string | null, strings: readonly string[]): string {
  if (xml === null) return '';
  const rows: string[] = [];
  let row: string[] = [];
  let type = '';
  let value = '';
  let inValue = false;
  parseXml(xml, {
    open(name, attributes) {
      if (name === 'row') row = [];
      else if (name === 'c') {
        type = attributes.t ?? '';
        value = '';
      } else if (name === 'v' || name === 't') inValue = true;
    },
    close(name) {
      if (name === 'v' || name === 't') inValue = false;
      else if (name === 'c') row.push(type === 's' ? (strings[Number(value)] ?? '') : value);
      else if (name === 'row' && row.some((cell) => cell !== '')) rows.push(row.join('\t'));
    },
    text(text) {
      if (inValue) value += text;
    },
  });
  return rows.join('\n');
}

/** A workbook, a section a sheet; one line a row, cells apart by tabs, values as they are stored. */
export function extractXlsx(archive: Archive): TextSection[] {
  const strings = sharedStrings(archive.read('xl/sharedStrings.xml'));
  return listed(archive, 'xl/workbook.xml', 'sheet').map(({ path, name }) => ({
    label: `Sheet ${name}`,
    text: sheetText(archive.read(path), strings),
  }));
}
