import type { FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../../shared/errors.ts';
import { isEmail } from '../../shared/rules/email.ts';
import type { PasswordHasher } from '../auth/passwords.ts';
import { secretHash } from '../auth/secrets.ts';
import type { GuessLimit, Throttle } from '../auth/throttle.ts';
import { emailKey } from '../auth/users.ts';
import type { Database } from '../database/connection.ts';
import { inTransaction } from '../database/transactions.ts';
import type { Mailer } from '../mail/mailer.ts';
import type { ShareCookies, ShareSession } from './cookies.ts';
import { allowedEmails, isAllowed, type LinkRow, linkEnded, linkRows, passwordMark, stateOf } from './linkRows.ts';
import { networkOf } from './visitor.ts';

/** A link that lets this browser in, with what it has proven. */
export interface ResolvedLink {
  readonly row: LinkRow;
  readonly session: ShareSession;
}

export interface ShareProof {
  readonly password?: string | undefined;
  readonly email?: string | undefined;
  readonly code?: string | undefined;
}

type UnlockState = 'open' | 'password-required' | 'email-required' | 'code-required';

/**
 * Who gets in by a share link: the one place that decides, for every public call. Whatever a visitor may try out is counted
 * here, whichever call they try it on.
 */
export interface ShareGate {
  /** @throws AppError `not-found`, `gone`, `password-required`, `email-required`, `throttled` */
  resolve(request: FastifyRequest, token: string): Promise<ResolvedLink>;
  /** @throws AppError `credentials-invalid`, `throttled`, and what a link throws that opens for nobody. */
  unlock(request: FastifyRequest, reply: FastifyReply, token: string, proof: ShareProof): Promise<UnlockState>;
}

const TOKEN = /^[\w-]{43}$/u;
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** Makes the gate. */
export function createShareGate(options: {
  readonly database: Database;
  readonly cookies: ShareCookies;
  readonly throttle: Pick<Throttle, 'attempt' | 'clear' | 'refund'>;
  readonly hasher: PasswordHasher;
  readonly mailer: Mailer;
  readonly now: () => number;
}): ShareGate {
  const { database, cookies, throttle, hasher, mailer, now } = options;

  async function count(limits: readonly GuessLimit[]): Promise<void> {
    const wait = await throttle.attempt(limits);
    if (wait > 0) {
      throw new AppError('throttled', 'too many attempts; try again later', {
        details: { retry_after_s: Math.ceil(wait / 1000) },
      });
    }
  }

  const failuresKey = (row: LinkRow, request: FastifyRequest) => `share guess ${row.id} ${networkOf(request.ip)}`;

  /** Passwords and codes are counted together, so that a link that asks for both is no easier to guess. */
  const guessLimits = (row: LinkRow, request: FastifyRequest) => [
    { key: `share guess ${row.id}`, limit: 20, windowMs: HOUR_MS },
    { key: failuresKey(row, request), limit: 10, windowMs: HOUR_MS },
    { key: `share guess from ${networkOf(request.ip)}`, limit: 60, windowMs: HOUR_MS },
  ];

  /** A right one does not use up what others of the same link or network have left. */
  async function countRight(row: LinkRow, request: FastifyRequest): Promise<void> {
    await throttle.refund(guessLimits(row, request));
    await throttle.clear(failuresKey(row, request));
  }

  const countMail = (row: LinkRow, request: FastifyRequest, email: string) =>
    count([
      { key: `share mail ${row.id}`, limit: 200, windowMs: HOUR_MS },
      { key: `share mail ${row.id} ${secretHash(email)}`, limit: 5, windowMs: HOUR_MS },
      { key: `share mail from ${networkOf(request.ip)}`, limit: 20, windowMs: HOUR_MS },
    ]);

  /** The link of a token, unless it opens for nobody. Who has opened a link goes on when others used it up. */
  async function living(request: FastifyRequest, token: string): Promise<ResolvedLink> {
    const row = TOKEN.test(token)
      ? await linkRows(database).where('share_links.token_hash', '=', secretHash(token)).executeTakeFirst()
      : undefined;
    if (row === undefined) {
      await count([{ key: `share miss ${networkOf(request.ip)}`, limit: 100, windowMs: MINUTE_MS }]);
      throw new AppError('not-found', 'there is no such link');
    }
    const session = cookies.session(request, row.id);
    const state = stateOf(row, now());
    if (state !== 'active' && !(state === 'used-up' && session.opened !== null)) throw linkEnded(state);
    if (row.document_deleted === 1) throw linkEnded('document-deleted');
    return { row, session };
  }

  /** What a browser still has to prove. */
  function missing(row: LinkRow, session: ShareSession): 'password-required' | 'email-required' | null {
    if (session.password !== passwordMark(row) && row.password_hash !== null) return 'password-required';
    const isProven = session.email !== null && isAllowed(row, session.email);
    return allowedEmails(row) !== null && !isProven ? 'email-required' : null;
  }

  const refusal = (state: 'password-required' | 'email-required') =>
    new AppError(state, state === 'password-required' ? 'the link has a password' : 'the link asks who opens it');

  async function provePassword(row: LinkRow, session: ShareSession, request: FastifyRequest, password: string) {
    await count(guessLimits(row, request));
    if (!(await hasher.verify(row.password_hash, password))) {
      throw new AppError('credentials-invalid', 'the password is not right');
    }
    await countRight(row, request);
    return { ...session, password: passwordMark(row) };
  }

  async function proveEmail(
    row: LinkRow,
    session: ShareSession,
    request: FastifyRequest,
    email: string,
    code: string,
  ): Promise<ShareSession> {
    await count(guessLimits(row, request));
    if (!cookies.isCode(request, row.id, email, code) || !isAllowed(row, email)) {
      throw new AppError('credentials-invalid', 'the code is not right, or no longer');
    }
    await countRight(row, request);
    return { ...session, email };
  }

  /** Answers the same for every address: who is on the list is nobody's to find out. */
  async function sendCode(row: LinkRow, request: FastifyRequest, reply: FastifyReply, email: string): Promise<void> {
    if (!isEmail(email)) throw new AppError('bad-request', 'this is no email address');
    await countMail(row, request, email);
    const code = cookies.challenge(reply, row.id, email);
    if (!isAllowed(row, email)) return;
    const mail = {
      to: email,
      subject: 'Your code to open what was shared with you',
      text: [
        `The code is ${code}.`,
        'It is good for 10 minutes, in the browser that asked for it. If that was not you, no more is needed.',
      ].join('\n\n'),
    };
    await inTransaction(database, (transaction) => mailer.send(transaction, mail));
  }

  return {
    async resolve(request, token) {
      const link = await living(request, token);
      const state = missing(link.row, link.session);
      if (state !== null) throw refusal(state);
      return link;
    },
    async unlock(request, reply, token, { password, email: address, code }) {
      const { row, session: before } = await living(request, token);
      let session = before;
      if (password !== undefined && row.password_hash !== null) {
        session = await provePassword(row, session, request, password);
        cookies.keepSession(reply, session);
      }
      if (address !== undefined && allowedEmails(row) !== null) {
        // Else the form that mails codes would be open to everybody who has the address alone.
        if (missing(row, session) === 'password-required') throw refusal('password-required');
        const email = emailKey(address);
        if (code === undefined) {
          await sendCode(row, request, reply, email);
          return 'code-required';
        }
        session = await proveEmail(row, session, request, email, code);
        cookies.keepSession(reply, session);
      }
      return missing(row, session) ?? 'open';
    },
  };
}
