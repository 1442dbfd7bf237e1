import { AppError } from '../../shared/errors.ts';
import { nameKey, nameProblem, normalizeName } from '../../shared/rules/names.ts';
import type { Database } from '../database/connection.ts';
import { isUniqueViolation } from '../database/faults.ts';

/** The name as it is stored. @throws AppError `name-invalid` with the rule that it breaks. */
export function checkedName(name: string): string {
  const problem = nameProblem(name);
  if (problem !== null)
    throw new AppError('name-invalid', `the name breaks the rule ${problem}`, { details: { name, problem } });
  return normalizeName(name);
}

/** Whether a library or user name is free on this server: both share one namespace. */
export async function isNameFree(database: Database, name: string): Promise<boolean> {
  const taken = await database.selectFrom('names').select('key').where('key', '=', nameKey(name)).executeTakeFirst();
  return taken === undefined;
}

/** Takes a name for good; the unique key decides between two who want it at once. @throws AppError `name-taken` */
export async function claimName(
  database: Database,
  name: string,
  kind: 'user' | 'library',
  ownerId: string,
): Promise<void> {
  try {
    await database
      .insertInto('names')
      .values({ key: nameKey(name), kind, owner_id: ownerId })
      .execute();
  } catch (error) {
    throw isUniqueViolation(error)
      ? new AppError('name-taken', 'the name is taken', { details: { name }, cause: error })
      : error;
  }
}
