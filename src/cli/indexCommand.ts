import type { IndexStatus } from '../shared/model/search.ts';
import { openIndex } from '../worker/openIndex.ts';
import { CommandError, readOptions } from './commandError.ts';
import { defaultIndexFile, readFolder } from './folderIndex.ts';

const USAGE = `usage: armarium index DIR [--db FILE] [--json]

Makes the index of a folder, or brings it up to date. It never changes the folder.
  --db FILE   the index; by default one per folder in the user's cache
  --json      prints {files, indexed, skipped: [{path, reason}], bytes, seconds, indexBytes, peakRssBytes}
`;

/** Shows how far indexing is, on a line that is written over. */
export function showProgress(status: IndexStatus): void {
  const { state, done, pending, secondsLeft } = status;
  const left = secondsLeft === null ? '' : `, about ${secondsLeft} s left`;
  process.stderr.write(`\r\x1b[K${state}: ${done} of ${done + pending} files${left}`);
}

/** `armarium index`. */
export async function indexCommand(args: string[]): Promise<number> {
  const { values, positionals } = readOptions(
    {
      args,
      allowPositionals: true,
      options: { db: { type: 'string' }, json: { type: 'boolean' }, help: { type: 'boolean' } },
    },
    USAGE,
  );
  if (values.help) {
    process.stdout.write(USAGE);
    return 0;
  }
  const [given, ...more] = positionals;
  if (given === undefined || more.length > 0) throw new CommandError(`it takes one folder\n${USAGE}`, 2);
  const folder = readFolder(given);
  const started = performance.now();
  const index = await openIndex({
    file: values.db ?? defaultIndexFile(folder),
    onWarning: (message) => process.stderr.write(`armarium: ${message}\n`),
  });
  try {
    if (process.stderr.isTTY) index.onStatus(showProgress);
    await index.setRoots([folder]);
    await index.waitForIdle(2 ** 31 - 1);
    const seconds = (performance.now() - started) / 1000;
    const { files, indexed, indexBytes } = index.status();
    const skipped = await index.skipped();
    const bytes = await index.indexedBytes();
    const peakRssBytes = process.resourceUsage().maxRSS * 1024;
    if (process.stderr.isTTY) process.stderr.write('\r\x1b[K');
    if (values.json) {
      process.stdout.write(
        `${JSON.stringify({ files, indexed, skipped, bytes, seconds, indexBytes, peakRssBytes })}\n`,
      );
    } else {
      process.stdout.write(
        `${files} files, ${indexed} indexed, ${skipped.length} not searched by content, ${(bytes / 1e6).toFixed(1)} MB in ${seconds.toFixed(1)} s; the index takes ${(indexBytes / 1e6).toFixed(1)} MB\n`,
      );
      for (const { path, reason } of skipped) process.stdout.write(`  ${path}: ${reason}\n`);
    }
    return 0;
  } finally {
    await index.close();
  }
}
