import { createHmac } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import brand from '../../../resources/brand.json' with { type: 'json' };
import { shareTopic } from '../../shared/api/sharing.ts';
import { AppError, isAppError } from '../../shared/errors.ts';
import type { ShareAudience } from '../../shared/model/shareLink.ts';
import { type Access, READ } from '../access/access.ts';
import { newSecret } from '../auth/secrets.ts';
import type { Throttle } from '../auth/throttle.ts';
import type { Database } from '../database/connection.ts';
import type { Tables } from '../database/tables.ts';
import { inTransaction } from '../database/transactions.ts';
import type { Actor } from '../http/context.ts';
import type { Jobs } from '../jobs/jobs.ts';
import type { Mailer } from '../mail/mailer.ts';
import type { ShareCookies, ShareSession } from './cookies.ts';
import type { ResolvedLink } from './gate.ts';
import { type LinkRow, linkEnded } from './linkRows.ts';
import { deviceOf, isBot, networkOf, referrerOf, visitorHash } from './visitor.ts';

/** The version of a document that somebody sees. */
export interface SeenDocument {
  readonly id: string;
  readonly version_id: string;
  readonly version_number: number;
}

/** One answer to a visitor. */
export interface Visit {
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  readonly link: ResolvedLink;
  /** Null for the list of a shelf. */
  readonly document: SeenDocument | null;
  /** What the page says about the page that led to it. */
  readonly referrer?: string | undefined;
}

/**
 * Counts openings and downloads. Whoever lets somebody in calls this first: it uses up one of the link's views, where they are
 * limited, and throws when none is left.
 */
export interface Visits {
  /** Counts once for each session and version, however often a page is loaded again. @throws AppError `gone` */
  view(visit: Visit): Promise<void>;
  /** `part`: not from the first byte on, so that it is a download of its own only where none came before. */
  download(visit: Visit, part: boolean): Promise<void>;
}

type EventRow = Tables['share_events'];
type NewEvent = Pick<EventRow, 'id' | 'kind' | 'document_id' | 'version_id' | 'version_number'>;

const OPENINGS_A_MINUTE = 300;

/** Makes the service. */
export function createVisits(options: {
  readonly database: Database;
  readonly access: Access;
  readonly authenticate: (request: FastifyRequest) => Promise<Actor | null>;
  readonly cookies: ShareCookies;
  readonly throttle: Pick<Throttle, 'attempt'>;
  readonly mailer: Mailer;
  readonly jobs: Jobs;
  readonly key: Buffer;
  readonly publicUrl: () => string;
  /** Shows an event to those who look at the link's statistics. */
  readonly publish: (topic: string, data: unknown) => void;
  readonly now: () => number;
}): Visits {
  const { database, access, authenticate, cookies, throttle, mailer, jobs, key, publicUrl, publish, now } = options;

  async function isMember(request: FastifyRequest, shelfId: string): Promise<boolean> {
    const actor = await authenticate(request);
    if (actor === null) return false;
    try {
      await access.shelfById(actor, shelfId, READ);
      return true;
    } catch (error) {
      if (isAppError(error, 'not-found')) return false;
      throw error;
    }
  }

  async function audienceOf({ request, link }: Visit): Promise<ShareAudience> {
    if (isBot(request)) return 'bot';
    return (await isMember(request, link.row.shelf_id)) ? 'team' : 'visitor';
  }

  /** The same for the same: what is inserted under it counts once, also when two requests come at the same moment. */
  function eventId(...parts: readonly (string | number | null)[]): string {
    const bytes = createHmac('sha256', key).update(JSON.stringify(parts)).digest().subarray(0, 16);
    bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x80, 6);
    bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
    return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/u, '$1-$2-$3-$4-$5');
  }

  const placeOf = (document: SeenDocument | null) => ({
    document_id: document?.id ?? null,
    version_id: document?.version_id ?? null,
    version_number: document?.version_number ?? null,
  });

  async function insert(on: Database, event: EventRow): Promise<boolean> {
    const { numInsertedOrUpdatedRows } = await on
      .insertInto('share_events')
      .values(event)
      .onConflict((conflict) => conflict.column('id').doNothing())
      .executeTakeFirst();
    return numInsertedOrUpdatedRows === 1n;
  }

  /** Takes one of the views that are left. @returns how many are taken with it. */
  async function takeView(on: Database, linkId: string): Promise<number> {
    const { numUpdatedRows } = await on
      .updateTable('share_links')
      .set(({ eb }) => ({ view_count: eb('view_count', '+', 1) }))
      .where('id', '=', linkId)
      .where(({ or, eb, ref }) => or([eb('max_views', 'is', null), eb('view_count', '<', ref('max_views'))]))
      .executeTakeFirst();
    if (numUpdatedRows === 0n) throw linkEnded('used-up');
    const { view_count } = await on
      .selectFrom('share_links')
      .select('view_count')
      .where('id', '=', linkId)
      .executeTakeFirstOrThrow();
    return view_count;
  }

  /** Tells the creator of the first opening; those that follow stand in the statistics. */
  async function tellOfOpening(on: Database, row: LinkRow, at: string): Promise<void> {
    const shared = row.version_name ?? row.document_name ?? row.shelf;
    const name = row.label === '' ? shared : row.label;
    if (row.notify_on_open === 1) {
      const page = `${publicUrl()}/${encodeURIComponent(row.library)}/${row.shelf_id}/share/stat/${row.id}`;
      await mailer.send(on, {
        to: row.creator_email,
        subject: `Your share link ${name} was opened`,
        text: [
          `Your ${brand.name} share link ${name} to ${shared} was opened for the first time.`,
          `This is the only mail about it. Who opens it from now on stands here:\n${page}`,
        ].join('\n\n'),
      });
    }
    if (row.webhook_url !== null) {
      const { id: link_id, kind, label, shelf_id } = row;
      const body = JSON.stringify({ event: 'share-link.opened', link_id, kind, label, shelf_id, name: shared, at });
      await jobs.add(on, 'webhook', { url: row.webhook_url, body }, { dedupeKey: `share link opened ${row.id}` });
    }
  }

  /** What all events of one visit have in common. */
  function commonOf({ request, link }: Visit, audience: ShareAudience, session: ShareSession) {
    const at = new Date(now()).toISOString();
    return {
      link_id: link.row.id,
      at,
      visitor_hash: visitorHash(key, request, at.slice(0, 10)),
      email: audience === 'bot' ? null : session.email,
      audience,
      device: deviceOf(request),
      referrer: session.referrer,
    };
  }

  async function countBot(visit: Visit, kind: EventRow['kind']): Promise<void> {
    const { row, session } = visit.link;
    // Who says to be a bot uses up no view, so where views are limited it sees nothing.
    if (row.max_views !== null && session.opened === null) throw new AppError('forbidden', 'this link is for people');
    const common = commonOf(visit, 'bot', session);
    const place = placeOf(visit.document);
    const id = eventId('bot', common.visitor_hash, row.id, kind, place.version_id);
    if (await insert(database, { ...common, ...place, id, kind })) announce(common, [kind]);
  }

  /** Says that something happened and not who it was: that stands in the statistics. */
  function announce(
    { link_id, at, audience }: Pick<EventRow, 'link_id' | 'at' | 'audience'>,
    kinds: readonly EventRow['kind'][],
  ): void {
    for (const kind of kinds) publish(shareTopic(link_id), { link_id, at, audience, kind });
  }

  /**
   * Writes down a visit of people. What opens the link comes first: with it, and only with it, a view is taken. `more` are the
   * events beside; each is a list of ids of which the first that is free is taken.
   */
  async function countPeople(
    visit: Visit,
    audience: 'visitor' | 'team',
    more: (session: ShareSession) => readonly (Omit<NewEvent, 'id'> & { readonly ids: readonly string[] })[],
  ): Promise<void> {
    const { request, reply, link, document } = visit;
    const { row } = link;
    const opens = link.session.opened === null || (link.session.opened === 'team' && audience === 'visitor');
    const referrer = opens ? referrerOf(request, visit.referrer, new URL(publicUrl()).hostname) : link.session.referrer;
    const session = opens ? { ...link.session, opened: audience, referrer } : link.session;
    const common = commonOf(visit, audience, session);
    const place = placeOf(row.kind === 'shelf' ? null : document);
    const opening = viewOf(session, audience, place);

    const kinds = await inTransaction(database, async (transaction) => {
      const stored: EventRow['kind'][] = [];
      if (opens && (await insert(transaction, { ...common, ...opening }))) {
        stored.push('view');
        if (audience === 'visitor' && (await takeView(transaction, row.id)) === 1) {
          await tellOfOpening(transaction, row, common.at);
        }
      }
      for (const { ids, ...event } of more(session)) {
        for (const id of ids) {
          if (!(await insert(transaction, { ...common, ...event, id }))) continue;
          stored.push(event.kind);
          break;
        }
      }
      if (stored.length > 0 && audience === 'visitor') {
        await transaction
          .updateTable('share_links')
          .set({ last_access_at: common.at })
          .where('id', '=', row.id)
          .execute();
      }
      return stored;
    });
    if (opens) cookies.keepSession(reply, session);
    announce(common, kinds);
  }

  const viewOf = (session: ShareSession, audience: ShareAudience, place: Omit<NewEvent, 'id' | 'kind'>): NewEvent => ({
    ...place,
    id: eventId('view', session.id, audience, place.version_id),
    kind: 'view',
  });

  /** One network can fill the statistics, but not fast. */
  async function countOpening({ request, link }: Visit): Promise<void> {
    const key = `share open ${link.row.id} ${networkOf(request.ip)}`;
    if ((await throttle.attempt([{ key, limit: OPENINGS_A_MINUTE, windowMs: 60_000 }])) > 0) {
      throw new AppError('throttled', 'the link is opened too often; try again in a minute');
    }
  }

  return {
    async view(visit) {
      const audience = await audienceOf(visit);
      if (audience === 'bot') return countBot(visit, 'view');
      if (visit.link.session.opened === null) await countOpening(visit);
      await countPeople(visit, audience, (session) => {
        const { id, ...view } = viewOf(session, audience, placeOf(visit.document));
        return [{ ...view, ids: [id] }];
      });
    },
    async download(visit, part) {
      const audience = await audienceOf(visit);
      if (audience === 'bot') return countBot(visit, 'download');
      await countOpening(visit);
      const place = placeOf(visit.document);
      await countPeople(visit, audience, (session) => {
        const first = eventId('download', session.id, audience, place.version_id);
        const again = eventId('download', newSecret());
        return [{ ...place, kind: 'download', ids: part ? [first] : [first, again] }];
      });
    },
  };
}
