import { createHash } from 'node:crypto';
import { text } from 'node:stream/consumers';
import type { z } from 'zod';
import { AppError } from '../../shared/errors.ts';
import { canonicalCommit } from '../../shared/rules/commit.ts';
import { documentNameProblem } from '../../shared/rules/names.ts';
import type { Database } from '../database/connection.ts';
import { inTransaction } from '../database/transactions.ts';
import { createCommits } from '../documents/commits.ts';
import { createLocks } from '../documents/locks.ts';
import { insertLibrary, insertShelf } from '../libraries/libraries.ts';
import type { Plans } from '../libraries/plans.ts';
import type { BlobStore } from '../storage/blobStore.ts';
import { contentPath, HistoryFile, historyPath, LIBRARY_FILE, LibraryFile } from './format.ts';
import { type People, readPeople } from './people.ts';
import { createReplay } from './replay.ts';
import type { Tree, TreeFile } from './tree.ts';

/** A line of an import's report. */
export type ImportLine =
  | {
      readonly kind: 'commit';
      readonly shelf: string;
      /** Its name on the server that it comes from, and here. */
      readonly original: string;
      readonly hash: string;
      /** Who made it there; empty for an account that was gone. */
      readonly original_author: string;
      /** Whether that is who it counts for here. */
      readonly author_known: boolean;
    }
  | { readonly kind: 'problem'; readonly shelf: string; readonly name: string; readonly reason: string };

export interface LibraryImported {
  readonly libraryId: string;
  readonly shelves: number;
  readonly documents: number;
  readonly versions: number;
  readonly commits: number;
  readonly comments: number;
}

export interface ImportLibraryOptions {
  readonly database: Database;
  readonly blobs: BlobStore;
  readonly plans: Plans;
  readonly tree: Tree;
  /** What the library is called here. */
  readonly name: string;
  readonly ownerId: string;
  readonly onLine: (line: ImportLine) => void;
  readonly now: () => number;
}

/** More than any shelf's history takes. */
const MAX_JSON_BYTES = 512 * 1024 * 1024;

async function readJson<T extends z.ZodType>(
  file: TreeFile | undefined,
  path: string,
  schema: T,
): Promise<z.output<T>> {
  if (file === undefined) throw new AppError('not-found', `the export has no ${path}`);
  if (file.size > MAX_JSON_BYTES) throw new AppError('payload-too-large', `${path} is too large`);
  const parsed = schema.safeParse(JSON.parse(await text(file.open())));
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new AppError('unsupported', `${path} is not as it should be: ${issue?.path.join('.')}: ${issue?.message}`);
}

/** Every commit has to be what its name says, and to follow the one before it: nobody changed the export. */
function verifyHistory({ shelf, commits, documents, versions }: HistoryFile): void {
  let parent: string | null = null;
  for (const commit of commits) {
    const changes = commit.changes.map(({ code, name, version_number, sha256 }) => ({
      code,
      name,
      versionNumber: version_number,
      sha256,
    }));
    const { author_id: authorId, created_at: createdAt, message } = commit;
    const canonical = canonicalCommit({
      shelfId: shelf.id,
      parent: commit.parent,
      authorId,
      createdAt,
      message,
      changes,
    });
    const isRight = createHash('sha256').update(canonical).digest('hex') === commit.hash;
    if (!isRight || commit.parent !== parent) {
      throw new AppError('content-mismatch', `the history of ${shelf.name} was changed at commit ${commit.hash}`);
    }
    parent = commit.hash;
  }
  const names = [...documents, ...versions, ...commits.flatMap(({ changes }) => changes)];
  const bad = names.find(({ name }) => documentNameProblem(name) !== null);
  if (bad !== undefined) throw new AppError('name-invalid', `${bad.name} is no name for a document`);
}

/**
 * Makes a library of an export (`format.ts`): the same versions, messages, comments, labels and times. Ids are new, and with
 * them the names of commits, which are made of ids; the report tells which is which. Versions and commits count for the
 * account of the same username, or for the library's owner where there is none; comments of people who have no account here
 * are nobody's. Nobody but the owner gets access. Until it is whole the library is archived, so that nobody changes what is
 * half there; what fails takes it away again, and leaves contents that make the next attempt short.
 * @throws AppError `not-found`, `unsupported`, `content-mismatch` or `name-invalid` for what is no whole export, before
 * anything is changed; `name-taken`; `plan-limit-reached`
 */
export async function importLibrary(options: ImportLibraryOptions): Promise<LibraryImported> {
  const { database, plans, tree, name, ownerId, now } = options;
  const files = new Map(tree.files.map((file) => [file.path, file]));
  const head = await readJson(files.get(LIBRARY_FILE), LIBRARY_FILE, LibraryFile);
  if (!head.finished) throw new AppError('unsupported', 'the export was not finished; export again to the same folder');
  const histories: HistoryFile[] = [];
  for (const { folder } of head.shelves) {
    const path = historyPath(folder);
    const history = await readJson(files.get(path), path, HistoryFile);
    verifyHistory(history);
    const missing = history.versions.find(({ sha256 }) => !files.has(contentPath(sha256)));
    if (missing !== undefined) throw new AppError('not-found', `the export has no ${contentPath(missing.sha256)}`);
    histories.push(history);
  }
  const people = await readPeople(database, histories, ownerId);
  const libraryId = await inTransaction(database, async (transaction) => {
    const id = await insertLibrary(transaction, plans, ownerId, name, now());
    await transaction.updateTable('libraries').set({ archived: 1 }).where('id', '=', id).execute();
    return id;
  });
  try {
    return await fillLibrary(options, files, { libraryId, head, histories, people });
  } catch (error) {
    await inTransaction(database, async (transaction) => {
      await transaction.deleteFrom('libraries').where('id', '=', libraryId).execute();
      await transaction.deleteFrom('names').where('owner_id', '=', libraryId).where('kind', '=', 'library').execute();
    });
    throw error;
  }
}

async function fillLibrary(
  { database, blobs, plans, ownerId, onLine, now, name }: ImportLibraryOptions,
  files: ReadonlyMap<string, TreeFile>,
  {
    libraryId,
    head,
    histories,
    people,
  }: {
    readonly libraryId: string;
    readonly head: LibraryFile;
    readonly histories: readonly HistoryFile[];
    readonly people: People;
  },
): Promise<LibraryImported> {
  // Nobody hears of what happened long ago.
  const commits = createCommits({ locks: createLocks(now), plans, notifier: { notify: async () => undefined }, now });
  const totals = { libraryId, shelves: 0, documents: 0, versions: 0, commits: 0, comments: 0 };
  for (const history of histories) {
    const { shelf } = history;
    const owner = { id: libraryId, owner_id: ownerId };
    const shelfId = await inTransaction(database, (transaction) =>
      insertShelf(transaction, plans, owner, shelf.name, now()),
    );
    const replay = createReplay({
      database,
      blobs,
      commits,
      people,
      shelf: { id: shelfId, name: shelf.name, library: name, owner_id: ownerId },
      contentOf: (sha256) => files.get(contentPath(sha256)),
      onLine,
      now,
    });
    const made = await replay.all(history);
    totals.shelves += 1;
    totals.documents += made.documents;
    totals.versions += made.versions;
    totals.commits += made.commits;
    totals.comments += made.comments;
    const { archived, created_at, updated_at } = shelf;
    await database
      .updateTable('shelves')
      .set({ archived: archived ? 1 : 0, created_at, updated_at })
      .where('id', '=', shelfId)
      .execute();
  }
  const { archived, created_at } = head.library;
  await database
    .updateTable('libraries')
    .set({ archived: archived ? 1 : 0, created_at })
    .where('id', '=', libraryId)
    .execute();
  return totals;
}
