/** What a database driver said, in the words that the server decides on. The one place that knows the drivers' codes. */

function codeOf(error: unknown): string {
  const { code } = (error ?? {}) as { code?: unknown };
  return typeof code === 'string' ? code : '';
}

/** Whether a statement failed because a unique key is there already (SQLite's and PostgreSQL's codes). */
export function isUniqueViolation(error: unknown): boolean {
  return ['SQLITE_CONSTRAINT_UNIQUE', 'SQLITE_CONSTRAINT_PRIMARYKEY', '23505'].includes(codeOf(error));
}

/** Whether the database found no room, or found its storage out of order; null for all else. */
export function databaseFault(error: unknown): 'full' | 'unavailable' | null {
  const code = codeOf(error);
  if (code === 'SQLITE_FULL' || code === '53100') return 'full';
  if (/^SQLITE_(IOERR|READONLY|CORRUPT|CANTOPEN|BUSY|NOTADB)/u.test(code)) return 'unavailable';
  return null;
}
