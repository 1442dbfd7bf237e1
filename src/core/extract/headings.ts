import type { TextSection } from './types.ts';

/**
 * Put before the text of a heading by what takes text out of a document; no text that people write holds it. It stands at the
 * start of a line, so that it is found again after the text was normalised.
 */
export const HEADING_MARK = '\u0001';

/** Takes the marks of headings out of a section and names their lines instead. */
export function withHeadings({ label, text }: TextSection): TextSection {
  if (!text.includes(HEADING_MARK)) return { label, text };
  const lines = text.split('\n');
  const headings = lines.flatMap((line, index) => (line.startsWith(HEADING_MARK) ? [index + 1] : []));
  const clean = lines.map((line) => line.replaceAll(HEADING_MARK, '')).join('\n');
  return headings.length === 0 ? { label, text: clean } : { label, text: clean, headings };
}

const MARKDOWN = /\.(?:md|markdown|mdown|mkd)$/iu;
const MARKDOWN_HEADING = /^ {0,3}#{1,6}[ \t]/u;

/** Whether a plain text by that name may have headings that are seen by `isPlainHeading`. */
export const hasPlainHeadings = (fileName: string) => MARKDOWN.test(fileName);

/** Whether a line of Markdown is a heading. */
export const isPlainHeading = (line: string) => MARKDOWN_HEADING.test(line);
