import { createHmac } from 'node:crypto';
import { AppError } from '../../shared/errors.ts';
import { LIMITS } from '../../shared/rules/limits.ts';
import { secretsEqual } from '../auth/secrets.ts';

/** What a storage URL allows: a PUT of just this content, or of one part of it, to this object. */
export interface SignedGrant {
  readonly key: string;
  readonly sha256: string;
  /** Bytes of the whole content. */
  readonly size: number;
  /** The part that may be sent, from 1; null for the whole. */
  readonly part: number | null;
}

/** Signs and checks the URLs of the embedded object store. */
export interface SignedUrls {
  sign(grant: SignedGrant): { readonly url: string; readonly expiresIn: number };
  /** @throws AppError `forbidden` when the URL was changed or has expired. */
  check(key: string, query: Readonly<Record<string, unknown>>): SignedGrant;
}

/** Makes the signer. */
export function createSignedUrls(signingKey: Buffer, now: () => number): SignedUrls {
  const signature = (grant: SignedGrant, expires: number) =>
    createHmac('sha256', signingKey)
      .update(JSON.stringify(['PUT', grant.key, grant.sha256, grant.size, grant.part, expires]))
      .digest('base64url');
  return {
    sign(grant) {
      const expires = now() + LIMITS.storageUrlLifetimeMs;
      const query = new URLSearchParams({
        sha256: grant.sha256,
        size: String(grant.size),
        ...(grant.part === null ? {} : { part: String(grant.part) }),
        expires: String(expires),
        signature: signature(grant, expires),
      });
      return { url: `/storage/${grant.key}?${query}`, expiresIn: LIMITS.storageUrlLifetimeMs / 1000 };
    },
    check(key, query) {
      const part = query.part === undefined ? null : Number(query.part);
      const grant = { key, sha256: String(query.sha256), size: Number(query.size), part };
      const expires = Number(query.expires);
      if (!secretsEqual(String(query.signature), signature(grant, expires)))
        throw new AppError('forbidden', 'the address is not one that this server gave');
      if (!(expires > now())) throw new AppError('forbidden', 'the address has expired; ask for a new one');
      return grant;
    },
  };
}
