import { AppError } from '../../shared/errors.ts';
import type { Database } from '../database/connection.ts';
import { inTransaction } from '../database/transactions.ts';
import { insertLibrary } from '../libraries/libraries.ts';
import { checkedName, claimName } from '../libraries/names.ts';
import type { Plans } from '../libraries/plans.ts';

/** Gives a new account its user name and its first library, both or neither. */
export async function completeSignup(
  database: Database,
  plans: Plans,
  userId: string,
  input: { readonly username: string; readonly name: string; readonly library_name: string },
  now: number,
): Promise<void> {
  const username = checkedName(input.username);
  await inTransaction(database, async (transaction) => {
    const user = await transaction
      .selectFrom('users')
      .select('username')
      .where('id', '=', userId)
      .executeTakeFirstOrThrow();
    if (user.username !== null) throw new AppError('conflict', 'the sign-up is complete already');
    await claimName(transaction, username, 'user', userId);
    const library = await insertLibrary(transaction, plans, userId, input.library_name, now);
    await transaction
      .updateTable('users')
      .set({ username, name: input.name.trim(), default_library_id: library })
      .where('id', '=', userId)
      .execute();
  });
}
