import type { CallOutput } from '../../shared/api/call.ts';
import type { api } from '../../shared/api/index.ts';
import type { DocumentLock, ShelfDocument } from '../../shared/model/library.ts';
import { nameKey, nameOrder } from '../../shared/rules/names.ts';

/** A shelf and its documents as they are cached. */
export interface ShelfData extends CallOutput<typeof api.documents.shelfDetail> {
  /** All of its documents are there, as of `last_commit` or later; otherwise the first ones by name. */
  readonly isWhole: boolean;
}

/** Where the first document stands that comes after a name. */
function placeOf(documents: readonly ShelfDocument[], name: string): number {
  const [order, key] = [nameOrder(name), nameKey(name)];
  const isAfter = (other: string) => {
    const otherOrder = nameOrder(other);
    return otherOrder === order ? nameKey(other) > key : otherOrder > order;
  };
  let [from, to] = [0, documents.length];
  while (from < to) {
    const middle = (from + to) >>> 1;
    if (isAfter(documents[middle]?.name ?? '')) to = middle;
    else from = middle + 1;
  }
  return from;
}

/** Puts some documents among others; both come by name. */
function merged(documents: readonly ShelfDocument[], more: readonly ShelfDocument[]): ShelfDocument[] {
  const all: ShelfDocument[] = [];
  let taken = 0;
  for (const document of more) {
    const place = placeOf(documents, document.name);
    for (; taken < place; taken += 1) all.push(documents[taken] as ShelfDocument);
    all.push(document);
  }
  for (; taken < documents.length; taken += 1) all.push(documents[taken] as ShelfDocument);
  return all;
}

function relocked(document: ShelfDocument, locks: ReadonlyMap<string, DocumentLock>): ShelfDocument {
  const lock = locks.get(document.id) ?? null;
  const { lock: before } = document;
  const isSame = lock?.user_id === before?.user_id && lock?.expires_at === before?.expires_at;
  return isSame ? document : { ...document, lock };
}

/**
 * Brings a whole list up to date. Documents that did not change stay the same objects, so that what shows them has nothing to do.
 * @returns null when the list has a gap: it is to be read anew
 */
export function withChanges(
  known: ShelfData,
  { shelf, last_commit, documents: changed, removed, locks: all }: CallOutput<typeof api.documents.changes>,
): ShelfData | null {
  const locks = new Map(all.map(({ document_id, ...lock }) => [document_id, lock]));
  const moved = new Set([...removed, ...changed.map(({ id }) => id)]);
  const stayed = known.documents.filter(({ id }) => !moved.has(id)).map((document) => relocked(document, locks));
  const documents = merged(stayed, changed);
  return documents.length === shelf.document_count ? { shelf, last_commit, documents, isWhole: true } : null;
}
