import { unzipSync } from 'fflate';
import { refused } from '../kit/refusal.ts';

/** More entries than any document has. */
const MAX_ENTRIES = 50_000;
/** What the parts of a document that are drawn may unpack to, all together. */
const MAX_UNPACKED_BYTES = 512 * 1024 * 1024;

/** The parts of a document that is a ZIP. */
export interface Parts {
  readonly names: readonly string[];
  /** A part, or null when it is not there. @throws AppError `unsupported` for a damaged one */
  read(name: string): Uint8Array<ArrayBuffer> | null;
  /** A part that is text in UTF-8 or UTF-16. */
  text(name: string): string | null;
}

const ZIP = 0x04034b50;
const OLE2 = 0xe011cfd0;

/** What a document's first bytes say against it, when they do: an Office file that is no ZIP is encrypted or an old one. */
export function refuseNoZip(bytes: Uint8Array): void {
  const first = bytes.length < 4 ? 0 : new DataView(bytes.buffer, bytes.byteOffset).getUint32(0, true);
  if (first === OLE2) throw refused('encrypted');
  if (first !== ZIP) throw refused('damaged');
}

/**
 * Opens a document that is a ZIP. A part gets no more memory than it declares, and what all declare is bounded, so that a bomb
 * does not go off. @throws AppError `unsupported`
 */
export function openParts(bytes: Uint8Array): Parts {
  refuseNoZip(bytes);
  const names: string[] = [];
  let unpacked = 0;
  const attempt = <T>(read: () => T): T => {
    try {
      return read();
    } catch (error) {
      throw refused('damaged', error);
    }
  };
  attempt(() =>
    unzipSync(bytes, {
      filter: ({ name, originalSize }) => {
        names.push(name);
        unpacked += originalSize;
        return false;
      },
    }),
  );
  if (names.length > MAX_ENTRIES || unpacked > MAX_UNPACKED_BYTES) throw refused('unpacksTooLarge');
  const known = new Set(names);
  const read = (wanted: string): Uint8Array<ArrayBuffer> | null => {
    if (!known.has(wanted)) return null;
    const parts = attempt(() => unzipSync(bytes, { filter: ({ name }) => name === wanted }));
    return (parts[wanted] as Uint8Array<ArrayBuffer> | undefined) ?? null;
  };
  return {
    names,
    read,
    text(name) {
      const part = read(name);
      if (part === null) return null;
      const isWide = (part[0] === 0xff && part[1] === 0xfe) || (part[0] === 0xfe && part[1] === 0xff);
      return new TextDecoder(isWide ? (part[0] === 0xff ? 'utf-16le' : 'utf-16be') : 'utf-8').decode(part);
    },
  };
}
