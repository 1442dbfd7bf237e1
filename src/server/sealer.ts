import { CompactEncrypt, compactDecrypt } from 'jose';

/** Keeps secrets that have to be read again (a link's token, a second factor's key) out of the database and its copies. */
export interface Sealer {
  seal(text: string): Promise<string>;
  /** @throws jose's error when the text was sealed with another key, or changed. */
  open(sealed: string): Promise<string>;
}

/** Makes a sealer with a key of 32 bytes: JWE, A256GCM with that key directly (RFC 7518 §4.5, §5.3). */
export function createSealer(key: Buffer): Sealer {
  const bytes = new Uint8Array(key);
  return {
    seal: (text) =>
      new CompactEncrypt(new TextEncoder().encode(text))
        .setProtectedHeader({ alg: 'dir', enc: 'A256GCM' })
        .encrypt(bytes),
    async open(sealed) {
      const { plaintext } = await compactDecrypt(sealed, bytes);
      return new TextDecoder().decode(plaintext);
    },
  };
}
