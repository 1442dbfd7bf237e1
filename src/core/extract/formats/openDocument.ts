import { HEADING_MARK } from '../headings.ts';
import type { TextSection } from '../types.ts';
import type { Archive } from './archive.ts';
import { parseXml } from './xml.ts';

/** Where a new section begins in each kind of OpenDocument file, and what it is called. */
const SECTION_ELEMENT = { odt: null, ods: 'table:table', odp: 'draw:page' } as const;

/** Styles on which those of headings are based, even of headings that are plain paragraphs. */
const HEADING_STYLE = /^(?:Heading(?:_20_\d+)?|Title)$/u;

function sections(xml: string, kind: keyof typeof SECTION_ELEMENT): TextSection[] {
  const element = SECTION_ELEMENT[kind];
  const found: { label: string; parts: string[] }[] = element === null ? [{ label: 'Content', parts: [] }] : [];
  let deleted = 0;
  let paragraphs = 0;
  const put = (text: string) => {
    if (deleted === 0) found.at(-1)?.parts.push(text);
  };
  const headings = new Set(['Title']);
  parseXml(xml, {
    open(name, attributes) {
      if (name === 'style:style' && HEADING_STYLE.test(attributes['style:parent-style-name'] ?? '')) {
        headings.add(attributes['style:name'] ?? '');
      } else if (name === element) {
        const label = kind === 'ods' ? `Sheet ${attributes['table:name'] ?? ''}` : `Slide ${found.length + 1}`;
        found.push({ label, parts: [] });
      } else if (name === 'text:tracked-changes') deleted += 1;
      else if (name === 'text:p' || name === 'text:h') {
        paragraphs += 1;
        if (name === 'text:h' || headings.has(attributes['text:style-name'] ?? '')) put(HEADING_MARK);
      } else if (attributes['presentation:class'] === 'title') put(HEADING_MARK);
      else if (name === 'text:tab') put('\t');
      else if (name === 'text:line-break') put('\n');
      else if (name === 'text:s') put(' '.repeat(Math.min(Number(attributes['text:c'] ?? 1) || 1, 1000)));
    },
    close(name) {
      if (name === 'text:tracked-changes') deleted -= 1;
      else if (name === 'text:p' || name === 'text:h') {
        paragraphs -= 1;
        if (kind !== 'ods') put('\n');
      } else if (name === 'table:table-cell') put('\t');
      else if (name === 'table:table-row' && kind === 'ods') put('\n');
    },
    text(text) {
      if (paragraphs > 0) put(text);
    },
  });
  return found.map(({ label, parts }) => ({
    label,
    text: parts
      .join('')
      .replace(/\t+(?=\n|$)/gu, '')
      .replace(/\n{3,}/gu, '\n\n'),
  }));
}

/** ODT as one section with its headers and footers, ODS a section a sheet, ODP a section a slide. */
export function extractOpenDocument(archive: Archive, kind: keyof typeof SECTION_ELEMENT): TextSection[] {
  const found = sections(archive.read('content.xml') ?? '', kind);
  if (kind !== 'odt') return found;
  const running = sections(archive.read('styles.xml') ?? '', 'odt').map((section) => section.text);
  return [{ label: 'Content', text: [...found.map((section) => section.text), ...running].join('\n') }];
}

/** Whether the package says that its parts are encrypted. */
export function isEncryptedOpenDocument(archive: Archive): boolean {
  return /<manifest:encryption-data\b/u.test(archive.read('META-INF/manifest.xml') ?? '');
}
