import { AppError } from '../../shared/errors.ts';
import { inChunks } from '../database/chunks.ts';
import type { Database } from '../database/connection.ts';

/** A document that somebody has checked out. */
export interface DocumentLock {
  readonly by: string;
  readonly user_id: string;
  readonly since: string;
  readonly expires_at: string;
}

/** Check-outs (field.md row 24): others' changes to a locked document are refused until it is given back or its time is over. */
export interface Locks {
  /** Takes or prolongs a lock. @throws AppError `locked` when somebody else has it. */
  take(on: Database, userId: string, documentId: string, lifetimeMs: number): Promise<void>;
  drop(on: Database, documentIds: readonly string[]): Promise<void>;
  /** The locks that hold at present, by document. */
  of(on: Database, documentIds: readonly string[]): Promise<Map<string, DocumentLock>>;
  /** @throws AppError `locked` with who and since, when any of the documents is locked by another than `userId`. */
  refuse(on: Database, userId: string, documentIds: readonly string[]): Promise<void>;
}

/** Makes the service. */
export function createLocks(now: () => number): Locks {
  const holding = (on: Database, documentIds: readonly string[]) =>
    on
      .selectFrom('document_locks')
      .innerJoin('documents', 'documents.id', 'document_locks.document_id')
      .leftJoin('users', 'users.id', 'document_locks.user_id')
      .select([
        'document_locks.document_id',
        'document_locks.user_id',
        'document_locks.created_at',
        'document_locks.expires_ms',
        'documents.name',
        'users.username',
      ])
      .where('document_locks.document_id', 'in', documentIds)
      .where('document_locks.expires_ms', '>', now());

  const locks: Locks = {
    async take(on, userId, documentId, lifetimeMs) {
      await locks.refuse(on, userId, [documentId]);
      const expires_ms = now() + lifetimeMs;
      const lock = { document_id: documentId, user_id: userId, created_at: new Date(now()).toISOString(), expires_ms };
      await on
        .insertInto('document_locks')
        .values(lock)
        .onConflict((conflict) =>
          conflict.column('document_id').doUpdateSet((eb) => ({
            // Whoever prolongs a lock has had it since they took it.
            created_at: eb
              .case()
              .when('document_locks.user_id', '=', userId)
              .then(eb.ref('document_locks.created_at'))
              .else(lock.created_at)
              .end(),
            user_id: userId,
            expires_ms,
          })),
        )
        .execute();
    },
    async drop(on, documentIds) {
      for (const chunk of inChunks(documentIds)) {
        await on.deleteFrom('document_locks').where('document_id', 'in', chunk).execute();
      }
    },
    async of(on, documentIds) {
      const byDocument = new Map<string, DocumentLock>();
      for (const chunk of inChunks(documentIds)) {
        for (const row of await holding(on, chunk).execute()) {
          byDocument.set(row.document_id, {
            by: row.username ?? '',
            user_id: row.user_id,
            since: row.created_at,
            expires_at: new Date(Number(row.expires_ms)).toISOString(),
          });
        }
      }
      return byDocument;
    },
    async refuse(on, userId, documentIds) {
      for (const chunk of inChunks(documentIds)) {
        const lock = await holding(on, chunk).where('document_locks.user_id', '!=', userId).limit(1).executeTakeFirst();
        if (lock === undefined) continue;
        throw new AppError('locked', `${lock.username ?? 'somebody'} has the document checked out`, {
          details: { name: lock.name, by: lock.username ?? '', since: lock.created_at },
        });
      }
    },
  };
  return locks;
}
