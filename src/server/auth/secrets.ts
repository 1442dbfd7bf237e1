import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

/** A secret of 256 random bits for a token, code or state. Only its hash is kept. */
export function newSecret(): string {
  return randomBytes(32).toString('base64url');
}

/** What the database keeps of a secret. A plain SHA-256 is enough for 256 random bits. */
export function secretHash(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}

/** Compares two secrets without telling by the time it takes how much of them is equal. */
export function secretsEqual(a: string, b: string): boolean {
  return timingSafeEqual(createHash('sha256').update(a).digest(), createHash('sha256').update(b).digest());
}
