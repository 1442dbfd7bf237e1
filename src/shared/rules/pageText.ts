/** Latin ligatures that fonts use for layout; the text says their letters. */
const LIGATURES: Readonly<Record<string, string>> = {
  '\uFB00': 'ff',
  '\uFB01': 'fi',
  '\uFB02': 'fl',
  '\uFB03': 'ffi',
  '\uFB04': 'ffl',
  '\uFB05': 'st',
  '\uFB06': 'st',
};

/** Marks that PDF libraries leave where a word was broken at a line's end, and the hyphen that is only for that. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: PDFium marks a broken word with U+0002
const BROKEN_WORD = /[\u0002\uFFFE]\s*|\u00AD(?:[ \t]*[\r\n]+\s*)?/gu;

/**
 * The text of a PDF page as a reader reads it: words that a line end broke are joined, lines follow each other with one
 * space, ligatures are their letters. Index, verification and viewer use this one function, so that their counts agree.
 *
 * `raw` is what the PDF library gives: lines ended by CR, LF or both; U+0002 or a soft hyphen where a word was broken.
 */
export function pageText(raw: string): string {
  return raw
    .replace(/[\uFB00-\uFB06]/gu, (ligature) => LIGATURES[ligature] ?? ligature)
    .replace(BROKEN_WORD, '')
    .replace(/(?<=\p{Ll})[-\u2010][ \t]*[\r\n]+\s*(?=\p{Ll})/gu, '')
    .replace(/[\s\u00A0]+/gu, ' ')
    .trim()
    .normalize('NFC');
}
