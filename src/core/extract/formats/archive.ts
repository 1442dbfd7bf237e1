import { type Unzipped, unzipSync } from 'fflate';
import { AppError } from '../../../shared/errors.ts';
import { decodeText } from '../decodeText.ts';
import type { ExtractLimits } from '../types.ts';

/** More entries than any document has; a listing of millions is an attack on the reader. */
const MAX_ENTRIES = 50_000;

/** The parts of a ZIP-based document, unpacked when asked for, all together within the limits. */
export interface Archive {
  readonly names: readonly string[];
  /** Text of a part, or null when it is not there. */
  read(name: string): string | null;
}

/** Thrown inside the extraction when an archive wants more than its limit; becomes `limit-reached`. */
export class ArchiveLimitError extends AppError {
  constructor(message: string) {
    super('payload-too-large', message);
  }
}

/**
 * Opens a ZIP. What an entry may unpack to is its declared size, which bounds the memory that is given to it, and the sum of
 * all is bounded: a bomb stops before it goes off.
 * @throws ArchiveLimitError; any other error means that it is no (whole) ZIP.
 */
export function openArchive(bytes: Uint8Array, limits: ExtractLimits): Archive {
  const names: string[] = [];
  unzipSync(bytes, {
    filter: ({ name }) => {
      if (names.length >= MAX_ENTRIES) throw new ArchiveLimitError(`The archive has more than ${MAX_ENTRIES} entries.`);
      names.push(name);
      return false;
    },
  });
  const known = new Set(names);
  let unpacked = 0;
  return {
    names,
    read(name) {
      if (!known.has(name)) return null;
      const parts: Unzipped = unzipSync(bytes, {
        filter: (entry) => {
          if (entry.name !== name) return false;
          unpacked += entry.originalSize;
          if (unpacked > limits.maxUnpackedBytes) {
            throw new ArchiveLimitError(
              `The document unpacks to more than the limit of ${limits.maxUnpackedBytes} bytes.`,
            );
          }
          return true;
        },
      });
      const part = parts[name];
      return part === undefined ? null : (decodeText(part)?.text ?? null);
    },
  };
}

/** Resolves `target` of a relationship or link against the part that names it. */
export function resolvePart(base: string, target: string): string {
  const segments = target.startsWith('/') ? [] : base.split('/').slice(0, -1);
  for (const segment of target.split('/')) {
    if (segment === '..') segments.pop();
    else if (segment !== '.' && segment !== '') segments.push(segment);
  }
  return segments.join('/');
}
