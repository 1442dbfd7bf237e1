import { resolve } from 'node:path';
import { backUp, restore } from '../server/operations/backup.ts';
import { formatSize } from '../shared/rules/format.ts';
import { CommandError, readOptions } from './commandError.ts';
import { refuseElsewhere, serverConfig } from './serverCommands.ts';

const BACKUP_USAGE = `usage: armarium backup --to DIR [--data DIR]

Copies a server's data while it runs: the database as of one moment and the contents that it refers to. A folder with an
earlier backup gets what is new alone.
  --to DIR     where the backup goes; best another disk
  --data DIR   the server's data (ARMARIUM_DATA)
`;

const RESTORE_USAGE = `usage: armarium restore --from DIR --data DIR [--force]

Puts a backup in place as the data of a server that is not running, and compares everything with its hash.
  --from DIR   the backup
  --data DIR   where the server's data is to be (ARMARIUM_DATA); an empty folder
  --force      takes a folder that is not empty, and keeps what is there in a folder below it
`;

const ELSEWHERE = "back PostgreSQL up with pg_dump and switch the bucket's versioning on (docs/operations.md)";

/** `armarium backup`. */
export async function backupCommand(args: string[]): Promise<number> {
  const options = { to: { type: 'string' }, data: { type: 'string' }, help: { type: 'boolean' } } as const;
  const { values } = readOptions({ args, options }, BACKUP_USAGE);
  if (values.help) {
    process.stdout.write(BACKUP_USAGE);
    return 0;
  }
  if (values.to === undefined) throw new CommandError(`--to is missing\n${BACKUP_USAGE}`, 2);
  const config = serverConfig(values.data);
  refuseElsewhere(config, ELSEWHERE);
  const { contents, copied, bytes } = await backUp(config.dataDir, resolve(values.to), Date.now);
  process.stdout.write(
    `${contents} contents (${formatSize(bytes)}), ${copied} of them new, in ${resolve(values.to)}\n`,
  );
  return 0;
}

/** `armarium restore`. */
export async function restoreCommand(args: string[]): Promise<number> {
  const { values } = readOptions(
    {
      args,
      options: {
        from: { type: 'string' },
        data: { type: 'string' },
        force: { type: 'boolean' },
        help: { type: 'boolean' },
      },
    },
    RESTORE_USAGE,
  );
  if (values.help) {
    process.stdout.write(RESTORE_USAGE);
    return 0;
  }
  if (values.from === undefined) throw new CommandError(`--from is missing\n${RESTORE_USAGE}`, 2);
  const config = serverConfig(values.data);
  refuseElsewhere(config, 'restore PostgreSQL with pg_restore (docs/operations.md)');
  const options = { force: values.force === true, now: Date.now };
  const { made_at, contents, aside } = await restore(resolve(values.from), config.dataDir, options);
  if (aside !== null) process.stdout.write(`what was there is kept in ${aside}\n`);
  process.stdout.write(`restored the backup of ${made_at} with ${contents} contents to ${config.dataDir}\n`);
  return 0;
}
