import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { checkServer } from '../server/operations/check.ts';
import { openData } from '../server/operations/open.ts';
import { formatSize } from '../shared/rules/format.ts';
import { CommandError, readOptions } from './commandError.ts';
import { refuseElsewhere, serverConfig } from './serverCommands.ts';

const USAGE = `usage: armarium check [--data DIR] [--json]

Checks everything that a server keeps, also while it runs: the database, every commit's name, every content's hash. It changes
nothing, and ends with 1 when something is wrong.
  --data DIR   the server's data (ARMARIUM_DATA)
  --json       one JSON object instead of text
`;

/** `armarium check`. */
export async function checkCommand(args: string[]): Promise<number> {
  const options = { data: { type: 'string' }, json: { type: 'boolean' }, help: { type: 'boolean' } } as const;
  const { values } = readOptions({ args, options }, USAGE);
  if (values.help) {
    process.stdout.write(USAGE);
    return 0;
  }
  const config = serverConfig(values.data);
  refuseElsewhere(config, 'check it on the database and the bucket themselves');
  if (!existsSync(join(config.dataDir, 'armarium.db'))) {
    throw new CommandError(`${config.dataDir} holds no server's data`, 1);
  }
  const { database, blobs } = await openData(config);
  try {
    const report = await checkServer(database, 'sqlite', blobs);
    if (values.json) process.stdout.write(`${JSON.stringify(report)}\n`);
    else {
      const { commits, versions, contents, bytes, orphans, problems } = report;
      for (const problem of problems) process.stdout.write(`${problem}\n`);
      const size = formatSize(bytes);
      process.stdout.write(
        `${commits} commits, ${versions} versions, ${contents} contents (${size}), ${orphans} orphans\n`,
      );
      process.stdout.write(problems.length === 0 ? 'all is well\n' : `${problems.length} problems\n`);
    }
    return report.problems.length === 0 ? 0 : 1;
  } finally {
    await database.destroy();
  }
}
