/** Characters after which it takes a real parser to tell what every match contains. */
const TOO_CLEVER = new Set('()|');
/** Escapes that stand for a place or for one character out of many. */
const CLASS_ESCAPES = new Set('dDwWsSbBtnrfv');
const SYNTAX = new Set('^$\\.*+?()[]{}|/');

/** Position after a character class that begins at `start`. */
function classEnd(points: readonly string[], start: number): number {
  let position = start + 1;
  while (position < points.length && points[position] !== ']') position += points[position] === '\\' ? 2 : 1;
  return position + 1;
}

/**
 * The longest run of plain characters that every match of an expression contains, for the index to look for; null when there
 * is none of three characters or more, or when the expression is not simple enough to be sure.
 */
export function requiredLiteral(source: string): string | null {
  const points = [...source];
  let best: string[] = [];
  let run: string[] = [];
  const endRun = () => {
    if (run.length > best.length) best = run;
    run = [];
  };
  for (let position = 0; position < points.length; ) {
    const point = points[position] ?? '';
    if (TOO_CLEVER.has(point)) return null;
    if (point === '\\') {
      const escaped = points[position + 1] ?? '';
      if (SYNTAX.has(escaped)) run.push(escaped);
      else if (CLASS_ESCAPES.has(escaped)) endRun();
      else return null;
      position += 2;
    } else if (point === '[') {
      endRun();
      position = classEnd(points, position);
    } else if (point === '*' || point === '?' || point === '{') {
      run.pop();
      endRun();
      position = point === '{' ? points.indexOf('}', position) + 1 : position + 1;
      if (position === 0) return null;
    } else if (point === '+' || point === '.' || point === '^' || point === '$') {
      endRun();
      position += 1;
    } else {
      run.push(point);
      position += 1;
    }
  }
  endRun();
  return best.length >= 3 ? best.join('') : null;
}
