import { basename, resolve } from 'node:path';
import { pino } from 'pino';
import { createAccess, EDIT, type ShelfAccess } from '../server/access/access.ts';
import { emailKey } from '../server/auth/users.ts';
import type { Database } from '../server/database/connection.ts';
import { inTransaction } from '../server/database/transactions.ts';
import { createCommits } from '../server/documents/commits.ts';
import { createLocks } from '../server/documents/locks.ts';
import { insertShelf } from '../server/libraries/libraries.ts';
import { createPlans, type Plans } from '../server/libraries/plans.ts';
import { createNotifications } from '../server/notifications/notifications.ts';
import { openData } from '../server/operations/open.ts';
import { createSealer } from '../server/sealer.ts';
import { createSettings } from '../server/settings/settings.ts';
import { importFiles } from '../server/transfer/importFiles.ts';
import { importLibrary } from '../server/transfer/importLibrary.ts';
import { openTree, type Tree } from '../server/transfer/tree.ts';
import { nameKey } from '../shared/rules/names.ts';
import { CommandError, readOptions } from './commandError.ts';
import { findLibrary } from './exportCommand.ts';
import { serverConfig } from './serverCommands.ts';

const USAGE = `usage: armarium import --from DIR|ZIP --as NAME --owner USER [--data DIR]
       armarium import --from DIR|ZIP --library NAME --shelf NAME --owner USER [--message TEXT] [--data DIR]

The first makes a new library of an export (armarium export): the same versions, messages, comments, labels and times. What
somebody did counts for the account of the same username, or for the owner where there is none; comments of people without an
account are nobody's. Nobody but the owner gets access. Commits get new names; the report tells which is which.

The second brings a folder, or a ZIP, onto a shelf by one commit; the shelf is made if it is not there. A version has the time
at which its file was last changed. What cannot be imported is told of, and does not stop the rest.

Both print a report as JSON, an object a line, and end with a line to people. A running server finds what was imported after
its next start.
  --from DIR|ZIP  what to import
  --as NAME       name of the new library
  --library NAME  --shelf NAME  where files go
  --owner USER    username or email address: the new library's owner, or who the files are from
  --message TEXT  the commit's message
  --data DIR      the server's data (ARMARIUM_DATA)
`;

const OPTIONS = {
  from: { type: 'string' },
  as: { type: 'string' },
  library: { type: 'string' },
  shelf: { type: 'string' },
  owner: { type: 'string' },
  message: { type: 'string' },
  data: { type: 'string' },
  help: { type: 'boolean' },
} as const;

interface Context {
  readonly database: Database;
  readonly blobs: Awaited<ReturnType<typeof openData>>['blobs'];
  readonly plans: Plans;
  readonly tree: Tree;
  readonly userId: string;
}

/** An import sends no mail and signs nobody in. */
const NO_DEFAULTS = { smtp: null, providers: [], signUp: 'closed' } as const;

const report = (line: object) => process.stdout.write(`${JSON.stringify(line)}\n`);

async function findUser(database: Database, who: string): Promise<string> {
  const user = await database
    .selectFrom('users')
    .select('id')
    .where(({ or, eb }) => or([eb('email_key', '=', emailKey(who)), eb('username', '=', who)]))
    .executeTakeFirst();
  if (user === undefined) throw new CommandError(`there is no account ${who}`, 1);
  return user.id;
}

/** The shelf, which a library's owner may name without having made it. */
async function findShelf({ database, plans, userId }: Context, library: string, name: string): Promise<ShelfAccess> {
  const actor = { id: userId, isAdmin: false, familyId: '' };
  const access = createAccess(database);
  const { id: libraryId } = await findLibrary(database, library);
  const known = await database
    .selectFrom('shelves')
    .select('id')
    .where('library_id', '=', libraryId)
    .where('name_key', '=', nameKey(name))
    .executeTakeFirst();
  if (known !== undefined) return access.shelfById(actor, known.id, EDIT);
  const { isOwner, archived } = await access.library(actor, library);
  if (!isOwner || archived)
    throw new CommandError(`${library} has no shelf ${name}, and the account may not make one`, 1);
  const made = await inTransaction(database, (transaction) =>
    insertShelf(transaction, plans, { id: libraryId, owner_id: userId }, name, Date.now()),
  );
  return access.shelfById(actor, made, EDIT);
}

async function importOntoShelf(context: Context, library: string, name: string, message: string): Promise<number> {
  const { database, blobs, plans, tree, userId } = context;
  const shelf = await findShelf(context, library, name);
  const locks = createLocks(Date.now);
  const log = pino({ level: 'silent' });
  const notifications = createNotifications({ database, access: createAccess(database), log, now: Date.now });
  try {
    const commits = createCommits({ locks, plans, notifier: notifications, now: Date.now });
    const common = { database, blobs, commits, locks, tree, shelf, authorId: userId, message, now: Date.now };
    const { commit, counts } = await importFiles({ ...common, onOutcome: report });
    const { added, unchanged, refused, failed } = counts;
    process.stderr.write(
      `${added} added, ${counts['new-version']} new versions, ${unchanged} unchanged, ${refused} refused, ${failed} failed` +
        `${commit === null ? '; nothing to commit' : `; commit ${commit}`}\n`,
    );
    return refused + failed === 0 ? 0 : 1;
  } finally {
    await notifications.close();
  }
}

async function importAs({ userId, ...context }: Context, name: string): Promise<number> {
  let problems = 0;
  const made = await importLibrary({
    ...context,
    name,
    ownerId: userId,
    now: Date.now,
    onLine(line) {
      if (line.kind === 'problem') problems += 1;
      report(line);
    },
  });
  process.stderr.write(
    `${made.shelves} shelves, ${made.documents} documents, ${made.versions} versions, ${made.commits} commits and ` +
      `${made.comments} comments in ${name}; ${problems} problems\n`,
  );
  return problems === 0 ? 0 : 1;
}

/** `armarium import`. */
export async function importCommand(args: string[]): Promise<number> {
  const { values } = readOptions({ args, options: OPTIONS }, USAGE);
  if (values.help) {
    process.stdout.write(USAGE);
    return 0;
  }
  const { from, as, library, shelf, owner, message } = values;
  if (from === undefined || owner === undefined) throw new CommandError(`--from and --owner are needed\n${USAGE}`, 2);
  const isShelf = library !== undefined && shelf !== undefined;
  if (isShelf === (as !== undefined)) throw new CommandError(`either --as, or --library and --shelf\n${USAGE}`, 2);
  const { key, database, blobs } = await openData(serverConfig(values.data));
  try {
    const userId = await findUser(database, owner);
    const tree = await openTree(resolve(from));
    try {
      const plans = createPlans(
        createSettings({ database, sealer: createSealer(key.derive('settings')), defaults: NO_DEFAULTS, now: Date.now })
          .limitsOf,
      );
      const context = { database, blobs, plans, tree, userId };
      if (as !== undefined) return await importAs(context, as);
      const said = message ?? `Import of ${basename(from)}`;
      return await importOntoShelf(context, library ?? '', shelf ?? '', said);
    } finally {
      await tree.close();
    }
  } finally {
    await database.destroy();
  }
}
