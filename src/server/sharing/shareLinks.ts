import { randomUUID } from 'node:crypto';
import type { Updateable } from 'kysely';
import type { z } from 'zod';
import type { sharing as calls } from '../../shared/api/sharing.ts';
import { AppError } from '../../shared/errors.ts';
import type { ShareLink } from '../../shared/model/shareLink.ts';
import { type Access, EDIT, type Need, type ShelfAccess } from '../access/access.ts';
import type { Audit } from '../audit/audit.ts';
import type { PasswordHasher } from '../auth/passwords.ts';
import { newSecret, secretHash } from '../auth/secrets.ts';
import type { Database } from '../database/connection.ts';
import type { Tables } from '../database/tables.ts';
import { inTransaction } from '../database/transactions.ts';
import type { Actor, Caller } from '../http/context.ts';
import type { Notifier } from '../notifications/notifier.ts';
import type { Sealer } from '../sealer.ts';
import { allowedEmails, isBacked, type LinkRow, linkRows, stateOf } from './linkRows.ts';
import { webhookProblem, webhookSecret } from './webhookSender.ts';

export type NewShareLink = z.output<typeof calls.create.body>;
export type ShareLinkChange = z.output<typeof calls.update.body>;

interface Page {
  readonly page: number;
  readonly page_size: number;
}
interface LinkPage {
  readonly links: ShareLink[];
  readonly count: number;
  readonly has_more: boolean;
}
/** A shelf by the names of its address. */
interface ShelfAddress {
  readonly lib: string;
  readonly id: string;
}

/** Share links as those have them who make them: editors their own, the owner of the shelf all. */
export interface ShareLinks {
  list(actor: Actor, shelf: ShelfAddress, page: Page): Promise<LinkPage>;
  mine(actor: Actor, page: Page): Promise<LinkPage>;
  create(caller: Caller, shelf: ShelfAddress, link: NewShareLink): Promise<ShareLink>;
  update(caller: Caller, shelf: ShelfAddress, linkId: string, change: ShareLinkChange): Promise<ShareLink>;
  /** Also on an archived shelf: what should not be open has to be closed. */
  revoke(caller: Caller, shelf: ShelfAddress, linkId: string): Promise<ShareLink>;
  /** The shelf whose links' statistics the actor may see, and of whose links; null for everybody's. */
  statisticsScope(
    actor: Actor,
    shelf: ShelfAddress,
  ): Promise<{ readonly shelfId: string; readonly createdBy: string | null }>;
  /** The same for one link. */
  linkScope(actor: Actor, shelf: ShelfAddress, linkId: string): Promise<{ readonly linkId: string }>;
}

/** To see links, and to close them, is possible on an archived shelf too. */
const SEE: Need = { role: 'editor', for: 'read' };

type LinkValues = Updateable<Tables['share_links']>;

/** Makes the service. */
export function createShareLinks(options: {
  readonly database: Database;
  readonly access: Access;
  readonly audit: Audit;
  readonly notifier: Notifier;
  readonly sealer: Sealer;
  readonly hasher: PasswordHasher;
  readonly key: Buffer;
  /** Where people reach the server. */
  readonly publicUrl: () => string;
  readonly now: () => number;
}): ShareLinks {
  const { database, access, audit, notifier, sealer, hasher, key, publicUrl, now } = options;
  const absent = () => new AppError('not-found', 'there is no such link');
  const at = () => new Date(now()).toISOString();

  const mayManage = (actor: Actor, role: ShelfAccess['role'] | null, row: LinkRow) =>
    role === 'owner' || (role === 'editor' && row.created_by === actor.id);

  async function linkOf(actor: Actor, role: ShelfAccess['role'] | null, row: LinkRow): Promise<ShareLink> {
    const isManaged = mayManage(actor, role, row);
    return {
      id: row.id,
      kind: row.kind,
      library: row.library,
      shelf: row.shelf,
      shelf_id: row.shelf_id,
      document_id: row.document_id,
      document_name: row.version_name ?? row.document_name,
      version_id: row.version_id,
      version_number: row.version_number,
      label: row.label,
      url: `${publicUrl()}/shared/${await sealer.open(row.token_sealed)}`,
      state: stateOf(row, now()),
      has_password: row.password_hash !== null,
      expires_at: row.expires_at,
      max_views: row.max_views,
      allow_download: row.allow_download === 1,
      allowed_emails: allowedEmails(row),
      created_by: row.creator ?? '',
      created_at: row.created_at,
      updated_at: row.updated_at,
      revoked_at: row.revoked_at,
      may_manage: isManaged,
      managed: isManaged
        ? {
            view_count: row.view_count,
            last_access_at: row.last_access_at,
            notify_on_open: row.notify_on_open === 1,
            webhook_url: row.webhook_url,
            webhook_secret: webhookSecret(key, row.id),
          }
        : null,
    };
  }

  async function read(on: Database, shelf: ShelfAccess, linkId: string): Promise<LinkRow> {
    const row = await linkRows(on)
      .where('share_links.id', '=', linkId)
      .where('share_links.shelf_id', '=', shelf.id)
      .executeTakeFirst();
    if (row === undefined) throw absent();
    return row;
  }

  async function managed(on: Database, actor: Actor, shelf: ShelfAccess, linkId: string): Promise<LinkRow> {
    const row = await read(on, shelf, linkId);
    if (!mayManage(actor, shelf.role, row)) {
      throw new AppError('forbidden', 'only who made the link, or the owner of the shelf, may');
    }
    return row;
  }

  /** What a new link points at; it has to be of the shelf and not in the trash. */
  async function targetOf(on: Database, shelf: ShelfAccess, { kind, document_id, version_id }: NewShareLink) {
    if (kind === 'shelf') return { document_id: null, version_id: null, name: null };
    const named = kind === 'document' ? document_id : version_id;
    if (named === undefined) throw new AppError('bad-request', `a link to a ${kind} names it by ${kind}_id`);
    const row = await on
      .selectFrom('versions')
      .innerJoin('documents', 'documents.id', 'versions.document_id')
      .select(['documents.id', 'documents.name', 'versions.id as version_id'])
      .where('documents.shelf_id', '=', shelf.id)
      .where('documents.deleted', '=', 0)
      .where(kind === 'document' ? 'documents.id' : 'versions.id', '=', named)
      .limit(1)
      .executeTakeFirst();
    if (row === undefined) throw new AppError('not-found', `there is no such ${kind} on the shelf`);
    return { document_id: row.id, version_id: kind === 'version' ? row.version_id : null, name: row.name };
  }

  function checkedExpiry(expiresAt: string | null): string | null {
    if (expiresAt === null) return null;
    const moment = Date.parse(expiresAt);
    if (moment <= now()) throw new AppError('bad-request', 'the link would have expired already');
    return new Date(moment).toISOString();
  }

  function checkedWebhook(url: string | null): string | null {
    const problem = url === null ? null : webhookProblem(url);
    if (problem !== null) throw new AppError('bad-request', problem);
    return url;
  }

  /** Settings as columns, one by one: nothing else of a body reaches the table. */
  async function valuesOf(change: ShareLinkChange): Promise<LinkValues> {
    const values: LinkValues = {};
    if (change.label !== undefined) values.label = change.label;
    if (change.expires_at !== undefined) values.expires_at = checkedExpiry(change.expires_at);
    if (change.max_views !== undefined) values.max_views = change.max_views;
    if (change.allow_download !== undefined) values.allow_download = change.allow_download ? 1 : 0;
    if (change.allowed_emails !== undefined) {
      values.allowed_emails =
        change.allowed_emails === null ? null : JSON.stringify([...new Set(change.allowed_emails)]);
    }
    if (change.notify_on_open !== undefined) values.notify_on_open = change.notify_on_open ? 1 : 0;
    if (change.webhook_url !== undefined) values.webhook_url = checkedWebhook(change.webhook_url);
    if (change.password !== undefined) {
      values.password_hash = change.password === null ? null : await hasher.hash(change.password);
    }
    return values;
  }

  async function record(
    on: Database,
    caller: Caller,
    shelf: ShelfAccess,
    action: 'create' | 'update' | 'revoke',
    link: { readonly id: string; readonly label: string },
    details: Readonly<Record<string, string | readonly string[]>>,
  ): Promise<void> {
    await audit.record(on, caller.actor, caller.address, {
      action: `share-link.${action}`,
      target: { kind: 'share-link', id: link.id, name: link.label },
      libraryId: shelf.library_id,
      details: { shelf: shelf.name, ...details },
    });
  }

  async function tell(
    on: Database,
    { actor }: Caller,
    shelf: ShelfAccess,
    linkId: string,
    target: Awaited<ReturnType<typeof targetOf>>,
  ): Promise<void> {
    await notifier.notify(on, {
      type: 'SHARE_LINK_CREATE',
      actorId: actor.id,
      target: { kind: 'share-link', id: linkId },
      metadata: {
        library_name: shelf.library,
        shelf_name: shelf.name,
        shelf_id: shelf.id,
        ...(target.name === null ? {} : { document_name: target.name, document_id: target.document_id }),
      },
      to: { membersOf: shelf.id },
    });
  }

  /** Marks a link as revoked. @returns whether it was not before. */
  async function close(on: Database, linkId: string): Promise<boolean> {
    const { numUpdatedRows } = await on
      .updateTable('share_links')
      .set({ revoked_at: at(), updated_at: at() })
      .where('id', '=', linkId)
      .where('revoked_at', 'is', null)
      .executeTakeFirst();
    return numUpdatedRows === 1n;
  }

  const countOf = async (rows: { execute(): Promise<{ count: number }[]> }) => Number((await rows.execute())[0]?.count);

  const newestFirst = (on: Database, { page, page_size }: Page) =>
    linkRows(on)
      .orderBy('share_links.created_at', 'desc')
      .orderBy('share_links.id')
      .offset((page - 1) * page_size)
      .limit(page_size);

  return {
    async list(actor, { lib, id }, page) {
      const shelf = await access.shelf(actor, lib, id, SEE);
      const count = await countOf(
        database
          .selectFrom('share_links')
          .select(({ fn }) => fn.countAll<number>().as('count'))
          .where('shelf_id', '=', shelf.id),
      );
      const rows = await newestFirst(database, page).where('share_links.shelf_id', '=', shelf.id).execute();
      const links = await Promise.all(rows.map((row) => linkOf(actor, shelf.role, row)));
      return { links, count, has_more: page.page * page.page_size < count };
    },
    async mine(actor, page) {
      // Of a shelf that the caller is no member of any more not even the name is theirs to see.
      const count = await countOf(
        database
          .selectFrom('share_links')
          .innerJoin('shelf_members', (join) =>
            join
              .onRef('shelf_members.shelf_id', '=', 'share_links.shelf_id')
              .onRef('shelf_members.user_id', '=', 'share_links.created_by'),
          )
          .select(({ fn }) => fn.countAll<number>().as('count'))
          .where('share_links.created_by', '=', actor.id),
      );
      const rows = await newestFirst(database, page)
        .where('share_links.created_by', '=', actor.id)
        .where('shelf_members.role', 'is not', null)
        .execute();
      const links = await Promise.all(rows.map((row) => linkOf(actor, row.creator_role, row)));
      return { links, count, has_more: page.page * page.page_size < count };
    },
    async create(caller, { lib, id: shelfId }, link) {
      const shelf = await access.shelf(caller.actor, lib, shelfId, EDIT);
      const [id, token] = [randomUUID(), newSecret()];
      const { label, allow_download, notify_on_open } = link;
      const values = await valuesOf(link);
      const sealed = await sealer.seal(token);
      const row = await inTransaction(database, async (transaction) => {
        const target = await targetOf(transaction, shelf, link);
        await transaction
          .insertInto('share_links')
          .values({
            id,
            token_hash: secretHash(token),
            token_sealed: sealed,
            shelf_id: shelf.id,
            kind: link.kind,
            document_id: target.document_id,
            version_id: target.version_id,
            label,
            password_hash: values.password_hash ?? null,
            expires_at: values.expires_at ?? null,
            max_views: values.max_views ?? null,
            allow_download: allow_download ? 1 : 0,
            allowed_emails: values.allowed_emails ?? null,
            notify_on_open: notify_on_open ? 1 : 0,
            webhook_url: values.webhook_url ?? null,
            created_by: caller.actor.id,
            created_at: at(),
            updated_at: at(),
            revoked_at: null,
          })
          .execute();
        await record(
          transaction,
          caller,
          shelf,
          'create',
          { id, label },
          { kind: link.kind, to: target.name ?? shelf.name },
        );
        await tell(transaction, caller, shelf, id, target);
        return read(transaction, shelf, id);
      });
      return linkOf(caller.actor, shelf.role, row);
    },
    async update(caller, { lib, id }, linkId, change) {
      const shelf = await access.shelf(caller.actor, lib, id, EDIT);
      const values = await valuesOf(change);
      const changed = Object.keys(change).sort();
      const row = await inTransaction(database, async (transaction) => {
        const before = await managed(transaction, caller.actor, shelf, linkId);
        if (change.revoked === true) await close(transaction, linkId);
        if (change.revoked === false) {
          if (!isBacked(before)) throw new AppError('conflict', 'who made the link may not share here any more');
          values.revoked_at = null;
        }
        if (changed.length === 0) return before;
        await transaction
          .updateTable('share_links')
          .set({ ...values, updated_at: at() })
          .where('id', '=', linkId)
          .execute();
        await record(transaction, caller, shelf, 'update', before, { changed });
        return read(transaction, shelf, linkId);
      });
      return linkOf(caller.actor, shelf.role, row);
    },
    async revoke(caller, { lib, id }, linkId) {
      const shelf = await access.shelf(caller.actor, lib, id, SEE);
      const row = await inTransaction(database, async (transaction) => {
        const before = await managed(transaction, caller.actor, shelf, linkId);
        if (await close(transaction, linkId)) await record(transaction, caller, shelf, 'revoke', before, {});
        return read(transaction, shelf, linkId);
      });
      return linkOf(caller.actor, shelf.role, row);
    },
    async statisticsScope(actor, { lib, id }) {
      const shelf = await access.shelf(actor, lib, id, SEE);
      return { shelfId: shelf.id, createdBy: shelf.role === 'owner' ? null : actor.id };
    },
    async linkScope(actor, { lib, id }, linkId) {
      const shelf = await access.shelf(actor, lib, id, SEE);
      await managed(database, actor, shelf, linkId);
      return { linkId };
    },
  };
}
