import { once } from 'node:events';
import { openIndex } from '../worker/openIndex.ts';
import { CommandError, readOptions } from './commandError.ts';
import { defaultIndexFile, readFolder } from './folderIndex.ts';

const USAGE = `usage: armarium watch DIR [--db FILE] [--json]

Brings the index of a folder up to date and keeps it so until Ctrl-C. It never changes the folder.
  --db FILE   the index; by default one per folder in the user's cache
  --json      prints the status as an object a line, whenever it changes
`;

/** `armarium watch`. */
export async function watchCommand(args: string[]): Promise<number> {
  const options = { db: { type: 'string' }, json: { type: 'boolean' }, help: { type: 'boolean' } } as const;
  const { values, positionals } = readOptions({ args, allowPositionals: true, options }, USAGE);
  if (values.help) {
    process.stdout.write(USAGE);
    return 0;
  }
  const [given, ...more] = positionals;
  if (given === undefined || more.length > 0) throw new CommandError(`it takes one folder\n${USAGE}`, 2);
  const folder = readFolder(given);
  const ended = Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')]);
  const index = await openIndex({
    file: values.db ?? defaultIndexFile(folder),
    onWarning: (message) => process.stderr.write(`armarium: ${message}\n`),
  });
  try {
    let last = '';
    index.onStatus((status) => {
      const { state, files, indexed, pending, skipped, message } = status;
      const line = values.json
        ? JSON.stringify(status)
        : `${state}: ${indexed} of ${files} files, ${pending} waiting, ${skipped} not searched${message === null ? '' : `; ${message}`}`;
      if (line !== last) process.stdout.write(`${line}\n`);
      last = line;
    });
    await index.setRoots([folder]);
    await index.watch();
    await ended;
    return 0;
  } finally {
    await index.close();
  }
}
