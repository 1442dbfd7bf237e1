import type { ExpressionBuilder } from 'kysely';
import type { Database } from '../database/connection.ts';
import type { Tables } from '../database/tables.ts';
import type { BlobStore } from './blobStore.ts';

/** Removes contents that nothing refers to any more. */
export interface Collector {
  /**
   * Two looks with time between them: what belongs to nothing is condemned, and what still belongs to nothing an hour later
   * is removed. An upload that comes to need it meanwhile lifts the sentence.
   * @returns how much was removed
   */
  collect(): Promise<{ readonly removed: number; readonly bytes: number }>;
}

const GRACE_MS = 3600_000;
const PAGE_SIZE = 500;

/** Makes the collector. */
export function createCollector(database: Database, blobs: BlobStore, now: () => number): Collector {
  /** Contents that neither a version nor an installer needs. */
  const unneeded = (on: Database) =>
    on
      .selectFrom('blobs')
      .where(({ not, exists, selectFrom }) =>
        not(exists(selectFrom('versions').select('id').whereRef('versions.sha256', '=', 'blobs.sha256'))),
      )
      .where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom('app_version_files').select('name').whereRef('app_version_files.sha256', '=', 'blobs.sha256'),
          ),
        ),
      );

  async function condemn(): Promise<void> {
    for (let after = ''; ; ) {
      const page = await database
        .selectFrom('blobs')
        .select('sha256')
        .where('sha256', '>', after)
        .orderBy('sha256')
        .limit(PAGE_SIZE)
        .execute();
      const last = page.at(-1)?.sha256;
      if (last === undefined) return;
      await database
        .updateTable('blobs')
        .set({ condemned_ms: now() })
        .where('condemned_ms', 'is', null)
        .where(
          'sha256',
          'in',
          unneeded(database).select('sha256').where('sha256', '>', after).where('sha256', '<=', last),
        )
        .execute();
      after = last;
    }
  }

  /**
   * The file goes inside the transaction: whoever needs the content waits for it, and then brings the content anew. The row is
   * deleted by one statement that looks at it as it is, so nothing that is refused at the end has removed a file.
   */
  function removeOne(sha256: string): Promise<number | null> {
    const condemned = (eb: ExpressionBuilder<Tables, 'blobs'>) =>
      eb.and([eb('blobs.sha256', '=', sha256), eb('blobs.condemned_ms', '<=', now() - GRACE_MS)]);
    return database
      .transaction()
      .setIsolationLevel('read committed')
      .execute(async (transaction) => {
        const row = await transaction
          .deleteFrom('blobs')
          .where(condemned)
          .where('blobs.sha256', 'in', unneeded(transaction).select('blobs.sha256').where(condemned))
          .returning('size')
          .executeTakeFirst();
        if (row === undefined) return null;
        await blobs.remove(sha256);
        return Number(row.size);
      });
  }

  return {
    async collect() {
      await condemn();
      const condemned = await database
        .selectFrom('blobs')
        .select('sha256')
        .where('condemned_ms', '<=', now() - GRACE_MS)
        .execute();
      let [removed, bytes] = [0, 0];
      for (const { sha256 } of condemned) {
        const size = await removeOne(sha256);
        if (size === null) continue;
        removed += 1;
        bytes += size;
      }
      return { removed, bytes };
    },
  };
}
