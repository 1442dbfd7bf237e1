/** Databases limit the values of one statement (SQLite 32,766, PostgreSQL 65,535); this many rows of our tables stay below. */
const ROWS = 500;

/** Cuts a list into pieces that fit into one statement each. */
export function inChunks<T>(items: readonly T[]): T[][] {
  return Array.from({ length: Math.ceil(items.length / ROWS) }, (_, index) =>
    items.slice(index * ROWS, (index + 1) * ROWS),
  );
}
