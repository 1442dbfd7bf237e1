import type { DueVersion } from '../../shared/api/retention.ts';
import { inChunks } from '../database/chunks.ts';
import type { Database } from '../database/connection.ts';
import { inTransaction } from '../database/transactions.ts';

/**
 * Lets old versions go after the days that the administrator set; without days all are kept. The newest version of a document,
 * those with a label and those that a share link points at are always kept (field.md rows 19 and 22).
 */
export interface Retention {
  /** Versions of a shelf that will have gone `aheadDays` from now, those that go first at the top. */
  due(shelfId: string, aheadDays: number): Promise<{ days: number | null; versions: DueVersion[]; has_more: boolean }>;
  /** Lets go of what is past its time. */
  apply(): Promise<void>;
}

const DAY_MS = 24 * 3600_000;
const BATCH = 500;
const LISTED = 500;

/** Makes the service. */
export function createRetention(options: {
  readonly database: Database;
  readonly versionDays: () => Promise<number | null>;
  /** Told which versions are gone for good. */
  readonly onRemoved: (versionIds: readonly string[]) => void;
  readonly now: () => number;
}): Retention {
  const { database, versionDays, onRemoved, now } = options;

  /** Older versions of documents that are not in the trash, which has a time of its own. */
  const superseded = (on: Database, before: string) =>
    on
      .selectFrom('versions')
      .innerJoin('documents', 'documents.id', 'versions.document_id')
      .whereRef('versions.number', '<', 'documents.current_version')
      .where('versions.label', 'is', null)
      .where('versions.created_at', '<', before)
      .where('documents.deleted', '=', 0)
      .where(({ not, exists, selectFrom }) =>
        not(exists(selectFrom('share_links').select('id').whereRef('share_links.version_id', '=', 'versions.id'))),
      );

  return {
    async due(shelfId, aheadDays) {
      const days = await versionDays();
      if (days === null) return { days, versions: [], has_more: false };
      const before = new Date(now() - (days - aheadDays) * DAY_MS).toISOString();
      const rows = await superseded(database, before)
        .select(['versions.id', 'versions.document_id', 'versions.name', 'versions.number'])
        .select(['versions.size', 'versions.created_at'])
        .where('documents.shelf_id', '=', shelfId)
        .orderBy('versions.created_at')
        .orderBy('versions.id')
        .limit(LISTED + 1)
        .execute();
      return {
        days,
        versions: rows.slice(0, LISTED).map(({ size, ...row }) => ({
          ...row,
          size: Number(size),
          expires_at: new Date(Date.parse(row.created_at) + days * DAY_MS).toISOString(),
        })),
        has_more: rows.length > LISTED,
      };
    },
    async apply() {
      const days = await versionDays();
      if (days === null) return;
      const before = new Date(now() - days * DAY_MS).toISOString();
      for (;;) {
        // Looked up and deleted together, so that a label that comes meanwhile counts.
        const gone = await inTransaction(database, async (transaction) => {
          const rows = await superseded(transaction, before).select('versions.id').limit(BATCH).execute();
          const ids = rows.map(({ id }) => id);
          for (const chunk of inChunks(ids)) {
            await transaction.deleteFrom('versions').where('id', 'in', chunk).execute();
          }
          return ids;
        });
        if (gone.length > 0) onRemoved(gone);
        if (gone.length < BATCH) return;
      }
    },
  };
}
