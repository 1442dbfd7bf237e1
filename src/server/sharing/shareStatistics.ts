import { type RawBuilder, sql } from 'kysely';
import { AppError } from '../../shared/errors.ts';
import type { ShareAudience, ShareEvent, ShareStatistics } from '../../shared/model/shareLink.ts';
import type { Database } from '../database/connection.ts';

export interface StatisticsFilter {
  /** Days in UTC, both included. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly include: readonly ShareAudience[];
}

/** Whose events are looked at: one link's, or those of all links of a shelf, also of one creator's alone. */
export type StatisticsScope =
  | { readonly linkId: string }
  | { readonly shelfId: string; readonly createdBy: string | null };

/** What happened with share links. All figures come from one set of rows, so that sums and totals are the same. */
export interface Statistics {
  read(
    scope: StatisticsScope,
    filter: StatisticsFilter & { readonly page: number; readonly page_size: number },
  ): Promise<ShareStatistics>;
  /** The rows themselves as lines of CSV (RFC 4180), oldest first. */
  csv(scope: StatisticsScope, filter: StatisticsFilter): AsyncGenerator<string>;
}

/** Rows of a breakdown that are told apart; who sends a million referrers gets no million rows. */
const BREAKDOWN_ROWS = 100;
const CSV_ROWS = 500;
/** Enough to tell the visitors of a day apart. */
const VISITOR_SHOWN = 12;

const CSV_COLUMNS = [
  'at',
  'kind',
  'audience',
  'device',
  'referrer',
  'visitor',
  'email',
  'document_id',
  'document_name',
  'version_number',
  'link_id',
  'link_label',
] as const;

/** A field of CSV. What a spreadsheet would take for a formula is marked as text. */
function csvField(value: string | number | null): string {
  const text = String(value ?? '');
  const plain = /^[=+\-@\t\r]/u.test(text) ? `'${text}` : text;
  return /[",\r\n]/u.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain;
}

/** The events that are counted, with what they are counted by. */
interface Selected {
  id: string;
  kind: string;
  at: string;
  visitor_hash: string;
  day: string;
  document: string;
  device: string;
  referrer: string;
  link: string;
}

type Dimension = 'document' | 'device' | 'referrer' | 'link';

/** One row of totals or of a breakdown. */
interface Figures {
  readonly by: string;
  readonly key: string | null;
  readonly views: number;
  readonly downloads: number;
  readonly visitors: number;
  readonly last: string | null;
}

/** Makes the service. */
export function createStatistics(database: Database): Statistics {
  function eventsOf(scope: StatisticsScope, { from, to, include }: StatisticsFilter) {
    const all = database
      .selectFrom('share_events')
      .where('share_events.audience', 'in', include)
      .$if(from !== undefined, (query) => query.where('share_events.at', '>=', from ?? ''))
      .$if(to !== undefined, (query) => query.where('share_events.at', '<=', `${to}T23:59:59.999Z`));
    if ('linkId' in scope) return all.where('share_events.link_id', '=', scope.linkId);
    return all.where('share_events.link_id', 'in', ({ selectFrom }) =>
      selectFrom('share_links')
        .select('share_links.id')
        .where('share_links.shelf_id', '=', scope.shelfId)
        .$if(scope.createdBy !== null, (query) => query.where('share_links.created_by', '=', scope.createdBy ?? '')),
    );
  }

  /** Totals and breakdowns in one statement: another moment for each would let them differ. */
  async function figures(scope: StatisticsScope, filter: StatisticsFilter): Promise<Figures[]> {
    const counted = database.withTables<{ selected: Selected }>();
    const counts = (by: string, key: RawBuilder<string | null>) =>
      counted
        .selectFrom('selected')
        .select(({ fn }) => [
          sql<string>`${sql.lit(by)}`.as('by'),
          key.as('key'),
          fn.count<number>('id').filterWhere('kind', '=', 'view').as('views'),
          fn.count<number>('id').filterWhere('kind', '=', 'download').as('downloads'),
          fn.count<number>('visitor_hash').distinct().as('visitors'),
          fn.max<string | null>('at').as('last'),
        ]);
    const busiest = (by: Dimension) =>
      counted
        .selectFrom(
          counts(by, sql.ref<string | null>(by))
            .groupBy(by)
            .orderBy(({ fn }) => fn.countAll(), 'desc')
            .orderBy(by)
            .limit(BREAKDOWN_ROWS)
            .as(`by_${by}`),
        )
        .selectAll();
    const rows = await counted
      .with('selected', () =>
        eventsOf(scope, filter).select([
          'share_events.id',
          'share_events.kind',
          'share_events.at',
          'share_events.visitor_hash',
          'share_events.device',
          'share_events.referrer',
          'share_events.link_id as link',
          sql<string>`substr(share_events.at, 1, 10)`.as('day'),
          sql<string>`coalesce(share_events.document_id, '')`.as('document'),
        ]),
      )
      .selectFrom(
        counts('total', sql<string | null>`cast(null as text)`)
          .unionAll(counts('day', sql.ref<string | null>('day')).groupBy('day'))
          .unionAll(busiest('document'))
          .unionAll(busiest('device'))
          .unionAll(busiest('referrer'))
          .unionAll(busiest('link'))
          .as('figures'),
      )
      .selectAll()
      .execute();
    return rows.map((row) => ({
      ...row,
      views: Number(row.views),
      downloads: Number(row.downloads),
      visitors: Number(row.visitors),
    }));
  }

  async function namesOf(table: 'documents' | 'share_links', ids: readonly string[]): Promise<Map<string, string>> {
    if (ids.length === 0) return new Map();
    const rows =
      table === 'documents'
        ? await database.selectFrom('documents').select(['id', 'name']).where('id', 'in', ids).execute()
        : await database.selectFrom('share_links').select(['id', 'label as name']).where('id', 'in', ids).execute();
    return new Map(rows.map(({ id, name }) => [id, name]));
  }

  /** The rows of a breakdown by how much they are, and what is left of the total as the last one. */
  function breakdown(rows: readonly Figures[], by: Dimension, total: Figures, names: Map<string, string> | null) {
    const shown = rows
      .filter((row) => row.by === by)
      .sort((a, b) => b.views + b.downloads - a.views - a.downloads || (a.key ?? '').localeCompare(b.key ?? ''))
      .map(({ key, views, downloads, last }) => ({
        key,
        name: names === null ? key : (names.get(key ?? '') ?? null),
        views,
        downloads,
        last_access: last,
      }));
    const left = (figure: 'views' | 'downloads') =>
      shown.reduce((remaining, row) => remaining - row[figure], total[figure]);
    const rest = { key: null, name: null, views: left('views'), downloads: left('downloads'), last_access: null };
    return rest.views + rest.downloads === 0 ? shown : [...shown, rest];
  }

  const keysOf = (rows: readonly Figures[], by: Dimension) =>
    rows.flatMap((row) => (row.by === by && row.key !== null && row.key !== '' ? [row.key] : []));

  const listed = (scope: StatisticsScope, filter: StatisticsFilter) =>
    eventsOf(scope, filter)
      .innerJoin('share_links', 'share_links.id', 'share_events.link_id')
      .leftJoin('documents', 'documents.id', 'share_events.document_id')
      .leftJoin('versions as newest', (join) =>
        join.onRef('newest.document_id', '=', 'documents.id').onRef('newest.number', '=', 'documents.current_version'),
      )
      .select([
        'newest.id as current_version_id',
        'share_events.id',
        'share_events.link_id',
        'share_links.label as link_label',
        'share_events.kind',
        'share_events.at',
        'share_events.audience',
        'share_events.device',
        'share_events.referrer',
        'share_events.visitor_hash',
        'share_events.email',
        'share_events.document_id',
        'share_events.version_id',
        'share_events.version_number',
        'documents.name as document_name',
        'documents.current_version',
      ]);

  function eventOf({
    visitor_hash,
    current_version,
    ...row
  }: Awaited<ReturnType<ReturnType<typeof listed>['executeTakeFirstOrThrow']>>): ShareEvent {
    const seen = row.version_number;
    return {
      ...row,
      visitor: visitor_hash.slice(0, VISITOR_SHOWN),
      newer_versions: seen === null || current_version === null ? null : Math.max(0, current_version - seen),
    };
  }

  return {
    async read(scope, { page, page_size: pageSize, ...filter }) {
      const rows = await figures(scope, filter);
      const total = rows.find(({ by }) => by === 'total');
      if (total === undefined) throw new AppError('internal', 'counting gave no total');
      const days = rows.filter(({ by }) => by === 'day').sort((a, b) => (a.key ?? '').localeCompare(b.key ?? ''));
      const events = await listed(scope, filter)
        .orderBy('share_events.at', 'desc')
        .orderBy('share_events.id', 'desc')
        .offset((page - 1) * pageSize)
        .limit(pageSize)
        .execute();
      const count = total.views + total.downloads;
      return {
        totals: {
          views: total.views,
          downloads: total.downloads,
          unique_visitors: total.visitors,
          last_access: total.last,
        },
        per_day: days.map(({ key, views, downloads, visitors }) => ({
          day: key ?? '',
          views,
          downloads,
          unique_visitors: visitors,
        })),
        per_document: breakdown(rows, 'document', total, await namesOf('documents', keysOf(rows, 'document'))),
        per_device: breakdown(rows, 'device', total, null),
        per_referrer: breakdown(rows, 'referrer', total, null),
        per_link: breakdown(rows, 'link', total, await namesOf('share_links', keysOf(rows, 'link'))),
        events: events.map(eventOf),
        event_count: count,
        has_more: page * pageSize < count,
      };
    },
    async *csv(scope, filter) {
      yield `${CSV_COLUMNS.join(',')}\r\n`;
      let after = { at: '', id: '' };
      for (;;) {
        const { at, id } = after;
        const rows = await listed(scope, filter)
          .where(({ or, and, eb }) =>
            or([eb('share_events.at', '>', at), and([eb('share_events.at', '=', at), eb('share_events.id', '>', id)])]),
          )
          .orderBy('share_events.at')
          .orderBy('share_events.id')
          .limit(CSV_ROWS)
          .execute();
        for (const row of rows.map(eventOf)) yield `${CSV_COLUMNS.map((name) => csvField(row[name])).join(',')}\r\n`;
        const last = rows.at(-1);
        if (last === undefined || rows.length < CSV_ROWS) return;
        after = last;
      }
    },
  };
}
