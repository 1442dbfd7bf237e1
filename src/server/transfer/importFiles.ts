import { randomUUID } from 'node:crypto';
import { isAppError } from '../../shared/errors.ts';
import { mimeOf } from '../../shared/rules/mime.ts';
import { documentNameProblem, nameKey, normalizeName } from '../../shared/rules/names.ts';
import type { ShelfAccess } from '../access/access.ts';
import type { Database } from '../database/connection.ts';
import { inTransaction } from '../database/transactions.ts';
import type { Change, Commits } from '../documents/commits.ts';
import type { Locks } from '../documents/locks.ts';
import type { BlobStore } from '../storage/blobStore.ts';
import { measure, storeContent } from './storeContent.ts';
import type { Tree, TreeFile } from './tree.ts';

/** What became of one file, for the report. */
export interface FileOutcome {
  /** As it is called in the folder or archive. */
  readonly name: string;
  readonly outcome: 'added' | 'new-version' | 'unchanged' | 'refused' | 'failed';
  readonly sha256: string | null;
  readonly size: number | null;
  /** When the file was last changed: the time of its version, if it became one. */
  readonly modified: string | null;
  /** Why it was refused, or failed. */
  readonly reason: string | null;
}

export interface FilesImported {
  /** Null when nothing was new. */
  readonly commit: string | null;
  readonly counts: Readonly<Record<FileOutcome['outcome'], number>>;
}

/** A document as it stands on the shelf. */
interface Standing {
  readonly id: string;
  readonly current_version: number;
  readonly sha256: string;
}

/** A file that is stored and becomes a version. */
interface Prepared {
  readonly change: Extract<Change, { versionId: string }>;
  readonly outcome: FileOutcome;
}

export interface ImportFilesOptions {
  readonly database: Database;
  readonly blobs: BlobStore;
  readonly commits: Commits;
  readonly locks: Locks;
  readonly tree: Tree;
  /** A shelf that the author may edit. */
  readonly shelf: ShelfAccess;
  readonly authorId: string;
  readonly message: string;
  /** Told of every file. */
  readonly onOutcome: (outcome: FileOutcome) => void;
  readonly now: () => number;
}

/**
 * Brings files onto a shelf by one commit (field.md row 96). A file whose name is there already becomes its document's next
 * version, or stays what it is when nothing changed. What cannot be imported is told of and does not stop the rest. The commit
 * has the time of the import; a version has the time at which its file was last changed.
 * @throws AppError `plan-limit-reached`; `conflict`, `name-taken` or `locked` for what others did meanwhile: nothing is
 * committed then, and the contents that are stored are not sent again by the next attempt.
 */
export async function importFiles(options: ImportFilesOptions): Promise<FilesImported> {
  const { database, blobs, commits, locks, tree, shelf, authorId, message, onOutcome, now } = options;
  const counts = { added: 0, 'new-version': 0, unchanged: 0, refused: 0, failed: 0 };
  const standing = await standingOn(database, shelf.id);
  const locked = await locks.of(
    database,
    [...standing.values()].map(({ id }) => id),
  );
  const prepared: Prepared[] = [];
  const taken = new Set<string>();

  function report(outcome: FileOutcome): void {
    counts[outcome.outcome] += 1;
    onOutcome(outcome);
  }

  const without = (name: string, outcome: 'refused' | 'failed', reason: string): FileOutcome => ({
    name,
    outcome,
    sha256: null,
    size: null,
    modified: null,
    reason,
  });

  function refusal(name: string, document: Standing | undefined): string | null {
    const problem = documentNameProblem(name);
    if (problem !== null) return `the name breaks the rule ${problem}`;
    if (taken.has(nameKey(name))) return 'another file has the same name but for upper and lower case or form';
    const lock = document === undefined ? undefined : locked.get(document.id);
    return lock === undefined || lock.user_id === authorId ? null : `${lock.by} has the document checked out`;
  }

  async function prepare(file: TreeFile): Promise<void> {
    const name = normalizeName(file.path);
    const document = standing.get(nameKey(name));
    const reason = refusal(name, document);
    if (reason !== null) return report(without(file.path, 'refused', reason));
    taken.add(nameKey(name));
    const content = await measure(file.open());
    // A time that is still to come is a clock that was wrong.
    const modified = new Date(Math.min(file.modified.getTime() || now(), now())).toISOString();
    const told = { name: file.path, ...content, modified, reason: null };
    if (document?.sha256 === content.sha256) return report({ ...told, outcome: 'unchanged' });
    await storeContent(database, blobs, content, file.open, now());
    const version = { versionId: randomUUID(), mime: mimeOf(name), ...content };
    prepared.push(
      document === undefined
        ? { change: { type: 'add', name, ...version }, outcome: { ...told, outcome: 'added' } }
        : {
            change: { type: 'modify', documentId: document.id, baseVersion: document.current_version, ...version },
            outcome: { ...told, outcome: 'new-version' },
          },
    );
  }

  for (const { path, reason } of tree.refused) report(without(path, 'refused', reason));
  for (const file of tree.files) {
    try {
      await prepare(file);
    } catch (error) {
      // Without room, or without storage, no other file would fare better.
      if (!isFault(error)) throw error;
      report(without(file.path, 'failed', error.message));
    }
  }
  if (prepared.length === 0) return { commit: null, counts };
  const request = { shelf, authorId, message, changes: prepared.map(({ change }) => change) };
  const commit = await inTransaction(database, async (transaction) => {
    const hash = await commits.commit(transaction, request);
    for (const { change, outcome } of prepared) {
      if (outcome.modified === null) continue;
      await transaction
        .updateTable('versions')
        .set({ created_at: outcome.modified })
        .where('id', '=', change.versionId)
        .execute();
    }
    return hash;
  });
  for (const { outcome } of prepared) report(outcome);
  return { commit, counts };
}

async function standingOn(database: Database, shelfId: string): Promise<Map<string, Standing>> {
  const rows = await database
    .selectFrom('documents')
    .innerJoin('versions', (join) =>
      join
        .onRef('versions.document_id', '=', 'documents.id')
        .onRef('versions.number', '=', 'documents.current_version'),
    )
    .select(['documents.id', 'documents.name_key', 'documents.current_version', 'versions.sha256'])
    .where('documents.shelf_id', '=', shelfId)
    .where('documents.deleted', '=', 0)
    .execute();
  return new Map(rows.map(({ name_key, ...row }) => [name_key, row]));
}

/** Whether an error is one file's own: it is gone, may not be read, changed meanwhile or is damaged. */
function isFault(error: unknown): error is Error {
  if (isAppError(error)) return error.code === 'content-mismatch' || error.code === 'unsupported';
  const { code } = error as NodeJS.ErrnoException;
  return code !== undefined && /^(ENOENT|EACCES|EPERM|EISDIR|ELOOP|ENOTDIR|Z_)/u.test(code);
}
