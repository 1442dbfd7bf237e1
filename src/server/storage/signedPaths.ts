import { createHmac } from 'node:crypto';
import { AppError } from '../../shared/errors.ts';
import { secretsEqual } from '../auth/secrets.ts';

/** Addresses that let whoever has them read one thing for a short time, such as a download that another program makes. */
export interface SignedPaths {
  /** A path of this server, without a query. */
  sign(path: string): { readonly url: string; readonly expiresIn: number };
  /** @throws AppError `forbidden` when the address was changed or has expired. */
  check(path: string, query: unknown): void;
}

/** Long enough to begin a transfer, too short to be passed on. */
const LIFETIME_MS = 120_000;

/** Makes the signer. */
export function createSignedPaths(key: Buffer, now: () => number): SignedPaths {
  const signature = (path: string, expires: number) =>
    createHmac('sha256', key)
      .update(JSON.stringify(['GET', path, expires]))
      .digest('base64url');
  return {
    sign(path) {
      const expires = now() + LIFETIME_MS;
      const query = new URLSearchParams({ expires: String(expires), signature: signature(path, expires) });
      return { url: `${path}?${query}`, expiresIn: LIFETIME_MS / 1000 };
    },
    check(path, query) {
      const { expires, signature: given } = (query ?? {}) as Readonly<Record<string, unknown>>;
      if (!secretsEqual(String(given), signature(path, Number(expires)))) {
        throw new AppError('forbidden', 'the address is not one that this server gave');
      }
      if (!(Number(expires) > now())) throw new AppError('forbidden', 'the address has expired; ask for a new one');
    },
  };
}
