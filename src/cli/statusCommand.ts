import { existsSync } from 'node:fs';
import { formatSize } from '../shared/rules/format.ts';
import { openIndex } from '../worker/openIndex.ts';
import { CommandError, readOptions } from './commandError.ts';
import { defaultIndexFile, readFolder } from './folderIndex.ts';

const USAGE = `usage: armarium status (DIR | --db FILE) [--json]

Tells what an index holds, and what is not searched by content and why. It looks at no folder.
  DIR         the folder whose index it is
  --db FILE   the index itself
  --json      prints {files, indexed, versions, indexBytes, bytes, skipped: [{path, reason}]}
`;

/** `armarium status`. */
export async function statusCommand(args: string[]): Promise<number> {
  const options = { db: { type: 'string' }, json: { type: 'boolean' }, help: { type: 'boolean' } } as const;
  const { values, positionals } = readOptions({ args, allowPositionals: true, options }, USAGE);
  if (values.help) {
    process.stdout.write(USAGE);
    return 0;
  }
  const [given, ...more] = positionals;
  if ((given === undefined) === (values.db === undefined) || more.length > 0) {
    throw new CommandError(`it takes either one folder or --db\n${USAGE}`, 2);
  }
  const file = values.db ?? defaultIndexFile(readFolder(given ?? ''));
  if (!existsSync(file)) throw new CommandError(`there is no index ${file}; armarium index makes one`, 1);
  const index = await openIndex({ file, onWarning: (message) => process.stderr.write(`armarium: ${message}\n`) });
  try {
    const { files, indexed, versions, indexBytes } = index.status();
    const bytes = await index.indexedBytes();
    const skipped = await index.skipped();
    if (values.json) {
      process.stdout.write(`${JSON.stringify({ files, indexed, versions, indexBytes, bytes, skipped })}\n`);
      return 0;
    }
    process.stdout.write(
      `${files} files, ${indexed} searched by content (${formatSize(bytes)}), ${versions} versions; ` +
        `the index takes ${formatSize(indexBytes)}\n`,
    );
    for (const { path, reason } of skipped) process.stdout.write(`  ${path}: ${reason}\n`);
    return 0;
  } finally {
    await index.close();
  }
}
