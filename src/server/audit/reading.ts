import type { Selectable } from 'kysely';
import type { AuditRecord } from '../../shared/model/admin.ts';
import type { Database } from '../database/connection.ts';
import type { Tables } from '../database/tables.ts';

export interface AuditFilter {
  readonly actor?: string | undefined;
  readonly action?: string | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

/** Reading the audit log: all of it, or what belongs to one library. */
export interface AuditLog {
  page(
    libraryId: string | null,
    filter: AuditFilter,
    page: number,
    pageSize: number,
  ): Promise<{ items: AuditRecord[]; count: number; has_more: boolean }>;
  /** The whole as CSV, a piece at a time, newest first. */
  csv(libraryId: string | null): AsyncGenerator<string>;
}

const CSV_PAGE = 1000;

/** A cell that spreadsheets take for text: quoted as RFC 4180 says, and never for a formula. */
export function csvCell(value: string): string {
  const safe = /^[=+\-@\t\r]/u.test(value) ? `'${value}` : value;
  return /[",\r\n]/u.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

function recordOf(row: Selectable<Tables['audit_log']>): AuditRecord {
  const { id, at, actor_name: actor, action, target_kind, target_name, address, details } = row;
  return {
    id,
    at,
    actor,
    action,
    target_kind,
    target_name,
    address,
    details: JSON.parse(details) as AuditRecord['details'],
  };
}

/** Makes the reader. */
export function createAuditLog(database: Database): AuditLog {
  const matching = (libraryId: string | null, { actor, action, from, to }: AuditFilter) =>
    database
      .selectFrom('audit_log')
      .$if(libraryId !== null, (query) => query.where('library_id', '=', libraryId))
      .$if(actor !== undefined && actor !== '', (query) => query.where('actor_name', '=', actor ?? ''))
      .$if(action !== undefined && action !== '', (query) => query.where('action', '=', action ?? ''))
      .$if(from !== undefined, (query) => query.where('at', '>=', from ?? ''))
      .$if(to !== undefined, (query) => query.where('at', '<', to ?? ''));

  return {
    async page(libraryId, filter, page, pageSize) {
      const { count } = await matching(libraryId, filter)
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .executeTakeFirstOrThrow();
      const rows = await matching(libraryId, filter)
        .selectAll()
        .orderBy('at', 'desc')
        .orderBy('id')
        .limit(pageSize)
        .offset((page - 1) * pageSize)
        .execute();
      return { items: rows.map(recordOf), count: Number(count), has_more: page * pageSize < Number(count) };
    },
    async *csv(libraryId) {
      yield 'time,actor,action,kind,name,address,details\r\n';
      for (let page = 0; ; page += 1) {
        const rows = await matching(libraryId, {})
          .selectAll()
          .orderBy('at', 'desc')
          .orderBy('id')
          .limit(CSV_PAGE)
          .offset(page * CSV_PAGE)
          .execute();
        for (const { at, actor_name, action, target_kind, target_name, address, details } of rows) {
          const cells = [at, actor_name, action, target_kind, target_name, address, details];
          yield `${cells.map(csvCell).join(',')}\r\n`;
        }
        if (rows.length < CSV_PAGE) return;
      }
    },
  };
}
