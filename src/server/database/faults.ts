/** What a database driver said, in the words that the server decides on. The one place that knows the drivers' codes. */

function codeOf(error: unknown): string {
  const { code } = (error ?? {}) as { code?: unknown };
  return typeof code === 'string' ? code : '';
}

/** Whether a statement failed because a unique key is there already (SQLite's and PostgreSQL's codes). */
export function isUniqueViolation(error: unknown): boolean {
  return ['SQLITE_CONSTRAINT_UNIQUE', 'SQLITE_CONSTRAINT_PRIMARYKEY', '23505'].includes(codeOf(error));
}

/** Whether a transaction was refused only because of others that ran beside it, and may be done again. */
export function isSerializationFailure(error: unknown): boolean {
  return ['40001', '40P01'].includes(codeOf(error));
}

/** Whether a value is none that PostgreSQL can store: a text with a zero in it, or a number out of its column's range. */
export function isImpossibleValue(error: unknown): boolean {
  return ['22021', '22P05', '22003'].includes(codeOf(error));
}

/** The database shuts down or starts, has no connection left or no memory, or took too long. */
const POSTGRES_UNAVAILABLE = /^(08...|57P0[1-5]|57014|53[023]00|55P03|25P03|25006|58030|XX00[12])$/u;
const LOST_CONNECTION = /^Connection terminated/u;

/** Whether the database found no room, or found its storage out of order; null for all else. */
export function databaseFault(error: unknown): 'full' | 'unavailable' | null {
  const code = codeOf(error);
  if (code === 'SQLITE_FULL' || code === '53100') return 'full';
  if (/^SQLITE_(IOERR|READONLY|CORRUPT|CANTOPEN|BUSY|NOTADB)/u.test(code)) return 'unavailable';
  if (POSTGRES_UNAVAILABLE.test(code) || isSerializationFailure(error)) return 'unavailable';
  // The driver gives no code to a connection that broke while it was in use.
  if (code === '' && error instanceof Error && LOST_CONNECTION.test(error.message)) return 'unavailable';
  return null;
}
