import { existsSync } from 'node:fs';
import { isAppError } from '../shared/errors.ts';
import type { SearchResult, SearchSummary } from '../shared/model/search.ts';
import { SearchQuery } from '../shared/model/search.ts';
import { LIMITS } from '../shared/rules/limits.ts';
import { openIndex } from '../worker/openIndex.ts';
import { CommandError, readNumber, readOptions } from './commandError.ts';
import { defaultIndexFile, openFolderIndex, readFolder } from './folderIndex.ts';

const ITEMS = 1000;
const ALL = 100_000;

const USAGE = `usage: armarium find QUERY (--in DIR | --db FILE) [options]

Finds every file that contains QUERY, in its content or its name. With --in the folder's index is made or brought up to date
first; with --db an index is searched as it stands, with --history in every version that it holds.
  --history     versions of documents, with their commits (an index of the desktop application or of a server)
  --case        upper and lower case matter
  --word        whole words only
  --regex       QUERY is a regular expression
  --glob G      only paths that match; may be given several times
  --limit N     list at most N files; the counts stay exact
  --items N     list at most N lines a file (default ${ITEMS})
  --json        prints {query, total, files, milliseconds, results: [{path, matches, size, lastModified, items}]}; with
                --history each result has library, shelf, version, commit, message and author as well
`;

function print(summary: SearchSummary, results: readonly SearchResult[]): void {
  for (const result of results) {
    const { path, matches, items, libraryName, shelfName, versionNumber, commitHash, commitMessage, removedIn } =
      result;
    const version =
      versionNumber === null
        ? path
        : `${libraryName}/${shelfName}/${path} v${versionNumber} ${commitHash?.slice(0, 10)} ${commitMessage}`.trimEnd();
    process.stdout.write(`${version} (${matches})\n`);
    for (const { type, line, text } of items) {
      const place = type === 'Content' ? `${line}` : line === null ? type : `${type}, line ${line}`;
      process.stdout.write(`  ${place}: ${text.trim()}\n`);
    }
    if (removedIn !== undefined) {
      process.stdout.write(
        `  removed in v${removedIn.versionNumber} ${removedIn.commitMessage}`.trimEnd().concat('\n'),
      );
    }
  }
  const more = summary.limitHit ? `, ${results.length} shown` : '';
  const unread = summary.notSearched > 0 ? `; ${summary.notSearched} files are not searched by content` : '';
  const behind = summary.complete ? '' : '; some files are still being read';
  process.stdout.write(
    `${summary.total} matches in ${summary.files} files${more}, ${summary.milliseconds.toFixed(0)} ms${unread}${behind}\n`,
  );
}

const versionOf = (result: SearchResult) => ({
  library: result.libraryName,
  shelf: result.shelfName,
  version: result.versionNumber,
  commit: result.commitHash,
  message: result.commitMessage,
  author: result.author,
  ...(result.removedIn === undefined
    ? {}
    : { removedIn: { version: result.removedIn.versionNumber, message: result.removedIn.commitMessage } }),
});

/** `armarium find`. */
export async function findCommand(args: string[]): Promise<number> {
  const { values, positionals } = readOptions(
    {
      args,
      allowPositionals: true,
      options: {
        in: { type: 'string' },
        db: { type: 'string' },
        case: { type: 'boolean', default: false },
        word: { type: 'boolean', default: false },
        regex: { type: 'boolean', default: false },
        history: { type: 'boolean', default: false },
        glob: { type: 'string', multiple: true, default: [] },
        limit: { type: 'string' },
        items: { type: 'string' },
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
  const [text, ...more] = positionals;
  if (text === undefined || more.length > 0) throw new CommandError(`it takes one query\n${USAGE}`, 2);
  if ((values.in === undefined) === (values.db === undefined))
    throw new CommandError(`it takes either --in or --db\n${USAGE}`, 2);
  if (values.history && values.db === undefined) throw new CommandError(`--history needs --db\n${USAGE}`, 2);
  const query = SearchQuery.safeParse({
    text,
    scope: values.history ? 'history' : 'current',
    matchCase: values.case,
    wholeWord: values.word,
    regex: values.regex,
    include: values.glob,
    limit: values.limit === undefined ? ALL : readNumber('--limit', values.limit, 1),
    itemsPerResult: values.items === undefined ? ITEMS : readNumber('--items', values.items, 0),
  });
  if (!query.success) {
    const length = [...text].length;
    const isLength = length < LIMITS.searchMinLength || length > LIMITS.searchMaxLength;
    throw new CommandError(
      isLength
        ? `a query has ${LIMITS.searchMinLength} to ${LIMITS.searchMaxLength} characters, this one has ${length}`
        : query.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`).join('; '),
      2,
    );
  }
  if (values.db !== undefined && !existsSync(values.db)) throw new CommandError(`there is no index ${values.db}`, 1);
  const folder = values.in === undefined ? null : readFolder(values.in);
  const index =
    folder === null
      ? await openIndex({
          file: values.db ?? '',
          onWarning: (message) => process.stderr.write(`armarium: ${message}\n`),
        })
      : await openFolderIndex(folder, defaultIndexFile(folder));
  try {
    const { results, ...summary } = await index.search(query.data, {
      corpus: values.history ? 'all-versions' : 'files',
    });
    if (values.json) {
      const listed = results.map((result) => ({
        path: result.path,
        matches: result.matches,
        size: result.size,
        lastModified: result.lastModified,
        ...(values.history ? versionOf(result) : {}),
        items: result.items.map(({ type, line, text: shown, ranges }) => ({ type, line, text: shown, ranges })),
      }));
      const { total, files, milliseconds } = summary;
      process.stdout.write(`${JSON.stringify({ query: text, total, files, milliseconds, results: listed })}\n`);
    } else print(summary, results);
    return 0;
  } catch (error) {
    if (isAppError(error) && ['query-invalid', 'query-too-slow'].includes(error.code))
      throw new CommandError(error.message, 2);
    throw error;
  } finally {
    await index.close();
  }
}
