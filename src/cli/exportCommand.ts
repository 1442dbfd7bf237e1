import { resolve } from 'node:path';
import type { Database } from '../server/database/connection.ts';
import { openData } from '../server/operations/open.ts';
import { exportToFolder } from '../server/transfer/exportFolder.ts';
import { librarySource } from '../server/transfer/exportRoutes.ts';
import { formatSize } from '../shared/rules/format.ts';
import { nameKey } from '../shared/rules/names.ts';
import { CommandError, readOptions } from './commandError.ts';
import { serverConfig } from './serverCommands.ts';

const USAGE = `usage: armarium export --library NAME --to DIR [--data DIR]

Writes a library to a folder, also while the server runs: the documents as they are now under their names, every version that
there ever was, and for each shelf its history with comments and labels as JSON. Every content is checked. A folder with an
earlier export of the same library gets what is new alone. armarium import makes a library of it again.
  --library NAME  which library
  --to DIR        where to; a folder that is empty, or not there
  --data DIR      the server's data (ARMARIUM_DATA)
`;

/** The library of a name, whoever's it is. */
export async function findLibrary(database: Database, name: string): Promise<{ id: string; name: string }> {
  const library = await database
    .selectFrom('libraries')
    .select(['id', 'name'])
    .where('name_key', '=', nameKey(name))
    .executeTakeFirst();
  if (library === undefined) throw new CommandError(`there is no library ${name}`, 1);
  return library;
}

/** `armarium export`. */
export async function exportCommand(args: string[]): Promise<number> {
  const options = {
    library: { type: 'string' },
    to: { type: 'string' },
    data: { type: 'string' },
    help: { type: 'boolean' },
  } as const;
  const { values } = readOptions({ args, options }, USAGE);
  if (values.help) {
    process.stdout.write(USAGE);
    return 0;
  }
  const { library: name, to } = values;
  if (name === undefined || to === undefined) throw new CommandError(`--library and --to are needed\n${USAGE}`, 2);
  const target = resolve(to);
  const { database, blobs } = await openData(serverConfig(values.data));
  try {
    const library = await librarySource(database, (await findLibrary(database, name)).id);
    const result = await exportToFolder({ database, blobs, library, target, now: Date.now });
    for (const problem of result.problems) process.stderr.write(`${problem}\n`);
    process.stdout.write(
      `${result.shelves} shelves with ${result.contents} contents (${formatSize(result.bytes)}), ` +
        `${result.written} files new, in ${target}\n`,
    );
    if (!result.finished) process.stderr.write('the export is not whole: run armarium check, then export again\n');
    return result.problems.length === 0 ? 0 : 1;
  } finally {
    await database.destroy();
  }
}
