import { randomBytes } from 'node:crypto';
import { Secret, TOTP } from 'otpauth';
import { renderSVG } from 'uqr';
import brand from '../../../resources/brand.json' with { type: 'json' };
import { AppError } from '../../shared/errors.ts';
import { inChunks } from '../database/chunks.ts';
import type { Database } from '../database/connection.ts';
import { inTransaction } from '../database/transactions.ts';
import type { Actor } from '../http/context.ts';
import type { Sealer } from '../sealer.ts';
import type { PasswordHasher } from './passwords.ts';
import { newSecret, secretHash } from './secrets.ts';
import { attemptOrThrow, type Throttle } from './throttle.ts';

/** What an authenticator app needs to know. */
export interface TotpSetup {
  readonly secret: string;
  readonly uri: string;
  /** The address as a QR code, as SVG. */
  readonly qr_svg: string;
}

/** The second step of a sign-in: a code of an authenticator app (RFC 6238), or one of ten codes on paper. */
export interface SecondFactor {
  status(userId: string): Promise<{ readonly enabled: boolean; readonly recovery_codes_left: number }>;
  /** A new key, which counts once a code of it was given. @throws AppError `conflict` while one is in use. */
  start(actor: Actor): Promise<TotpSetup>;
  /** @returns the recovery codes, shown this once. @throws AppError `credentials-invalid` */
  enable(actor: Actor, code: string): Promise<string[]>;
  /** By the password or by a code. @throws AppError `credentials-invalid`, `throttled` */
  disable(actor: Actor, proof: string): Promise<void>;
  /** For a sign-in whose password was right: the token of its second step, or null when none is due. */
  begin(userId: string, signInId: string): Promise<string | null>;
  /** The sign-in that a token belongs to. */
  pending(token: string): Promise<{ readonly signInId: string; readonly userId: string } | null>;
  /** Whether a code, or a recovery code, is right. Each is so once. */
  verify(userId: string, code: string): Promise<boolean>;
  finish(token: string): Promise<void>;
}

const STEP_LIFETIME_MS = 10 * 60_000;
const PERIOD_S = 30;
const RECOVERY_CODES = 10;

/** Recovery codes as they are typed: without spaces and dashes, in any case. */
const plainCode = (code: string) => code.replace(/[\s-]/gu, '').toLowerCase();

function totp(secret: Secret, label: string): TOTP {
  return new TOTP({ issuer: brand.name, label, secret, period: PERIOD_S, digits: 6, algorithm: 'SHA1' });
}

/** Makes the service. */
export function createSecondFactor(options: {
  readonly database: Database;
  readonly sealer: Sealer;
  readonly hasher: PasswordHasher;
  readonly throttle: Throttle;
  readonly now: () => number;
}): SecondFactor {
  const { database, sealer, hasher, throttle, now } = options;
  const invalid = () => new AppError('credentials-invalid', 'the code is not right');

  const readUser = (userId: string) =>
    database
      .selectFrom('users')
      .select(['email', 'password_hash', 'totp_secret', 'totp_enabled', 'totp_last_step'])
      .where('id', '=', userId)
      .executeTakeFirstOrThrow();

  /** Whether a code is the one of now, or of the step before or after, and was not used; it is used up then. */
  async function useCode(userId: string, code: string): Promise<boolean> {
    const user = await readUser(userId);
    if (user.totp_secret === null || !/^\d{6}$/u.test(code)) return false;
    const generator = totp(Secret.fromBase32(await sealer.open(user.totp_secret)), user.email);
    const delta = generator.validate({ token: code, timestamp: now(), window: 1 });
    if (delta === null) return false;
    const step = Math.floor(now() / 1000 / PERIOD_S) + delta;
    const used = await database
      .updateTable('users')
      .set({ totp_last_step: step })
      .where('id', '=', userId)
      .where('totp_last_step', '<', step)
      .executeTakeFirst();
    return used.numUpdatedRows === 1n;
  }

  async function useRecoveryCode(userId: string, code: string): Promise<boolean> {
    const used = await database
      .updateTable('recovery_codes')
      .set({ used_ms: now() })
      .where('user_id', '=', userId)
      .where('hash', '=', secretHash(plainCode(code)))
      .where('used_ms', 'is', null)
      .executeTakeFirst();
    return used.numUpdatedRows === 1n;
  }

  const factor: SecondFactor = {
    async status(userId) {
      const { totp_enabled } = await readUser(userId);
      const { left } = await database
        .selectFrom('recovery_codes')
        .select(({ fn }) => fn.countAll<number>().as('left'))
        .where('user_id', '=', userId)
        .where('used_ms', 'is', null)
        .executeTakeFirstOrThrow();
      return { enabled: totp_enabled === 1, recovery_codes_left: Number(left) };
    },
    async start(actor) {
      const user = await readUser(actor.id);
      if (user.totp_enabled === 1) throw new AppError('conflict', 'the second step is on already');
      const secret = new Secret({ size: 20 });
      const uri = totp(secret, user.email).toString();
      const totp_secret = await sealer.seal(secret.base32);
      await database.updateTable('users').set({ totp_secret, totp_last_step: 0 }).where('id', '=', actor.id).execute();
      return { secret: secret.base32, uri, qr_svg: renderSVG(uri) };
    },
    async enable(actor, code) {
      if ((await readUser(actor.id)).totp_enabled === 1)
        throw new AppError('conflict', 'the second step is on already');
      if (!(await useCode(actor.id, code))) throw invalid();
      const codes = Array.from({ length: RECOVERY_CODES }, () => randomBytes(8).toString('hex'));
      await inTransaction(database, async (transaction) => {
        await transaction.updateTable('users').set({ totp_enabled: 1 }).where('id', '=', actor.id).execute();
        await transaction.deleteFrom('recovery_codes').where('user_id', '=', actor.id).execute();
        const rows = codes.map((each) => ({ user_id: actor.id, hash: secretHash(each), used_ms: null }));
        for (const chunk of inChunks(rows)) await transaction.insertInto('recovery_codes').values(chunk).execute();
      });
      return codes.map((each) => each.replace(/(.{4})(?=.)/gu, '$1-'));
    },
    async disable(actor, proof) {
      await attemptOrThrow(throttle, `password ${actor.id}`);
      const { password_hash } = await readUser(actor.id);
      const byPassword = password_hash !== '' && (await hasher.verify(password_hash, proof));
      if (!byPassword && !(await factor.verify(actor.id, proof))) throw invalid();
      await throttle.clear(`password ${actor.id}`);
      await inTransaction(database, async (transaction) => {
        await transaction
          .updateTable('users')
          .set({ totp_enabled: 0, totp_secret: null })
          .where('id', '=', actor.id)
          .execute();
        await transaction.deleteFrom('recovery_codes').where('user_id', '=', actor.id).execute();
      });
    },
    async begin(userId, signInId) {
      if ((await readUser(userId)).totp_enabled === 0) return null;
      await database.deleteFrom('second_factors').where('expires_ms', '<=', now()).execute();
      const token = newSecret();
      const row = { hash: secretHash(token), sign_in_id: signInId, user_id: userId };
      await database
        .insertInto('second_factors')
        .values({ ...row, expires_ms: now() + STEP_LIFETIME_MS })
        .execute();
      return token;
    },
    async pending(token) {
      const row = await database
        .selectFrom('second_factors')
        .select(['sign_in_id', 'user_id'])
        .where('hash', '=', secretHash(token))
        .where('expires_ms', '>', now())
        .executeTakeFirst();
      return row === undefined ? null : { signInId: row.sign_in_id, userId: row.user_id };
    },
    verify: async (userId, code) =>
      (await useCode(userId, code.replaceAll(' ', ''))) || (await useRecoveryCode(userId, code)),
    async finish(token) {
      await database.deleteFrom('second_factors').where('hash', '=', secretHash(token)).execute();
    },
  };
  return factor;
}
