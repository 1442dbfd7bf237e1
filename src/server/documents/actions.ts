import { randomUUID } from 'node:crypto';
import { AppError } from '../../shared/errors.ts';
import type { Commit, DocumentLock } from '../../shared/model/library.ts';
import { documentNameProblem, normalizeName } from '../../shared/rules/names.ts';
import { type Access, type DocumentAccess, EDIT, type Need, READ } from '../access/access.ts';
import type { Audit } from '../audit/audit.ts';
import type { Database } from '../database/connection.ts';
import { inTransaction } from '../database/transactions.ts';
import type { Caller } from '../http/context.ts';
import type { Change, Commits } from './commits.ts';
import type { Documents } from './documents.ts';
import type { Locks } from './locks.ts';

/** What people do to single documents, each by a commit where it changes the shelf. */
export interface DocumentActions {
  /** @throws AppError `conflict` when the base is no longer current; `locked`, `archived`. */
  remove(caller: Caller, documentId: string, message: string, baseVersion: number | null): Promise<Commit>;
  rename(
    caller: Caller,
    documentId: string,
    name: string,
    message: string,
    baseVersion: number | null,
  ): Promise<Commit>;
  /** @throws AppError `conflict` when the newest version has that content already. */
  restoreVersion(caller: Caller, versionId: string, message: string): Promise<Commit>;
  label(caller: Caller, versionId: string, label: string | null): Promise<void>;
  lock(caller: Caller, documentId: string, hours: number): Promise<DocumentLock>;
  unlock(caller: Caller, documentId: string): Promise<void>;
}

/** A document's name as it is stored. @throws AppError `name-invalid` with the rule that it breaks. */
export function checkedDocumentName(name: string): string {
  const problem = documentNameProblem(name);
  if (problem !== null) {
    throw new AppError('name-invalid', `the name breaks the rule ${problem}`, { details: { name, problem } });
  }
  return normalizeName(name);
}

/** Makes the service. */
export function createDocumentActions(options: {
  readonly database: Database;
  readonly access: Access;
  readonly audit: Audit;
  readonly commits: Commits;
  readonly documents: Documents;
  readonly locks: Locks;
  readonly onCommitted: (hash: string) => void;
}): DocumentActions {
  const { database, access, audit, commits, documents, locks, onCommitted } = options;

  /** A document that is not in the trash. */
  async function present({ actor }: Caller, documentId: string, need: Need): Promise<DocumentAccess> {
    const document = await access.document(actor, documentId, need);
    if (document.deleted) throw new AppError('not-found', 'the document is in the trash');
    return document;
  }

  /** Commits one change of a document, with an audit entry where there is something to account for. */
  async function commit(
    { actor, address }: Caller,
    { shelf, id, name }: DocumentAccess,
    message: string,
    change: Change,
    action: string | null,
  ): Promise<Commit> {
    const hash = await inTransaction(database, async (transaction) => {
      if (action !== null) {
        const target = { kind: 'document', id, name };
        await audit.record(transaction, actor, address, { action, target, libraryId: shelf.library_id });
      }
      return commits.commit(transaction, { shelf, authorId: actor.id, message, changes: [change] });
    });
    onCommitted(hash);
    return documents.commit(hash);
  }

  return {
    async remove(caller, documentId, message, baseVersion) {
      const document = await present(caller, documentId, EDIT);
      const change = { type: 'delete', documentId, baseVersion: baseVersion ?? document.current_version } as const;
      return commit(caller, document, message, change, 'document.delete');
    },
    async rename(caller, documentId, rawName, message, baseVersion) {
      const document = await present(caller, documentId, EDIT);
      const name = checkedDocumentName(rawName);
      if (name === document.name) throw new AppError('conflict', 'the document has this name already');
      const base = { documentId, baseVersion: baseVersion ?? document.current_version };
      return commit(caller, document, message, { type: 'rename', ...base, name }, null);
    },
    async restoreVersion(caller, versionId, message) {
      const version = await access.version(caller.actor, versionId, EDIT);
      const document = await present(caller, version.document.id, EDIT);
      const contents = await database
        .selectFrom('versions')
        .select(['number', 'sha256', 'size', 'mime'])
        .where('document_id', '=', document.id)
        .where('number', 'in', [version.number, document.current_version])
        .execute();
      const wanted = contents.find(({ number }) => number === version.number);
      const current = contents.find(({ number }) => number === document.current_version);
      if (wanted === undefined) throw new AppError('not-found', 'there is no such version');
      if (wanted.sha256 === current?.sha256) {
        throw new AppError('conflict', 'the newest version has this content already');
      }
      const change: Change = {
        type: 'modify',
        documentId: document.id,
        baseVersion: document.current_version,
        versionId: randomUUID(),
        sha256: wanted.sha256,
        size: Number(wanted.size),
        mime: wanted.mime,
      };
      return commit(caller, document, message === '' ? `Restore of v${version.number}` : message, change, null);
    },
    async label(caller, versionId, label) {
      await access.version(caller.actor, versionId, EDIT);
      await database.updateTable('versions').set({ label }).where('id', '=', versionId).execute();
    },
    async lock(caller, documentId, hours) {
      await present(caller, documentId, EDIT);
      return inTransaction(database, async (transaction) => {
        await locks.take(transaction, caller.actor.id, documentId, hours * 3600_000);
        const lock = (await locks.of(transaction, [documentId])).get(documentId);
        if (lock === undefined) throw new AppError('internal', 'the lock did not hold');
        return lock;
      });
    },
    async unlock(caller, documentId) {
      const { actor, address } = caller;
      const { shelf, name } = await present(caller, documentId, READ);
      await inTransaction(database, async (transaction) => {
        const lock = (await locks.of(transaction, [documentId])).get(documentId);
        if (lock === undefined) return;
        const isOther = lock.user_id !== actor.id;
        if (isOther && shelf.role !== 'owner' && !actor.isAdmin)
          await locks.refuse(transaction, actor.id, [documentId]);
        await locks.drop(transaction, [documentId]);
        if (!isOther) return;
        await audit.record(transaction, actor, address, {
          action: 'document.break-lock',
          target: { kind: 'document', id: documentId, name },
          libraryId: shelf.library_id,
          details: { of: lock.by },
        });
      });
    },
  };
}
