import type { ComparedFiles } from '../../core/compare/compareFiles.ts';
import type { compare as calls } from '../../shared/api/compare.ts';
import { AppError } from '../../shared/errors.ts';
import type { Comparison, TextComparison } from '../../shared/model/compare.ts';
import type { Documents, PlacedVersion } from '../documents/documents.ts';
import { actorOf } from '../http/context.ts';
import type { ApiHandlers } from '../http/mount.ts';
import type { BlobStore } from '../storage/blobStore.ts';
import type { ComparedContent, Comparer } from './comparer.ts';

/** The answer where no texts were compared. */
const NOTHING: TextComparison = {
  changes: [],
  added: 0,
  removed: 0,
  base_pages: [],
  other_pages: [],
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

  return {
    async versions({ params, query }, context): Promise<Comparison> {
      const actor = actorOf(context);
      const base = await documents.version(actor, params.id);
      const other = await documents.version(actor, params.other);
      const identical = base.sha256 === other.sha256;
      if (identical) return { ...NOTHING, base, other, identical, unavailable: null };
      const compared: ComparedFiles = await comparer.compare(
        contentOf(base),
        contentOf(other),
        query.context,
        context.signal,
      );
      return 'unavailable' in compared
        ? { ...NOTHING, base, other, identical, unavailable: compared.unavailable }
        : { ...compared.comparison, base, other, identical, unavailable: null };
    },
  };
}
