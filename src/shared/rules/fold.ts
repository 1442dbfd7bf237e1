/**
 * Unicode simple case folding that keeps the length in UTF-16 code units, so that a range in the folded text is the same range
 * in the original. One fold serves index, query, verification and in-document find; accents do not fold.
 */

/** The only character whose lower case is longer than itself; it stays as it is. */
const DOTTED_I = '\u0130';
const DOTLESS_I = '\u0131';

function single(text: string, length: number): string | null {
  return text.length === length ? text : null;
}

/** The fold of one code point: upper-casing first brings one-way pairs together (ſ, the Kelvin sign, final sigma, µ). */
function foldCodePoint(character: string): string {
  // Upper-casing would make it an ASCII i, which only Turkish folding does.
  if (character === DOTLESS_I) return character;
  const upper = character.toUpperCase();
  const viaUpper = [...upper].length === 1 ? single(upper.toLowerCase(), character.length) : null;
  return viaUpper ?? single(character.toLowerCase(), character.length) ?? character;
}

/** Blocks of the basic plane that have cased letters; beyond it lower-casing alone is the fold. */
const CASED_BLOCKS = [
  [0x80, 0x590],
  [0x10a0, 0x1400],
  [0x1c80, 0x1d80],
  [0x1d79, 0x2190],
  [0x2c00, 0x2e00],
  [0xa640, 0xac00],
  [0xfb00, 0xfb20],
] as const;

/** Characters that lower-casing a whole text does not fold: one-way pairs, and sigma, whose lower case depends on its place. */
const EXCEPTIONS: ReadonlyMap<string, string> = (() => {
  const found = new Map<string, string>([
    ['Σ', 'σ'],
    // Folded since Unicode 15.1, but each is a lower case.
    ['\u1FD3', '\u0390'],
    ['\u1FE3', '\u03B0'],
    ['\uFB05', '\uFB06'],
  ]);
  for (const [from, to] of CASED_BLOCKS) {
    for (let point = from; point < to; point += 1) {
      const character = String.fromCharCode(point);
      const folded = foldCodePoint(character);
      if (character !== DOTTED_I && folded !== character.toLowerCase()) found.set(character, folded);
    }
  }
  return found;
})();
const EXCEPTION = new RegExp(`[${[...EXCEPTIONS.keys()].join('')}]`, 'gu');

/** The folded form of a text, of the same length in UTF-16 code units. */
export function fold(text: string): string {
  const even = text.replace(EXCEPTION, (character) => EXCEPTIONS.get(character) ?? character);
  if (!even.includes(DOTTED_I)) return even.toLowerCase();
  return even
    .split(DOTTED_I)
    .map((part) => part.toLowerCase())
    .join(DOTTED_I);
}
