/** A piece of a page's text, as pdf.js gives it. */
export interface TextPiece {
  readonly str: string;
  readonly dir: string;
  readonly transform: readonly number[];
  /** The line ends after it. */
  readonly hasEOL: boolean;
}

type Direction = 'ltr' | 'rtl';

/** Pieces that are read in the same direction. */
interface Run<T> {
  readonly direction: Direction;
  readonly pieces: T[];
}

/** The direction of a piece; null for one of nothing but spaces and marks, which goes with those around it. */
function directionOf({ str, dir }: TextPiece): Direction | null {
  if (!/[\p{L}\p{N}]/u.test(str)) return null;
  return dir === 'rtl' ? 'rtl' : 'ltr';
}

/** Whether the pieces of the line that are read from the right are given from the left, as they stand on the paper. */
function isAsPrinted(line: readonly TextPiece[]): boolean {
  const places = line.filter((piece) => directionOf(piece) === 'rtl').map(({ transform }) => transform[4] ?? 0);
  return places.length > 1 && (places[0] ?? 0) < (places.at(-1) ?? 0);
}

function runsOf<T extends TextPiece>(line: readonly T[], usual: Direction): readonly Run<T>[] {
  const runs: Run<T>[] = [];
  let waiting: T[] = [];
  const add = (direction: Direction, pieces: readonly T[]) => {
    const last = runs.at(-1);
    if (last?.direction === direction) last.pieces.push(...pieces);
    else runs.push({ direction, pieces: [...pieces] });
  };
  for (const piece of line) {
    const direction = directionOf(piece);
    if (direction === null) {
      waiting.push(piece);
      continue;
    }
    if (waiting.length > 0) add(runs.at(-1)?.direction === direction ? direction : usual, waiting);
    waiting = [];
    add(direction, [piece]);
  }
  if (waiting.length > 0) add(usual, waiting);
  return runs;
}

const lettersIn = (line: readonly TextPiece[], direction: Direction) =>
  line.reduce((sum, piece) => (directionOf(piece) === direction ? sum + piece.str.length : sum), 0);

function orderLine<T extends TextPiece>(line: readonly T[]): readonly T[] {
  if (!isAsPrinted(line)) return line;
  const usual = lettersIn(line, 'rtl') >= lettersIn(line, 'ltr') ? 'rtl' : 'ltr';
  const runs = runsOf(line, usual).map(({ direction, pieces }) => (direction === 'rtl' ? pieces.toReversed() : pieces));
  const ordered = (usual === 'rtl' ? runs.toReversed() : runs).flat();
  const ends = line.some(({ hasEOL }) => hasEOL);
  return ordered.map((piece, index) => ({ ...piece, hasEOL: ends && index === ordered.length - 1 }));
}

/**
 * A page's text in the order that it is read in. Many programs write lines that are read from the right piece by piece from the
 * left; copied, read aloud or compared with the text that is searched, they would have their words in the wrong order.
 */
export function inReadingOrder<T extends TextPiece>(pieces: readonly T[]): T[] {
  const ordered: T[] = [];
  let line: T[] = [];
  for (const piece of pieces) {
    // Where lines change, pdf.js gives an empty piece that already stands where the next one begins.
    const endsBefore = piece.hasEOL && piece.str === '';
    if (!endsBefore) line.push(piece);
    if (piece.hasEOL) {
      ordered.push(...orderLine(line));
      line = [];
    }
    if (endsBefore) ordered.push(piece);
  }
  return [...ordered, ...orderLine(line)];
}
