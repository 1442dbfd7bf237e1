import type { compare as calls } from '../../shared/api/compare.ts';
import { AppError } from '../../shared/errors.ts';
import type { ComparedTables, Comparison, TableComparison, TextComparison } from '../../shared/model/compare.ts';
import type { Documents, PlacedVersion } from '../documents/documents.ts';
import { actorOf, type CallContext } from '../http/context.ts';
import type { ApiHandlers } from '../http/mount.ts';
import type { BlobStore } from '../storage/blobStore.ts';
import type { ComparedContent, Comparer } from './comparer.ts';

/** The answers where nothing was compared. */
const NO_TABLES: TableComparison = { tables: [], coarse: false, truncated: false };
const NOTHING: TextComparison = {
  changes: [],
  added: 0,
  removed: 0,
  base_pages: [],
  other_pages: [],
  page_pairs: [],
  base_pages_changed: [],
  pages_changed: [],
  coarse: false,
  truncated: false,
};

/** Into one piece of memory of its own, which goes to another thread without a copy. */
async function readWhole(blobs: BlobStore, { sha256, size }: PlacedVersion): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = new Uint8Array(size);
  let length = 0;
  for await (const chunk of blobs.read(sha256)) {
    const part = chunk as Buffer;
    if (length + part.length > size) throw new AppError('content-mismatch', 'a content is longer than it was');
    bytes.set(part, length);
    length += part.length;
  }
  if (length !== size) throw new AppError('content-mismatch', 'a content is shorter than it was');
  return bytes;
}

/** Handlers of the comparison calls. */
export function compareHandlers(options: {
  readonly documents: Documents;
  readonly blobs: BlobStore;
  readonly comparer: Comparer;
}): ApiHandlers<{ compare: typeof calls }>['compare'] {
  const { documents, blobs, comparer } = options;

  const contentOf = (version: PlacedVersion): ComparedContent => ({
    name: version.document_name,
    size: version.size,
    read: () => readWhole(blobs, version),
  });

  const pairOf = async ({ id, other }: { readonly id: string; readonly other: string }, context: CallContext) => {
    const actor = actorOf(context);
    return { base: await documents.version(actor, id), other: await documents.version(actor, other) };
  };
  const isIdentical = (pair: { readonly base: PlacedVersion; readonly other: PlacedVersion }) =>
    pair.base.sha256 === pair.other.sha256;

  return {
    async versions({ params, query }, context): Promise<Comparison> {
      const pair = await pairOf(params, context);
      const identical = isIdentical(pair);
      if (identical) return { ...NOTHING, ...pair, identical, unavailable: null };
      const compared = await comparer.compare('texts', {
        base: contentOf(pair.base),
        other: contentOf(pair.other),
        context: query.context,
        signal: context.signal,
      });
      return 'unavailable' in compared
        ? { ...NOTHING, ...pair, identical, unavailable: compared.unavailable }
        : { ...compared.comparison, ...pair, identical, unavailable: null };
    },

    async tables({ params, query }, context): Promise<ComparedTables> {
      const pair = await pairOf(params, context);
      if (isIdentical(pair)) return { ...NO_TABLES, unavailable: null };
      const compared = await comparer.compare('tables', {
        base: contentOf(pair.base),
        other: contentOf(pair.other),
        context: query.context,
        signal: context.signal,
      });
      return 'unavailable' in compared
        ? { ...NO_TABLES, unavailable: compared.unavailable }
        : { ...compared.comparison, unavailable: null };
    },
  };
}
