import { randomUUID } from 'node:crypto';
import type { Selectable } from 'kysely';
import brand from '../../../resources/brand.json' with { type: 'json' };
import { AppError } from '../../shared/errors.ts';
import type { Invitation, Member, PendingInvitation } from '../../shared/model/member.ts';
import { isEmail } from '../../shared/rules/email.ts';
import { nameKey } from '../../shared/rules/names.ts';
import type { Access, ShelfAccess } from '../access/access.ts';
import { MANAGE, MANAGE_ARCHIVED, READ } from '../access/access.ts';
import type { Audit } from '../audit/audit.ts';
import { emailKey } from '../auth/users.ts';
import type { Database } from '../database/connection.ts';
import { isUniqueViolation } from '../database/faults.ts';
import type { Tables } from '../database/tables.ts';
import { inTransaction } from '../database/transactions.ts';
import type { Actor, Caller } from '../http/context.ts';
import type { Mailer } from '../mail/mailer.ts';
import type { Notifier } from '../notifications/notifier.ts';

/** Roles that can be given. */
export type MemberRole = 'editor' | 'viewer';
export type InviteOutcome = 'invited' | 'sent-again' | 'already-member' | 'unknown-user' | 'invalid-email';

/** Who belongs to a shelf, and who was asked to. */
export interface Members {
  list(actor: Actor, library: string, shelfId: string): Promise<{ members: Member[]; invitations: Invitation[] }>;
  /** @throws AppError `throttled` when the owner sends more mails than a day allows; none is sent then. */
  invite(
    caller: Caller,
    library: string,
    shelfId: string,
    wanted: { readonly members: readonly string[]; readonly emails: readonly string[]; readonly role: MemberRole },
  ): Promise<{ invited: string; outcome: InviteOutcome }[]>;
  remove(caller: Caller, library: string, shelfId: string, memberId: string): Promise<void>;
  setRole(caller: Caller, library: string, shelfId: string, memberId: string, role: MemberRole): Promise<void>;
  cancel(caller: Caller, library: string, shelfId: string, invitationId: string): Promise<void>;
  resend(caller: Caller, library: string, shelfId: string, invitationId: string): Promise<Invitation>;
  pending(actor: Actor): Promise<PendingInvitation[]>;
  answer(
    caller: Caller,
    invitationId: string,
    answer: 'accept' | 'decline',
    libraryName: string,
  ): Promise<{ library: string; shelf_id: string }>;
}

const DAY_MS = 24 * 3600_000;
const INVITATION_LIFETIME_MS = 14 * DAY_MS;
/** How long the owner still sees what became of an invitation. */
const ANSWERS_SHOWN_MS = 30 * DAY_MS;
const INVITATIONS_A_DAY = 200;

/** `email` is as the owner addressed it, an address or a user name; where it goes to is `email_key`. */
type InvitationRow = Selectable<Tables['invitations']>;

/** Who is invited: what the owner wrote, and the key of the address that it stands for. */
interface Invited {
  readonly shown: string;
  readonly key: string;
}

function invitationOf(row: InvitationRow): Invitation {
  const { id, email, role, state, sent_at, answered_at, expires_ms } = row;
  const isAddress = emailKey(email) === row.email_key;
  return {
    invitation_id: id,
    email: isAddress ? email : null,
    username: isAddress ? null : email,
    role,
    state,
    sent_at,
    answered_at,
    expires_at: new Date(Number(expires_ms)).toISOString(),
  };
}

/** Makes the service. */
export function createMembers(options: {
  readonly database: Database;
  readonly access: Access;
  readonly audit: Audit;
  readonly notifier: Notifier;
  readonly mailer: Mailer;
  /** Where people reach the server. */
  readonly publicUrl: () => string;
  readonly now: () => number;
}): Members {
  const { database, access, audit, notifier, mailer, publicUrl, now } = options;
  const at = () => new Date(now()).toISOString();
  const absent = () => new AppError('not-found', 'there is no such invitation');

  async function record(
    on: Database,
    caller: Caller,
    shelf: Pick<ShelfAccess, 'id' | 'name' | 'library_id'>,
    action: string,
    who: string,
  ): Promise<void> {
    await audit.record(on, caller.actor, caller.address, {
      action,
      target: { kind: 'shelf', id: shelf.id, name: shelf.name },
      libraryId: shelf.library_id,
      details: { who },
    });
  }

  /** Counts a mail against the day of who sends it. The count is of mails: one invitation can be sent many times. */
  async function countMail(on: Database, { id }: Actor): Promise<void> {
    const key = `invitations of ${id}`;
    const { sent } = await on
      .selectFrom('attempts')
      .select(({ fn }) => fn.countAll<number>().as('sent'))
      .where('key', '=', key)
      .where('at_ms', '>', now() - DAY_MS)
      .executeTakeFirstOrThrow();
    if (Number(sent) >= INVITATIONS_A_DAY) {
      throw new AppError('throttled', `no more than ${INVITATIONS_A_DAY} invitations a day; try again tomorrow`);
    }
    await on.insertInto('attempts').values({ key, at_ms: now() }).execute();
  }

  /** Sends the mail and, to who has an account, the notification. */
  async function tell(on: Database, { actor }: Caller, shelf: ShelfAccess, invitation: InvitationRow): Promise<void> {
    await countMail(on, actor);
    const inviter = await on
      .selectFrom('users')
      .select(['username', 'name'])
      .where('id', '=', actor.id)
      .executeTakeFirstOrThrow();
    const invited = await on
      .selectFrom('users')
      .select(['id', 'email'])
      .where('email_key', '=', invitation.email_key)
      .executeTakeFirst();
    const who = inviter.name === '' ? (inviter.username ?? '') : inviter.name;
    const link = `${publicUrl()}/settings?invitation=${invitation.id}`;
    await mailer.send(on, {
      to: invited?.email ?? invitationOf(invitation).email ?? invitation.email_key,
      subject: `${who} invites you to ${shelf.name} in ${brand.name}`,
      text: [
        `${who} invites you to the shelf ${shelf.name} of the library ${shelf.library} in ${brand.name}.`,
        `Sign in, or create an account with this email address, and answer here:\n${link}`,
        'The invitation ends after 14 days. If you do not know who sent it, leave it unanswered.',
      ].join('\n\n'),
    });
    if (invited === undefined) return;
    await notifier.notify(on, {
      type: 'SHELF_INVITE',
      actorId: actor.id,
      target: { kind: 'invitation', id: invitation.id },
      metadata: { library_name: shelf.library, shelf_name: shelf.name, shelf_id: shelf.id },
      to: { users: [invited.id] },
    });
  }

  async function isMember(on: Database, shelfId: string, key: string): Promise<boolean> {
    const row = await on
      .selectFrom('shelf_members')
      .innerJoin('users', 'users.id', 'shelf_members.user_id')
      .select('users.id')
      .where('shelf_members.shelf_id', '=', shelfId)
      .where('users.email_key', '=', key)
      .executeTakeFirst();
    return row !== undefined;
  }

  async function inviteOne(
    on: Database,
    caller: Caller,
    shelf: ShelfAccess,
    { shown, key }: Invited,
    role: MemberRole,
  ): Promise<InviteOutcome> {
    if (await isMember(on, shelf.id, key)) return 'already-member';
    const open = await on
      .selectFrom('invitations')
      .selectAll()
      .where('shelf_id', '=', shelf.id)
      .where('email_key', '=', key)
      .where('state', '=', 'pending')
      .executeTakeFirst();
    const fresh = { role, invited_by: caller.actor.id, sent_at: at(), expires_ms: now() + INVITATION_LIFETIME_MS };
    const row: InvitationRow =
      open === undefined
        ? {
            id: randomUUID(),
            shelf_id: shelf.id,
            email: shown,
            email_key: key,
            state: 'pending',
            answered_at: null,
            created_at: at(),
            ...fresh,
          }
        : { ...open, ...fresh };
    if (open === undefined) await on.insertInto('invitations').values(row).execute();
    else await on.updateTable('invitations').set(fresh).where('id', '=', open.id).execute();
    await record(on, caller, shelf, 'member.invite', row.email);
    await tell(on, caller, shelf, row);
    return open === undefined ? 'invited' : 'sent-again';
  }

  async function openInvitation(on: Database, shelfId: string, invitationId: string): Promise<InvitationRow> {
    const row = await on
      .selectFrom('invitations')
      .selectAll()
      .where('id', '=', invitationId)
      .where('shelf_id', '=', shelfId)
      .executeTakeFirst();
    if (row === undefined) throw absent();
    if (row.state !== 'pending') throw new AppError('conflict', `the invitation is ${row.state} already`);
    return row;
  }

  /** Answers or cancels an invitation. @throws AppError `conflict` when it was in the meantime. */
  async function settle(on: Database, invitationId: string, state: 'accepted' | 'declined' | 'cancelled') {
    const settled = await on
      .updateTable('invitations')
      .set({ state, answered_at: at() })
      .where('id', '=', invitationId)
      .where('state', '=', 'pending')
      .executeTakeFirst();
    if (settled.numUpdatedRows === 0n) throw new AppError('conflict', 'the invitation is no longer open');
  }

  async function memberOf(on: Database, shelfId: string, memberId: string) {
    const row = await on
      .selectFrom('shelf_members')
      .innerJoin('users', 'users.id', 'shelf_members.user_id')
      .select(['shelf_members.role', 'users.username'])
      .where('shelf_members.shelf_id', '=', shelfId)
      .where('shelf_members.user_id', '=', memberId)
      .executeTakeFirst();
    if (row === undefined) throw new AppError('not-found', 'there is no such member');
    if (row.role === 'owner') throw new AppError('conflict', 'the owner stays; hand the library over first');
    return row;
  }

  /** Gives back what somebody checked out and may no longer change: it would keep everybody else out. */
  async function giveBack(on: Database, shelfId: string, userId: string): Promise<void> {
    await on
      .deleteFrom('document_locks')
      .where('user_id', '=', userId)
      .where('document_id', 'in', (eb) =>
        eb.selectFrom('documents').select('documents.id').where('documents.shelf_id', '=', shelfId),
      )
      .execute();
  }

  /** An account by its user name or id. */
  async function accountOf(on: Database, member: string): Promise<Invited | null> {
    const accounts = on.selectFrom('users').select(['users.username', 'users.email_key']);
    const row =
      (await accounts.where('users.id', '=', member).executeTakeFirst()) ??
      (await accounts
        .innerJoin('names', 'names.owner_id', 'users.id')
        .where('names.key', '=', nameKey(member))
        .where('names.kind', '=', 'user')
        .executeTakeFirst());
    return row === undefined ? null : { shown: row.username ?? '', key: row.email_key };
  }

  function addressed(email: string): Invited | null {
    const shown = email.trim();
    return isEmail(shown) ? { shown, key: emailKey(shown) } : null;
  }

  return {
    async list(actor, library, shelfId) {
      const shelf = await access.shelf(actor, library, shelfId, READ);
      const isOwner = shelf.role === 'owner';
      const rows = await database
        .selectFrom('shelf_members')
        .innerJoin('users', 'users.id', 'shelf_members.user_id')
        .select(['users.id', 'users.username', 'users.name', 'users.user_image', 'users.email', 'shelf_members.role'])
        .where('shelf_members.shelf_id', '=', shelf.id)
        .orderBy('users.username')
        .execute();
      const invitations = isOwner
        ? await database
            .selectFrom('invitations')
            .selectAll()
            .where('shelf_id', '=', shelf.id)
            .where(({ or, eb }) =>
              or([
                eb('state', '=', 'pending'),
                eb('answered_at', '>', new Date(now() - ANSWERS_SHOWN_MS).toISOString()),
              ]),
            )
            .orderBy('sent_at', 'desc')
            .limit(500)
            .execute()
        : [];
      return {
        members: rows.map(({ id, username, email, ...row }) => ({
          ...row,
          member_id: id,
          username: username ?? '',
          email: isOwner ? email : null,
        })),
        invitations: invitations.map(invitationOf),
      };
    },
    async invite(caller, library, shelfId, { members, emails, role }) {
      const shelf = await access.shelf(caller.actor, library, shelfId, MANAGE);
      const work = inTransaction(database, async (transaction) => {
        // Whoever is given twice, by name and by address, gets one mail.
        const done = new Map<string, InviteOutcome>();
        async function outcomeFor(invited: Invited | null, otherwise: InviteOutcome): Promise<InviteOutcome> {
          if (invited === null) return otherwise;
          const outcome = done.get(invited.key) ?? (await inviteOne(transaction, caller, shelf, invited, role));
          done.set(invited.key, outcome);
          return outcome;
        }
        const outcomes: { invited: string; outcome: InviteOutcome }[] = [];
        for (const invited of new Set(members)) {
          outcomes.push({ invited, outcome: await outcomeFor(await accountOf(transaction, invited), 'unknown-user') });
        }
        for (const invited of new Set(emails)) {
          outcomes.push({ invited, outcome: await outcomeFor(addressed(invited), 'invalid-email') });
        }
        return outcomes;
      });
      return work.catch((error: unknown) => {
        throw isUniqueViolation(error)
          ? new AppError('conflict', 'one of them was invited at the same moment; try again', { cause: error })
          : error;
      });
    },
    async remove(caller, library, shelfId, memberId) {
      const isOwn = memberId === caller.actor.id;
      const shelf = await access.shelf(caller.actor, library, shelfId, isOwn ? READ : MANAGE_ARCHIVED);
      await inTransaction(database, async (transaction) => {
        const { username } = await memberOf(transaction, shelf.id, memberId);
        await transaction
          .deleteFrom('shelf_members')
          .where('shelf_id', '=', shelf.id)
          .where('user_id', '=', memberId)
          .execute();
        await giveBack(transaction, shelf.id, memberId);
        await record(transaction, caller, shelf, isOwn ? 'member.leave' : 'member.remove', username ?? '');
      });
    },
    async setRole(caller, library, shelfId, memberId, role) {
      const shelf = await access.shelf(caller.actor, library, shelfId, MANAGE);
      await inTransaction(database, async (transaction) => {
        const member = await memberOf(transaction, shelf.id, memberId);
        if (member.role === role) return;
        await transaction
          .updateTable('shelf_members')
          .set({ role })
          .where('shelf_id', '=', shelf.id)
          .where('user_id', '=', memberId)
          .execute();
        if (role === 'viewer') await giveBack(transaction, shelf.id, memberId);
        await record(transaction, caller, shelf, 'member.role', `${member.username ?? ''}: ${role}`);
      });
    },
    async cancel(caller, library, shelfId, invitationId) {
      const shelf = await access.shelf(caller.actor, library, shelfId, MANAGE_ARCHIVED);
      await inTransaction(database, async (transaction) => {
        const { email } = await openInvitation(transaction, shelf.id, invitationId);
        await settle(transaction, invitationId, 'cancelled');
        await record(transaction, caller, shelf, 'member.cancel-invitation', email);
      });
    },
    async resend(caller, library, shelfId, invitationId) {
      const shelf = await access.shelf(caller.actor, library, shelfId, MANAGE);
      return inTransaction(database, async (transaction) => {
        const row = await openInvitation(transaction, shelf.id, invitationId);
        const again = { sent_at: at(), expires_ms: now() + INVITATION_LIFETIME_MS };
        await transaction.updateTable('invitations').set(again).where('id', '=', row.id).execute();
        await tell(transaction, caller, shelf, row);
        return invitationOf({ ...row, ...again });
      });
    },
    async pending(actor) {
      const rows = await database
        .selectFrom('users')
        .innerJoin('invitations', 'invitations.email_key', 'users.email_key')
        .innerJoin('shelves', 'shelves.id', 'invitations.shelf_id')
        .innerJoin('libraries', 'libraries.id', 'shelves.library_id')
        .leftJoin('users as inviter', 'inviter.id', 'invitations.invited_by')
        .select([
          'invitations.id as invitation_id',
          'invitations.role',
          'invitations.sent_at',
          'invitations.expires_ms',
          'libraries.name as library_name',
          'shelves.name as shelf_name',
          'shelves.id as shelf_id',
          'inviter.username as invited_by',
        ])
        .where('users.id', '=', actor.id)
        .where('users.email_verified', '=', 1)
        .where('invitations.state', '=', 'pending')
        .where('invitations.expires_ms', '>', now())
        .orderBy('invitations.sent_at', 'desc')
        .limit(200)
        .execute();
      return rows.map(({ expires_ms, invited_by, ...row }) => ({
        ...row,
        invited_by: invited_by ?? '',
        expires_at: new Date(Number(expires_ms)).toISOString(),
      }));
    },
    answer: (caller, invitationId, answer, libraryName) =>
      inTransaction(database, async (transaction) => {
        const row = await transaction
          .selectFrom('invitations')
          .innerJoin('users', 'users.email_key', 'invitations.email_key')
          .innerJoin('shelves', 'shelves.id', 'invitations.shelf_id')
          .innerJoin('libraries', 'libraries.id', 'shelves.library_id')
          .selectAll('invitations')
          .select(['libraries.name as library', 'libraries.name_key as library_key', 'shelves.name as shelf'])
          .select(['shelves.library_id', 'users.email_verified', 'users.username'])
          .where('invitations.id', '=', invitationId)
          .where('users.id', '=', caller.actor.id)
          .executeTakeFirst();
        if (row === undefined || row.library_key !== nameKey(libraryName)) throw absent();
        if (row.email_verified === 0) {
          throw new AppError('forbidden', 'verify your email address first: the invitation was sent there');
        }
        const target = { library: row.library, shelf_id: row.shelf_id };
        const state = answer === 'accept' ? 'accepted' : 'declined';
        if (row.state === state) return target;
        if (row.state !== 'pending') throw new AppError('gone', `the invitation is ${row.state} already`);
        if (Number(row.expires_ms) <= now()) throw new AppError('gone', 'the invitation has ended; ask for another');
        await settle(transaction, invitationId, state);
        if (state === 'accepted') {
          await transaction
            .insertInto('shelf_members')
            .values({ shelf_id: row.shelf_id, user_id: caller.actor.id, role: row.role })
            .onConflict((conflict) => conflict.columns(['shelf_id', 'user_id']).doNothing())
            .execute();
          const joined = { id: row.shelf_id, name: row.shelf, library_id: row.library_id };
          await record(transaction, caller, joined, 'member.join', `${row.username ?? ''}: ${row.role}`);
        }
        if (row.invited_by !== null) {
          await notifier.notify(transaction, {
            type: state === 'accepted' ? 'SHELF_INVITE_ACCEPTED' : 'SHELF_INVITE_DECLINED',
            actorId: caller.actor.id,
            target: { kind: 'shelf', id: row.shelf_id },
            metadata: { library_name: row.library, shelf_name: row.shelf, shelf_id: row.shelf_id },
            to: { users: [row.invited_by] },
          });
        }
        return target;
      }),
  };
}
