import { hash } from 'node:crypto';
import { decodeText } from '../extract/decodeText.ts';
import type { Extractor } from '../extract/extractor.ts';
import { containerFormat, sniffFormat } from '../extract/formats.ts';
import type { Extraction, SkipCode } from '../extract/types.ts';

/** Label and start of each section of a text, and its lines that are headings. */
export type Sections = readonly (readonly [label: string, start: number, headings?: readonly number[]])[];

/** The text of one content, or why there is none. */
export interface PreparedText {
  readonly form: 'plain' | 'container' | null;
  readonly encoding: string | null;
  readonly text: string;
  /** Null for a text that is all `Content`. */
  readonly sections: Sections | null;
  readonly skip: { readonly code: SkipCode; readonly reason: string } | null;
}

/** Between sections: no match reaches across it, not even one of `\s+`. */
const SECTION_END = '\n\0\n';

/** SHA-256 of a content. */
export function contentHash(bytes: Uint8Array): Uint8Array {
  return hash('sha256', bytes, 'buffer');
}

/** The format by which a name promises to be read; equal bytes are equal texts only when it is the same. */
export function formatOf(name: string): string {
  return containerFormat(name) ?? '';
}

function preparedText(extraction: Extraction): PreparedText {
  if (!extraction.ok) {
    const { code, reason } = extraction;
    return { form: null, encoding: null, text: '', sections: null, skip: { code, reason } };
  }
  const sections: [string, number, (readonly number[])?][] = [];
  let start = 0;
  for (const { label, text, headings } of extraction.sections) {
    sections.push(headings === undefined ? [label, start] : [label, start, headings]);
    start += text.length + SECTION_END.length;
  }
  const [first] = sections;
  const isAllContent = sections.length <= 1 && (first === undefined || (first[0] === 'Content' && first.length === 2));
  return {
    form: extraction.form,
    encoding: extraction.encoding,
    text: extraction.sections.map(({ text }) => text).join(SECTION_END),
    sections: isAllContent ? null : sections,
    skip: null,
  };
}

/**
 * Takes the text out of a content. Whatever needs parsing goes to the extractor's thread. The bytes of a plain file are done with
 * when this returns its promise, so that they may stand in a buffer that is used again.
 */
export async function prepareText(bytes: Uint8Array, name: string, extractor: Extractor): Promise<PreparedText> {
  // A PDF under another name would be parsed in this very thread.
  const isHiddenPdf = formatOf(name) === '' && sniffFormat(bytes) === 'pdf' && decodeText(bytes) === null;
  const extraction = isHiddenPdf
    ? extractor.extract(new Uint8Array(bytes), `${name}.pdf`)
    : extractor.extract(bytes, name);
  return preparedText(await extraction);
}
