import { text } from 'node:stream/consumers';
import { createAudit } from '../server/audit/audit.ts';
import { createPasswordHasher, passwordProblem } from '../server/auth/passwords.ts';
import { newSecret, secretHash } from '../server/auth/secrets.ts';
import { createTokenService } from '../server/auth/tokens.ts';
import { createUser, emailKey } from '../server/auth/users.ts';
import type { Database } from '../server/database/connection.ts';
import { inTransaction } from '../server/database/transactions.ts';
import { openData } from '../server/operations/open.ts';
import { isEmail } from '../shared/rules/email.ts';
import { CommandError, readOptions } from './commandError.ts';
import { serverConfig } from './serverCommands.ts';

const USAGE = `usage: armarium user list [--data DIR]
       armarium user create EMAIL [--admin] [--data DIR]      the password comes from standard input
       armarium user plan EMAIL basic|pro|enterprise|unverified
       armarium user admin EMAIL on|off
       armarium user disable EMAIL          armarium user enable EMAIL
       armarium user reset-password EMAIL   prints a link that is good for an hour
       armarium user sign-out EMAIL         on every device

Works on a server's data, also while it runs.
  --data DIR   the server's data (ARMARIUM_DATA)
`;

const PLANS = { basic: 0, pro: 1, enterprise: 2, unverified: 99 } as const;
const RESET_LIFETIME_MS = 3600_000;

async function find(database: Database, email: string | undefined) {
  if (email === undefined) throw new CommandError(`whose account?\n${USAGE}`, 2);
  const user = await database
    .selectFrom('users')
    .select(['id', 'email', 'user_type'])
    .where('email_key', '=', emailKey(email))
    .executeTakeFirst();
  if (user === undefined) throw new CommandError(`there is no account with the address ${email}`, 1);
  return user;
}

async function list(database: Database): Promise<void> {
  const users = await database
    .selectFrom('users')
    .select(['email', 'username', 'plan_type', 'user_type', 'disabled'])
    .orderBy('created_at')
    .execute();
  const planOf = (type: number) => Object.entries(PLANS).find(([, each]) => each === type)?.[0] ?? String(type);
  for (const { email, username, plan_type, user_type, disabled } of users) {
    const marks = [planOf(plan_type), ...(user_type === 0 ? ['admin'] : []), ...(disabled === 1 ? ['disabled'] : [])];
    process.stdout.write(`${email}\t${username ?? '-'}\t${marks.join(', ')}\n`);
  }
}

/** What a person at the server did is in the audit log like what administrators do, with this as the address. */
function record(on: Database, action: string, user: { id: string; email: string }, details = {}): Promise<void> {
  const target = { kind: 'user', id: user.id, name: user.email };
  return createAudit(Date.now).record(on, null, 'command line', { action, target, libraryId: null, details });
}

async function create(database: Database, email: string | undefined, isAdmin: boolean): Promise<void> {
  if (email === undefined || !isEmail(email)) throw new CommandError('give an email address', 2);
  if (process.stdin.isTTY) process.stderr.write('Type the password, then Enter and Ctrl-D.\n');
  const password = (await text(process.stdin)).replace(/\r?\n$/u, '');
  const problem = passwordProblem(password, email);
  if (problem !== null) throw new CommandError(`the password from standard input: ${problem}`, 1);
  const passwordHash = await createPasswordHasher().hash(password);
  await inTransaction(database, async (transaction) => {
    const id = await createUser(transaction, { email, passwordHash }, Date.now());
    // Whoever runs the server vouches for the address, so the account has the plan of a verified one.
    const verified = transaction.updateTable('users').set({ email_verified: 1 }).where('id', '=', id);
    await verified.execute();
    await verified.set({ plan_type: PLANS.basic }).where('plan_type', '=', PLANS.unverified).execute();
    if (isAdmin) await verified.set({ user_type: 0 }).execute();
    await record(transaction, 'user.create', { id, email });
  });
  process.stdout.write(`created ${email}\n`);
}

/** A server that nobody can administrate could not be set right by its own pages. */
async function refuseLastAdmin(database: Database, user: { id: string; user_type: number }): Promise<void> {
  if (user.user_type !== 0) return;
  const other = await database
    .selectFrom('users')
    .select('id')
    .where('user_type', '=', 0)
    .where('disabled', '=', 0)
    .where('id', '!=', user.id)
    .limit(1)
    .executeTakeFirst();
  if (other === undefined) throw new CommandError('this is the only administrator; make somebody else one first', 1);
}

/** `armarium user`. */
export async function userCommand(args: string[]): Promise<number> {
  const options = { data: { type: 'string' }, admin: { type: 'boolean' }, help: { type: 'boolean' } } as const;
  const { values, positionals } = readOptions({ args, options, allowPositionals: true }, USAGE);
  const [verb, email, value] = positionals;
  if (values.help || verb === undefined) {
    process.stdout.write(USAGE);
    return values.help ? 0 : 2;
  }
  const config = serverConfig(values.data);
  const { database, key } = await openData(config);
  const tokens = createTokenService(database, key.derive('tokens'), Date.now);
  const set = async (changed: { plan_type?: number; user_type?: number; disabled?: number }, said: string) => {
    const name = await inTransaction(database, async (transaction) => {
      const user = await find(transaction, email);
      if (changed.user_type === 1 || changed.disabled === 1) await refuseLastAdmin(transaction, user);
      await transaction.updateTable('users').set(changed).where('id', '=', user.id).execute();
      if (changed.disabled === 1) await tokens.revokeUser(user.id, null, transaction);
      await record(transaction, 'user.update', user, changed);
      return user.email;
    });
    process.stdout.write(`${name}: ${said}\n`);
  };
  try {
    switch (verb) {
      case 'list':
        await list(database);
        return 0;
      case 'create':
        await create(database, email, values.admin === true);
        return 0;
      case 'plan': {
        const plan = Object.entries(PLANS).find(([name]) => name === value)?.[1];
        if (plan === undefined) throw new CommandError(`which plan? ${Object.keys(PLANS).join(', ')}`, 2);
        await set({ plan_type: plan }, `plan ${value}`);
        return 0;
      }
      case 'admin':
        if (value !== 'on' && value !== 'off') throw new CommandError('on or off?', 2);
        await set({ user_type: value === 'on' ? 0 : 1 }, `administrator ${value}`);
        return 0;
      case 'disable':
      case 'enable':
        await set({ disabled: verb === 'disable' ? 1 : 0 }, `${verb}d`);
        return 0;
      case 'sign-out': {
        const user = await find(database, email);
        await inTransaction(database, async (transaction) => {
          await tokens.revokeUser(user.id, null, transaction);
          await record(transaction, 'user.sign-out', user);
        });
        process.stdout.write(`${user.email}: signed out everywhere\n`);
        return 0;
      }
      case 'reset-password': {
        const user = await find(database, email);
        const token = newSecret();
        const link = { user_id: user.id, purpose: 'reset-password', email: user.email } as const;
        await inTransaction(database, async (transaction) => {
          // An earlier link ends, as it does when one is asked for by mail.
          const earlier = transaction.deleteFrom('mail_tokens').where('user_id', '=', user.id);
          await earlier.where('purpose', '=', link.purpose).execute();
          const row = { ...link, hash: secretHash(token), expires_ms: Date.now() + RESET_LIFETIME_MS };
          await transaction.insertInto('mail_tokens').values(row).execute();
          await record(transaction, 'user.reset-link', user);
        });
        const origin = config.publicUrl ?? `http://127.0.0.1:${config.port}`;
        process.stdout.write(`${origin}/reset-password?token=${token}\n`);
        return 0;
      }
      default:
        throw new CommandError(`there is no armarium user ${verb}\n${USAGE}`, 2);
    }
  } finally {
    await database.destroy();
  }
}
