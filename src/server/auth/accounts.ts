import brand from '../../../resources/brand.json' with { type: 'json' };
import { AppError } from '../../shared/errors.ts';
import { isEmail } from '../../shared/rules/email.ts';
import type { Audit } from '../audit/audit.ts';
import type { Database } from '../database/connection.ts';
import type { Tables } from '../database/tables.ts';
import { inTransaction } from '../database/transactions.ts';
import type { Actor, Caller } from '../http/context.ts';
import type { LibraryManagement } from '../libraries/management.ts';
import type { Mailer } from '../mail/mailer.ts';
import { type PasswordHasher, passwordProblem } from './passwords.ts';
import { newSecret, secretHash } from './secrets.ts';
import { attemptOrThrow, type Throttle } from './throttle.ts';
import type { TokenService } from './tokens.ts';
import { createUser, emailKey } from './users.ts';

/** Who may make an account: everybody, those who were invited to a shelf, nobody. The first account may always be made. */
export type SignUpPolicy = 'open' | 'invited' | 'closed';

/** A device that somebody is signed in on. */
export interface Session {
  readonly id: string;
  readonly client: string;
  readonly created_at: string;
  readonly is_current: boolean;
}

/** Accounts from sign-up to deletion (decisions.md §4). */
export interface Accounts {
  /** Whether anybody may make an account by themselves, invited or not. */
  canSignUp(): Promise<boolean>;
  /** @throws AppError `password-weak`, `bad-request`, `email-taken`, `forbidden` (by the policy), each with words for the form. */
  signUp(email: string, password: string): Promise<string>;
  /** An account for who comes from another provider. @throws AppError as `signUp` */
  signUpFrom(person: {
    readonly issuer: string;
    readonly subject: string;
    readonly email: string;
    /** The provider has verified the address. */
    readonly verified: boolean;
    readonly name: string;
  }): Promise<string>;
  /** Sends the mail again whose link verifies the address; nothing when it is verified. @throws AppError `throttled` */
  sendVerification(userId: string): Promise<void>;
  /** @returns whether the link was one of ours and still good */
  verifyEmail(token: string): Promise<boolean>;
  /** Whether the link of a mail can still be used. */
  isLinkGood(token: string, purpose: LinkPurpose): Promise<boolean>;
  /** Sends the mail with the link for a new password. Nobody learns whether there is such an account. */
  requestReset(email: string): Promise<void>;
  /** A link for a new password, for an administrator to hand on. */
  resetLink(userId: string): Promise<string>;
  /** @throws AppError `gone` for a link that is not good any more, `password-weak` */
  resetPassword(token: string, password: string, address: string): Promise<void>;
  /** @throws AppError `credentials-invalid`, `password-weak`, `throttled` */
  changePassword(caller: Caller, current: string, next: string): Promise<void>;
  sessions(actor: Actor): Promise<Session[]>;
  /** @throws AppError `not-found` */
  endSession(actor: Actor, sessionId: string): Promise<void>;
  /** Deletes an account with all that it owns. @throws AppError `conflict` for the only administrator while others are here. */
  remove(caller: Caller, userId: string): Promise<void>;
}

/** What the link of a mail is for. */
type LinkPurpose = Tables['mail_tokens']['purpose'];

const VERIFY_LIFETIME_MS = 7 * 24 * 3600_000;
const RESET_LIFETIME_MS = 3600_000;
/** Verification mails in a quarter of an hour. */
const MAILS = 3;

/** Makes the service. */
export function createAccounts(options: {
  readonly database: Database;
  readonly hasher: PasswordHasher;
  readonly throttle: Throttle;
  readonly tokens: TokenService;
  readonly mailer: Mailer;
  readonly audit: Audit;
  readonly management: LibraryManagement;
  readonly signUpPolicy: () => Promise<SignUpPolicy>;
  /** Where people reach the server. */
  readonly publicUrl: () => string;
  readonly now: () => number;
}): Accounts {
  const { database, hasher, throttle, tokens, mailer, audit, management, signUpPolicy, publicUrl, now } = options;

  async function newLink(
    on: Database,
    user: { readonly id: string; readonly email: string },
    purpose: LinkPurpose,
  ): Promise<string> {
    const token = newSecret();
    // The newest link alone is good.
    await on.deleteFrom('mail_tokens').where('user_id', '=', user.id).where('purpose', '=', purpose).execute();
    const lifetime = purpose === 'verify-email' ? VERIFY_LIFETIME_MS : RESET_LIFETIME_MS;
    await on
      .insertInto('mail_tokens')
      .values({ hash: secretHash(token), user_id: user.id, purpose, email: user.email, expires_ms: now() + lifetime })
      .execute();
    return `${publicUrl()}/${purpose}?token=${token}`;
  }

  /** The address that a link was sent to, while the link is good. */
  async function linkedEmail(token: string, purpose: LinkPurpose): Promise<string | null> {
    const row = await database
      .selectFrom('mail_tokens')
      .select('email')
      .where('hash', '=', secretHash(token))
      .where('purpose', '=', purpose)
      .where('expires_ms', '>', now())
      .executeTakeFirst();
    return row?.email ?? null;
  }

  /** Uses a link up. */
  async function claim(on: Database, token: string, purpose: LinkPurpose) {
    const row = await on
      .deleteFrom('mail_tokens')
      .where('hash', '=', secretHash(token))
      .where('purpose', '=', purpose)
      .where('expires_ms', '>', now())
      .returning(['user_id', 'email'])
      .executeTakeFirst();
    return row ?? null;
  }

  /** The first account of a server is made by whoever comes first, whatever the policy. */
  async function policyNow(): Promise<SignUpPolicy> {
    const first = await database.selectFrom('users').select('id').limit(1).executeTakeFirst();
    return first === undefined ? 'open' : signUpPolicy();
  }

  async function refuseByPolicy(email: string): Promise<void> {
    const policy = await policyNow();
    if (policy === 'open') return;
    const invitation = await database
      .selectFrom('invitations')
      .select('id')
      .where('email_key', '=', emailKey(email))
      .where('state', '=', 'pending')
      .where('expires_ms', '>', now())
      .executeTakeFirst();
    if (policy === 'invited' && invitation !== undefined) return;
    throw new AppError(
      'forbidden',
      policy === 'invited'
        ? 'Accounts on this server are for those who were invited, with the address that the invitation went to.'
        : 'Accounts on this server are made by its administrator.',
    );
  }

  /** From now on the address is the person's: what waits for it is shown, and the account is no longer on trial. */
  async function markVerified(on: Database, userId: string): Promise<void> {
    await on.updateTable('users').set({ email_verified: 1 }).where('id', '=', userId).execute();
    await on.updateTable('users').set({ plan_type: 0 }).where('id', '=', userId).where('plan_type', '=', 99).execute();
  }

  async function mailVerification(on: Database, userId: string): Promise<void> {
    const user = await on
      .selectFrom('users')
      .select(['id', 'email', 'email_verified'])
      .where('id', '=', userId)
      .executeTakeFirstOrThrow();
    if (user.email_verified === 1) return;
    const link = await newLink(on, user, 'verify-email');
    await mailer.send(on, {
      to: user.email,
      subject: `Verify your email address for ${brand.name}`,
      text: `Welcome to ${brand.name}. Please verify that this address is yours:\n${link}\n\nThe link is good for seven days. If you did not make an account, do nothing.`,
    });
  }

  function refuseWeak(password: string, email: string): void {
    const problem = passwordProblem(password, email);
    if (problem !== null) throw new AppError('password-weak', problem);
  }

  const accounts: Accounts = {
    canSignUp: async () => (await policyNow()) !== 'closed',
    async signUp(email, password) {
      if (!isEmail(email.trim())) throw new AppError('bad-request', 'This is not an email address.');
      refuseWeak(password, email);
      await refuseByPolicy(email);
      const passwordHash = await hasher.hash(password);
      return inTransaction(database, async (transaction) => {
        const id = await createUser(transaction, { email, passwordHash }, now());
        await mailVerification(transaction, id);
        return id;
      });
    },
    async signUpFrom({ issuer, subject, email, verified, name }) {
      await refuseByPolicy(email);
      return inTransaction(database, async (transaction) => {
        const id = await createUser(transaction, { email, passwordHash: '', name: name.trim().slice(0, 200) }, now());
        const at = new Date(now()).toISOString();
        const identity = { provider: issuer, subject, user_id: id, email, created_at: at };
        await transaction.insertInto('identities').values(identity).execute();
        if (verified) await markVerified(transaction, id);
        else await mailVerification(transaction, id);
        return id;
      });
    },
    async sendVerification(userId) {
      await attemptOrThrow(throttle, `verification ${userId}`, MAILS);
      await inTransaction(database, (transaction) => mailVerification(transaction, userId));
    },
    verifyEmail: (token) =>
      inTransaction(database, async (transaction) => {
        const claimed = await claim(transaction, token, 'verify-email');
        if (claimed === null) return false;
        await markVerified(transaction, claimed.user_id);
        return true;
      }),
    isLinkGood: async (token, purpose) => (await linkedEmail(token, purpose)) !== null,
    async requestReset(email) {
      await inTransaction(database, async (transaction) => {
        const user = await transaction
          .selectFrom('users')
          .select(['id', 'email'])
          .where('email_key', '=', emailKey(email))
          .where('disabled', '=', 0)
          .executeTakeFirst();
        if (user === undefined) return;
        const link = await newLink(transaction, user, 'reset-password');
        await mailer.send(transaction, {
          to: user.email,
          subject: `A new password for ${brand.name}`,
          text: `Somebody, hopefully you, asked for a new password. Choose it here within an hour:\n${link}\n\nIf it was not you, do nothing: your password stays as it is.`,
        });
      });
    },
    async resetLink(userId) {
      const user = await database
        .selectFrom('users')
        .select(['id', 'email'])
        .where('id', '=', userId)
        .executeTakeFirst();
      if (user === undefined) throw new AppError('not-found', 'there is no such user');
      return newLink(database, user, 'reset-password');
    },
    async resetPassword(token, password, address) {
      const email = await linkedEmail(token, 'reset-password');
      const gone = () => new AppError('gone', 'the link was used already or is too old');
      if (email === null) throw gone();
      refuseWeak(password, email);
      const password_hash = await hasher.hash(password);
      await inTransaction(database, async (transaction) => {
        const claimed = await claim(transaction, token, 'reset-password');
        if (claimed === null) throw gone();
        const { user_id: id } = claimed;
        const user = await transaction
          .updateTable('users')
          .set({ password_hash })
          .where('id', '=', id)
          .returning(['email', 'email_verified'])
          .executeTakeFirstOrThrow();
        // Who can read the mails of an address has shown that it is theirs; who was signed in may have been somebody else,
        // and so may who joined another provider's account before the address was verified.
        if (user.email_verified === 0) await transaction.deleteFrom('identities').where('user_id', '=', id).execute();
        await markVerified(transaction, id);
        await tokens.revokeUser(id, null, transaction);
        const target = { kind: 'user', id, name: user.email };
        await audit.record(transaction, null, address, { action: 'user.reset-password', target, libraryId: null });
      });
    },
    async changePassword({ actor, address }, current, next) {
      await attemptOrThrow(throttle, `password ${actor.id}`);
      const user = await database
        .selectFrom('users')
        .select(['email', 'password_hash'])
        .where('id', '=', actor.id)
        .executeTakeFirstOrThrow();
      const stored = user.password_hash === '' ? null : user.password_hash;
      if (!(await hasher.verify(stored, current))) {
        throw new AppError('credentials-invalid', 'the present password is not right');
      }
      await throttle.clear(`password ${actor.id}`);
      refuseWeak(next, user.email);
      const password_hash = await hasher.hash(next);
      await inTransaction(database, async (transaction) => {
        await transaction.updateTable('users').set({ password_hash }).where('id', '=', actor.id).execute();
        await tokens.revokeUser(actor.id, actor.familyId, transaction);
        const target = { kind: 'user', id: actor.id, name: user.email };
        await audit.record(transaction, actor, address, { action: 'user.change-password', target, libraryId: null });
      });
    },
    async sessions(actor) {
      const rows = await database
        .selectFrom('token_families')
        .select(['id', 'client_id', 'created_ms'])
        .where('user_id', '=', actor.id)
        .where('revoked', '=', 0)
        .where(({ exists, selectFrom }) =>
          exists(
            selectFrom('tokens')
              .select('hash')
              .whereRef('tokens.family_id', '=', 'token_families.id')
              .where('tokens.expires_ms', '>', now()),
          ),
        )
        .orderBy('created_ms', 'desc')
        .limit(100)
        .execute();
      return rows.map(({ id, client_id, created_ms }) => ({
        id,
        client: client_id,
        created_at: new Date(Number(created_ms)).toISOString(),
        is_current: id === actor.familyId,
      }));
    },
    async endSession(actor, sessionId) {
      const row = await database
        .selectFrom('token_families')
        .select('id')
        .where('id', '=', sessionId)
        .where('user_id', '=', actor.id)
        .executeTakeFirst();
      if (row === undefined) throw new AppError('not-found', 'there is no such session');
      await tokens.revokeFamily(row.id);
    },
    async remove({ actor, address }, userId) {
      await inTransaction(database, async (transaction) => {
        const user = await transaction
          .selectFrom('users')
          .select(['email', 'user_type'])
          .where('id', '=', userId)
          .executeTakeFirst();
        if (user === undefined) throw new AppError('not-found', 'there is no such user');
        const others = transaction.selectFrom('users').select('id').where('id', '!=', userId).limit(1);
        if (user.user_type === 0) {
          const [anybody, admin] = [
            await others.executeTakeFirst(),
            await others.where('user_type', '=', 0).where('disabled', '=', 0).executeTakeFirst(),
          ];
          if (anybody !== undefined && admin === undefined) {
            throw new AppError('conflict', 'make somebody else an administrator first: the server needs one');
          }
        }
        await management.removeAllOf(transaction, userId);
        await transaction.deleteFrom('names').where('kind', '=', 'user').where('owner_id', '=', userId).execute();
        const target = { kind: 'user', id: userId, name: user.email };
        await audit.record(transaction, actor, address, { action: 'user.delete', target, libraryId: null });
        await transaction.deleteFrom('users').where('id', '=', userId).execute();
      });
    },
  };
  return accounts;
}
