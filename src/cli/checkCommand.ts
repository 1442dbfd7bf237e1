import { checkServer, repairCounts } from '../server/operations/check.ts';
import { type DataConfig, openData, openToLook } from '../server/operations/open.ts';
import { formatSize } from '../shared/rules/format.ts';
import { readOptions } from './commandError.ts';
import { serverConfig } from './serverCommands.ts';

const USAGE = `usage: armarium check [--data DIR] [--repair-counts] [--json]

Checks everything that a server keeps, also while it runs: the database, the numbers of versions, every commit's name, every
content's hash. It reads every content once. It changes nothing, and ends with 1 when something is wrong.
  --data DIR        the server's data (ARMARIUM_DATA)
  --repair-counts   before that, counts the documents of shelves anew where the count is wrong
  --json            one JSON object instead of text
`;

async function repair(config: DataConfig): Promise<string[]> {
  const { database } = await openData(config);
  try {
    return await repairCounts(database);
  } finally {
    await database.destroy();
  }
}

/** `armarium check`. */
export async function checkCommand(args: string[]): Promise<number> {
  const { values } = readOptions(
    {
      args,
      options: {
        data: { type: 'string' },
        'repair-counts': { type: 'boolean' },
        json: { type: 'boolean' },
        help: { type: 'boolean' },
      },
    },
    USAGE,
  );
  if (values.help) {
    process.stdout.write(USAGE);
    return 0;
  }
  const config = serverConfig(values.data);
  const { database, blobs } = await openToLook(config);
  try {
    const repaired = values['repair-counts'] ? await repair(config) : [];
    const report = await checkServer(database, blobs);
    if (values.json) process.stdout.write(`${JSON.stringify({ ...report, repaired })}\n`);
    else {
      const { commits, versions, contents, bytes, orphans, problems } = report;
      for (const name of repaired) process.stdout.write(`shelf: ${name} was counted anew\n`);
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
