import { createHmac, randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { AppError } from '../../shared/errors.ts';
import { LIMITS } from '../../shared/rules/limits.ts';
import { secretsEqual } from '../auth/secrets.ts';

/** What a storage URL allows: this method, on this object, with just this content. */
export interface SignedGrant {
  readonly key: string;
  readonly sha256: string;
  readonly size: number;
}

/** Signs and checks the URLs of the embedded object store. */
export interface SignedUrls {
  sign(grant: SignedGrant): { readonly url: string; readonly expiresIn: number };
  /** @throws AppError `forbidden` when the URL was changed or has expired. */
  check(key: string, query: Readonly<Record<string, unknown>>): SignedGrant;
}

/** The key that signs, made at the first start and kept beside the data. */
export function readSigningKey(dataDir: string): Buffer {
  const file = join(dataDir, 'storage.key');
  if (!existsSync(file)) {
    mkdirSync(dataDir, { recursive: true });
    writeFileSync(file, randomBytes(32), { mode: 0o600 });
  }
  return readFileSync(file);
}

/** Makes the signer. */
export function createSignedUrls(signingKey: Buffer, now: () => number): SignedUrls {
  const signature = (grant: SignedGrant, expires: number) =>
    createHmac('sha256', signingKey)
      .update(JSON.stringify(['PUT', grant.key, grant.sha256, grant.size, expires]))
      .digest('base64url');
  return {
    sign(grant) {
      const expires = now() + LIMITS.storageUrlLifetimeMs;
      const query = new URLSearchParams({
        sha256: grant.sha256,
        size: String(grant.size),
        expires: String(expires),
        signature: signature(grant, expires),
      });
      return { url: `/storage/${grant.key}?${query}`, expiresIn: LIMITS.storageUrlLifetimeMs / 1000 };
    },
    check(key, query) {
      const grant = { key, sha256: String(query.sha256), size: Number(query.size) };
      const expires = Number(query.expires);
      if (!secretsEqual(String(query.signature), signature(grant, expires)))
        throw new AppError('forbidden', 'the address is not one that this server gave');
      if (!(expires > now())) throw new AppError('forbidden', 'the address has expired; ask for a new one');
      return grant;
    },
  };
}
