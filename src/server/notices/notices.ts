import { randomUUID } from 'node:crypto';
import type { Selectable } from 'kysely';
import type { notices as calls } from '../../shared/api/notices.ts';
import { AppError } from '../../shared/errors.ts';
import type { ManagedNotice, NoticeDraft } from '../../shared/model/notice.ts';
import type { Audit } from '../audit/audit.ts';
import type { Database } from '../database/connection.ts';
import type { Tables } from '../database/tables.ts';
import { inTransaction } from '../database/transactions.ts';
import { actorOf, type Caller, callerOf } from '../http/context.ts';
import type { ApiHandlers } from '../http/mount.ts';
import { sanitizeHtml } from './sanitize.ts';

type Row = Selectable<Tables['service_notices']>;

/** Handlers of the service notices' calls. HTML is rebuilt from what is allowed before it is kept. */
export function noticesHandlers(options: {
  readonly database: Database;
  readonly audit: Audit;
  readonly now: () => number;
}): ApiHandlers<{ notices: typeof calls }>['notices'] {
  const { database, audit, now } = options;
  const at = () => new Date(now()).toISOString();
  const inUtc = (time: string) => new Date(time).toISOString();
  const absent = () => new AppError('not-found', 'there is no such notice');

  function stateOf({ active, start_date, end_date }: Row): ManagedNotice['state'] {
    if (active === 0) return 'off';
    if (end_date <= at()) return 'ended';
    return start_date > at() ? 'scheduled' : 'showing';
  }

  async function managed(on: Database, rows: readonly Row[]): Promise<ManagedNotice[]> {
    const reads =
      rows.length === 0
        ? []
        : await on
            .selectFrom('service_notice_reads')
            .select(({ fn }) => ['notice_id', fn.countAll<number>().as('count')])
            .where(
              'notice_id',
              'in',
              rows.map(({ id }) => id),
            )
            .groupBy('notice_id')
            .execute();
    const counts = new Map(reads.map(({ notice_id, count }) => [notice_id, Number(count)]));
    return rows.map((row) => {
      const { created_at: _, ...notice } = row;
      return { ...notice, active: row.active === 1, state: stateOf(row), read_count: counts.get(row.id) ?? 0 };
    });
  }

  function columns(draft: NoticeDraft) {
    // In one notation, since the database compares them as text.
    const [start_date, end_date] = [inUtc(draft.start_date), inUtc(draft.end_date)];
    if (end_date <= start_date) throw new AppError('bad-request', 'a notice ends after it begins');
    const content = draft.content_type === 'html' ? sanitizeHtml(draft.content) : draft.content;
    return { ...draft, start_date, end_date, content, active: draft.active ? 1 : 0, updated_at: at() };
  }

  /** Writes a notice with its audit entry, and reads it again. */
  function change(
    { actor, address }: Caller,
    id: string,
    verb: 'create' | 'update' | 'delete',
    write: (on: Database) => Promise<void>,
  ): Promise<ManagedNotice | null> {
    return inTransaction(database, async (transaction) => {
      const before = await transaction
        .selectFrom('service_notices')
        .selectAll()
        .where('id', '=', id)
        .executeTakeFirst();
      if (verb !== 'create' && before === undefined) throw absent();
      await write(transaction);
      const row = await transaction.selectFrom('service_notices').selectAll().where('id', '=', id).executeTakeFirst();
      const target = { kind: 'notice', id, name: (row ?? before)?.title ?? '' };
      await audit.record(transaction, actor, address, { action: `notice.${verb}`, target, libraryId: null });
      const [notice = null] = row === undefined ? [] : await managed(transaction, [row]);
      return notice;
    });
  }

  return {
    async showing({ query }, context) {
      const { id: user_id } = actorOf(context);
      const since = query.since === undefined ? null : inUtc(query.since);
      const rows = await database
        .selectFrom('service_notices')
        .leftJoin('service_notice_reads as read', (join) =>
          join.onRef('read.notice_id', '=', 'service_notices.id').on('read.user_id', '=', user_id),
        )
        .select(['id', 'title', 'content', 'content_type', 'start_date', 'end_date', 'read.read_at'])
        .where('active', '=', 1)
        .where('start_date', '<=', at())
        .where('end_date', '>', at())
        .$if(since !== null, (each) => each.where('updated_at', '>', since ?? ''))
        .$if(!query.force, (each) => each.where('read.read_at', 'is', null))
        .orderBy('start_date')
        .orderBy('id')
        .limit(50)
        .execute();
      const notices = rows.map(({ read_at, ...row }) => ({ ...row, active: true, read: read_at !== null }));
      return { status: 'success', notices };
    },
    async markRead({ params }, context) {
      const found = await database
        .selectFrom('service_notices')
        .select('id')
        .where('id', '=', params.id)
        .where('active', '=', 1)
        .where('start_date', '<=', at())
        .executeTakeFirst();
      if (found === undefined) throw absent();
      await database
        .insertInto('service_notice_reads')
        .values({ notice_id: params.id, user_id: actorOf(context).id, read_at: at() })
        .onConflict((conflict) => conflict.columns(['notice_id', 'user_id']).doNothing())
        .execute();
      return { read: true };
    },
    async list({ query }) {
      const { count } = await database
        .selectFrom('service_notices')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .executeTakeFirstOrThrow();
      const rows = await database
        .selectFrom('service_notices')
        .selectAll()
        .orderBy('start_date', 'desc')
        .orderBy('id')
        .limit(query.page_size)
        .offset((query.page - 1) * query.page_size)
        .execute();
      return {
        notices: await managed(database, rows),
        count: Number(count),
        has_more: query.page * query.page_size < Number(count),
      };
    },
    async create({ body }, context) {
      const id = randomUUID();
      const row = { id, ...columns(body), created_at: at() };
      const notice = await change(callerOf(context), id, 'create', async (on) => {
        await on.insertInto('service_notices').values(row).execute();
      });
      if (notice === null) throw absent();
      return notice;
    },
    async update({ params, body }, context) {
      const notice = await change(callerOf(context), params.id, 'update', async (on) => {
        await on.updateTable('service_notices').set(columns(body)).where('id', '=', params.id).execute();
      });
      if (notice === null) throw absent();
      return notice;
    },
    async remove({ params }, context) {
      await change(callerOf(context), params.id, 'delete', async (on) => {
        await on.deleteFrom('service_notices').where('id', '=', params.id).execute();
      });
      return { deleted: true };
    },
  };
}
