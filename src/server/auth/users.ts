import { randomUUID } from 'node:crypto';
import { AppError } from '../../shared/errors.ts';
import type { PlanType } from '../../shared/model/common.ts';
import type { User } from '../../shared/model/user.ts';
import type { Database } from '../database/connection.ts';
import { isUniqueViolation } from '../database/faults.ts';
import type { ServerSettings } from '../settings/settings.ts';

/** Plans of new accounts: the administrator of a fresh server is not limited (docs/decisions/0004). */
const FIRST_PLAN = 2;
const LATER_PLAN = 99;

/** The form in which email addresses are compared. */
export function emailKey(email: string): string {
  return email.trim().toLowerCase();
}

/** A user as the clients see it. */
export async function readUser(database: Database, id: string, limitsOf: ServerSettings['limitsOf']): Promise<User> {
  const row = await database
    .selectFrom('users')
    .selectAll('users')
    .select(({ selectFrom }) =>
      // The first library may have been deleted or handed over: the oldest of the others stands in for it.
      selectFrom('libraries')
        .select('libraries.name')
        .whereRef('libraries.owner_id', '=', 'users.id')
        .orderBy((eb) =>
          eb.case().whenRef('libraries.id', '=', 'users.default_library_id').then(eb.lit(0)).else(eb.lit(1)).end(),
        )
        .orderBy('libraries.created_at')
        .limit(1)
        .as('library'),
    )
    .where('users.id', '=', id)
    .executeTakeFirst();
  if (row === undefined) throw new AppError('unauthenticated', 'the account is gone');
  const plan = row.plan_type as PlanType;
  return {
    user_id: row.id,
    email: row.email,
    email_verified: row.email_verified === 1,
    mail_digest: row.mail_digest === 1,
    username: row.username ?? '',
    name: row.name,
    user_image: row.user_image,
    plan_type: plan,
    user_type: row.user_type,
    default_library: row.library,
    has_default_library: row.library !== null,
    ...(await limitsOf(database, plan)),
  };
}

/**
 * Makes an account, inside the caller's transaction; the first on a server is its administrator.
 * @throws AppError `email-taken`
 */
export async function createUser(
  transaction: Database,
  { email, passwordHash, name = '' }: { readonly email: string; readonly passwordHash: string; readonly name?: string },
  now: number,
): Promise<string> {
  const id = randomUUID();
  const isFirst = (await transaction.selectFrom('users').select('id').limit(1).executeTakeFirst()) === undefined;
  try {
    await transaction
      .insertInto('users')
      .values({
        id,
        email: email.trim(),
        email_key: emailKey(email),
        username: null,
        name,
        user_image: null,
        plan_type: isFirst ? FIRST_PLAN : LATER_PLAN,
        user_type: isFirst ? 0 : 1,
        email_verified: isFirst ? 1 : 0,
        password_hash: passwordHash,
        default_library_id: null,
        created_at: new Date(now).toISOString(),
      })
      .execute();
  } catch (error) {
    throw isUniqueViolation(error)
      ? new AppError('email-taken', 'there is an account with this email address', { cause: error })
      : error;
  }
  return id;
}
