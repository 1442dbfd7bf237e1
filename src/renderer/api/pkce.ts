import { sha256 } from '@noble/hashes/sha2';

/** The secret that proves, when the code comes back, that we asked for it, and its public half (RFC 7636). */
export interface Pkce {
  readonly verifier: string;
  readonly challenge: string;
}

/** The part of WebCrypto that is used; `subtle` is missing on plain-HTTP pages. */
export interface CryptoPort {
  getRandomValues<T extends Uint8Array>(array: T): T;
  readonly subtle?: { digest(algorithm: 'SHA-256', data: Uint8Array<ArrayBuffer>): Promise<ArrayBuffer> } | undefined;
}

/** URL-safe base64 without padding (RFC 4648 §5). */
export function base64Url(bytes: Uint8Array): string {
  const text = btoa(String.fromCharCode(...bytes));
  return text.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/u, '');
}

/** 32 random bytes as the verifier, its SHA-256 as the challenge. */
export async function createPkce(crypto: CryptoPort): Promise<Pkce> {
  const verifier = base64Url(crypto.getRandomValues(new Uint8Array(32)));
  return { verifier, challenge: base64Url(await digest(crypto, new TextEncoder().encode(verifier))) };
}

async function digest(crypto: CryptoPort, data: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
  return crypto.subtle === undefined ? sha256(data) : new Uint8Array(await crypto.subtle.digest('SHA-256', data));
}

/** A random UUID; `crypto.randomUUID` is missing on plain-HTTP pages. */
export function randomUuid(crypto: CryptoPort): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  const view = new DataView(bytes.buffer);
  view.setUint8(6, (view.getUint8(6) & 0x0f) | 0x40);
  view.setUint8(8, (view.getUint8(8) & 0x3f) | 0x80);
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}
