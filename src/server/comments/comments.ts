import { randomUUID } from 'node:crypto';
import { expressionBuilder } from 'kysely';
import { AppError } from '../../shared/errors.ts';
import type { Comment } from '../../shared/model/comment.ts';
import { fold } from '../../shared/rules/fold.ts';
import type { Access, Need, ShelfAccess } from '../access/access.ts';
import { COMMENT } from '../access/access.ts';
import type { Audit } from '../audit/audit.ts';
import type { Database } from '../database/connection.ts';
import type { Tables } from '../database/tables.ts';
import { inTransaction } from '../database/transactions.ts';
import type { Actor, Caller } from '../http/context.ts';
import type { Notifier } from '../notifications/notifier.ts';

export interface CommentFilter {
  readonly page: number;
  readonly page_size: number;
  readonly document_id?: string | undefined;
  readonly version_id?: string | undefined;
  readonly resolved: 'include' | 'exclude' | 'only';
}

export interface NewComment {
  readonly comment: string;
  readonly document_id?: string | undefined;
  readonly version_id?: string | undefined;
  readonly parent_id?: string | undefined;
}

/** Comments of a shelf's members; which shelf they may use is decided before. */
export interface Comments {
  list(
    shelf: ShelfAccess,
    filter: CommentFilter,
  ): Promise<{ comments: Comment[]; count: number; has_more: boolean; last_comment_id: string | null }>;
  create(actor: Actor, shelf: ShelfAccess, comment: NewComment): Promise<Comment>;
  update(actor: Actor, shelf: ShelfAccess, commentId: string, text: string): Promise<Comment>;
  resolve(actor: Actor, shelf: ShelfAccess, commentId: string, resolved: boolean): Promise<Comment>;
  /** `versionId`: the version that the comment has to be on, or null for any comment of the shelf. */
  remove(caller: Caller, shelf: ShelfAccess, commentId: string, versionId: string | null): Promise<void>;
  markRead(actor: Actor, shelf: ShelfAccess, commentId: string): Promise<void>;
  /** Comments by others since the mark. */
  unread(actor: Actor, shelf: ShelfAccess): Promise<number>;
  /** The shelf that a version is on, as far as the actor may comment there. */
  shelfOfVersion(actor: Actor, versionId: string, need?: Need): Promise<ShelfAccess>;
}

/** What goes on in front of or behind a name belongs to another word. Scripts without cases often put no spaces, so they end it. */
const WORD = '[\\p{LC}\\p{N}_]';

const escaped = (text: string) => text.replaceAll(/[\\^$.*+?()[\]{}|/]/gu, '\\$&');

/** The members that a text names by `@username`. Names may hold spaces, so the members' own names are looked for, longest first. */
export function mentioned(
  text: string,
  members: readonly { readonly id: string; readonly username: string }[],
): string[] {
  let rest = fold(text.normalize('NFC'));
  const found: string[] = [];
  const byLength = members
    .filter(({ username }) => username !== '')
    .sort((a, b) => b.username.length - a.username.length);
  for (const { id, username } of byLength) {
    const name = `@${fold(username.normalize('NFC'))}`;
    if (!rest.includes(name)) continue;
    const without = rest.replaceAll(new RegExp(`(?<!${WORD})${escaped(name)}(?!${WORD})`, 'gu'), ' ');
    if (without !== rest) found.push(id);
    rest = without;
  }
  return found;
}

/** Makes the service. */
export function createComments(options: {
  readonly database: Database;
  readonly access: Access;
  readonly audit: Audit;
  readonly notifier: Notifier;
  readonly now: () => number;
}): Comments {
  const { database, access, audit, notifier, now } = options;
  const absent = () => new AppError('not-found', 'there is no such comment');

  /** Also by accounts that are gone. */
  const writtenByOthers = ({ id }: Actor) => {
    const eb = expressionBuilder<Tables, 'comments'>();
    return eb.or([eb('comments.user_id', '!=', id), eb('comments.user_id', 'is', null)]);
  };

  const ofShelf = (on: Database, shelfId: string) => on.selectFrom('comments').where('comments.shelf_id', '=', shelfId);

  const shown = (on: Database, shelfId: string) =>
    ofShelf(on, shelfId)
      .leftJoin('users', 'users.id', 'comments.user_id')
      .leftJoin('documents', 'documents.id', 'comments.document_id')
      .leftJoin('versions', 'versions.id', 'comments.version_id')
      .select([
        'comments.id',
        'comments.comment',
        'comments.document_id',
        'comments.version_id',
        'comments.parent_id',
        'comments.resolved_at',
        'comments.created_at',
        'comments.updated_at',
        'users.id as user_id',
        'users.username',
        'users.name',
        'users.user_image',
        'documents.name as document_name',
        'documents.current_version',
        'versions.number as version_number',
      ]);

  function commentOf({
    user_id,
    username,
    name,
    user_image,
    current_version,
    ...row
  }: Awaited<ReturnType<ReturnType<typeof shown>['executeTakeFirstOrThrow']>>): Comment {
    return {
      ...row,
      author: user_id === null ? null : { user_id, username: username ?? '', name: name ?? '', user_image },
      written_on_current: row.version_number === null ? null : row.version_number === current_version,
    };
  }

  async function read(on: Database, shelfId: string, commentId: string): Promise<Comment> {
    const row = await shown(on, shelfId).where('comments.id', '=', commentId).executeTakeFirst();
    if (row === undefined) throw absent();
    return commentOf(row);
  }

  /** The document and version that a new comment is on; they have to be of the shelf and of each other. */
  async function placeOf(on: Database, shelf: ShelfAccess, wanted: NewComment) {
    if (wanted.parent_id !== undefined) {
      const parent = await ofShelf(on, shelf.id)
        .select(['document_id', 'version_id', 'parent_id'])
        .where('id', '=', wanted.parent_id)
        .executeTakeFirst();
      if (parent === undefined) throw absent();
      // Answers stand under the first comment, where it stands.
      return {
        document_id: parent.document_id,
        version_id: parent.version_id,
        parent_id: parent.parent_id ?? wanted.parent_id,
      };
    }
    if (wanted.version_id !== undefined) {
      const version = await on
        .selectFrom('versions')
        .innerJoin('documents', 'documents.id', 'versions.document_id')
        .select('documents.id')
        .where('versions.id', '=', wanted.version_id)
        .where('documents.shelf_id', '=', shelf.id)
        .where('documents.deleted', '=', 0)
        .$if(wanted.document_id !== undefined, (query) => query.where('documents.id', '=', wanted.document_id ?? ''))
        .executeTakeFirst();
      if (version === undefined) throw new AppError('not-found', 'there is no such version on the shelf');
      return { document_id: version.id, version_id: wanted.version_id, parent_id: null };
    }
    if (wanted.document_id === undefined) return { document_id: null, version_id: null, parent_id: null };
    const document = await on
      .selectFrom('documents')
      .select('id')
      .where('id', '=', wanted.document_id)
      .where('shelf_id', '=', shelf.id)
      .where('deleted', '=', 0)
      .executeTakeFirst();
    if (document === undefined) throw new AppError('not-found', 'there is no such document on the shelf');
    return { document_id: document.id, version_id: null, parent_id: null };
  }

  const newestOf = (on: Database, shelfId: string) =>
    ofShelf(on, shelfId)
      .select(['id', 'created_at'])
      .orderBy('created_at', 'desc')
      .orderBy('id', 'desc')
      .limit(1)
      .executeTakeFirst();

  /** Later than every comment of the shelf, also within a millisecond, so that none is behind a mark when it comes. */
  async function nextMoment(on: Database, shelfId: string): Promise<string> {
    const newest = await newestOf(on, shelfId);
    return new Date(Math.max(now(), newest === undefined ? 0 : Date.parse(newest.created_at) + 1)).toISOString();
  }

  return {
    async list(shelf, { page, page_size, document_id, version_id, resolved }) {
      const wanted = expressionBuilder<Tables, 'comments'>();
      const matching = wanted.and([
        ...(document_id === undefined ? [] : [wanted('comments.document_id', '=', document_id)]),
        ...(version_id === undefined ? [] : [wanted('comments.version_id', '=', version_id)]),
        ...(resolved === 'include'
          ? []
          : [wanted('comments.resolved_at', resolved === 'only' ? 'is not' : 'is', null)]),
      ]);
      const { count } = await ofShelf(database, shelf.id)
        .where(matching)
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .executeTakeFirstOrThrow();
      const newest = await newestOf(database, shelf.id);
      const rows = await shown(database, shelf.id)
        .where(matching)
        .orderBy('comments.created_at', 'desc')
        .orderBy('comments.id', 'desc')
        .limit(page_size)
        .offset((page - 1) * page_size)
        .execute();
      return {
        comments: rows.map(commentOf),
        count: Number(count),
        has_more: page * page_size < Number(count),
        last_comment_id: newest?.id ?? null,
      };
    },
    create: (actor, shelf, wanted) =>
      inTransaction(database, async (transaction) => {
        const place = await placeOf(transaction, shelf, wanted);
        const id = randomUUID();
        const at = await nextMoment(transaction, shelf.id);
        const row = { id, shelf_id: shelf.id, ...place, user_id: actor.id, comment: wanted.comment };
        await transaction
          .insertInto('comments')
          .values({ ...row, resolved_at: null, resolved_by: null, created_at: at, updated_at: at })
          .execute();
        const comment = await read(transaction, shelf.id, id);
        const members = await transaction
          .selectFrom('shelf_members')
          .innerJoin('users', 'users.id', 'shelf_members.user_id')
          .select(['users.id', 'users.username'])
          .where('shelf_members.shelf_id', '=', shelf.id)
          .execute();
        const named = mentioned(
          wanted.comment,
          members.map((member) => ({ id: member.id, username: member.username ?? '' })),
        );
        await notifier.notify(transaction, {
          type: 'SHELF_COMMENT_ADD',
          actorId: actor.id,
          target:
            comment.document_id === null
              ? { kind: 'shelf', id: shelf.id }
              : { kind: 'document', id: comment.document_id },
          metadata: {
            library_name: shelf.library,
            shelf_name: shelf.name,
            shelf_id: shelf.id,
            ...(comment.document_id === null
              ? {}
              : { document_id: comment.document_id, document_name: comment.document_name ?? '' }),
          },
          to: { membersOf: shelf.id },
          mentioned: named,
        });
        return comment;
      }),
    async update(actor, shelf, commentId, text) {
      const changed = await database
        .updateTable('comments')
        .set({ comment: text, updated_at: new Date(now()).toISOString() })
        .where('id', '=', commentId)
        .where('shelf_id', '=', shelf.id)
        .where('user_id', '=', actor.id)
        .executeTakeFirst();
      const comment = await read(database, shelf.id, commentId);
      if (changed.numUpdatedRows !== 1n) throw new AppError('forbidden', 'only who wrote a comment changes it');
      return comment;
    },
    async resolve(actor, shelf, commentId, resolved) {
      await read(database, shelf.id, commentId);
      const at = resolved ? new Date(now()).toISOString() : null;
      await database
        .updateTable('comments')
        .set({ resolved_at: at, resolved_by: resolved ? actor.id : null })
        .where('id', '=', commentId)
        .where('resolved_at', resolved ? 'is' : 'is not', null)
        .execute();
      return read(database, shelf.id, commentId);
    },
    async remove({ actor, address }, shelf, commentId, versionId) {
      await inTransaction(database, async (transaction) => {
        const comment = await read(transaction, shelf.id, commentId);
        if (versionId !== null && comment.version_id !== versionId) throw absent();
        const isOwn = comment.author?.user_id === actor.id;
        if (!isOwn && shelf.role !== 'owner') {
          throw new AppError('forbidden', 'only who wrote a comment and the owner of the shelf delete it');
        }
        const { answers } = await ofShelf(transaction, shelf.id)
          .select(({ fn }) => fn.countAll<number>().as('answers'))
          .where('parent_id', '=', commentId)
          .where(writtenByOthers(actor))
          .executeTakeFirstOrThrow();
        await transaction.deleteFrom('comments').where('id', '=', commentId).execute();
        if (isOwn && Number(answers) === 0) return;
        await audit.record(transaction, actor, address, {
          action: 'comment.delete',
          target: { kind: 'shelf', id: shelf.id, name: shelf.name },
          libraryId: shelf.library_id,
          details: { of: comment.author?.username ?? '', answers: Number(answers) },
        });
      });
    },
    async markRead(actor, shelf, commentId) {
      const comment = await ofShelf(database, shelf.id)
        .select('created_at')
        .where('id', '=', commentId)
        .executeTakeFirst();
      if (comment === undefined) throw absent();
      const mark = { read_until: comment.created_at, last_comment_id: commentId };
      await database
        .insertInto('comment_reads')
        .values({ shelf_id: shelf.id, user_id: actor.id, ...mark })
        .onConflict((conflict) =>
          conflict
            .columns(['shelf_id', 'user_id'])
            .doUpdateSet(mark)
            .where('comment_reads.read_until', '<', mark.read_until),
        )
        .execute();
    },
    async unread(actor, shelf) {
      const mark = await database
        .selectFrom('comment_reads')
        .select('read_until')
        .where('shelf_id', '=', shelf.id)
        .where('user_id', '=', actor.id)
        .executeTakeFirst();
      const { count } = await ofShelf(database, shelf.id)
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .where('created_at', '>', mark?.read_until ?? '')
        .where(writtenByOthers(actor))
        .executeTakeFirstOrThrow();
      return Number(count);
    },
    shelfOfVersion: async (actor, versionId, need = COMMENT) =>
      (await access.version(actor, versionId, need)).document.shelf,
  };
}
