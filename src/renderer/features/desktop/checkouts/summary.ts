import type { Shelf } from '../../../../shared/model/library.ts';
import type { Checkout, WorkspaceDocument } from '../../../../shared/model/workspace.ts';

/** What is said of a kept shelf in a word or two: what calls for somebody before what does not. */
export type CheckoutSummary =
  | { readonly kind: 'gone' | 'elsewhere' | 'failed' | 'waiting' | 'offline' | 'inStep' }
  | { readonly kind: 'syncing'; readonly progress: Checkout['progress'] }
  | {
      readonly kind: 'conflicts' | 'changes' | 'attention';
      readonly count: number;
      /** It may have become more on the shelf meanwhile. */
      readonly isOffline: boolean;
    };

/** How many documents were added, changed or deleted here. */
const changedHere = ({ counts }: Checkout) => counts.A + counts.M + counts.D;

/** How a shelf stands on this computer. */
export function summaryOf(checkout: Checkout): CheckoutSummary {
  const { state, counts, progress } = checkout;
  if (state === 'gone' || state === 'elsewhere' || state === 'failed') return { kind: state };
  const isOffline = state === 'offline';
  if (counts.C > 0) return { kind: 'conflicts', count: counts.C, isOffline };
  if (state === 'working') return { kind: 'syncing', progress };
  const changes = changedHere(checkout);
  if (changes > 0) return { kind: 'changes', count: changes, isOffline };
  if (state === 'offline' || state === 'waiting') return { kind: state };
  // What the shelf cannot take, and newer versions that could not be put here.
  const attention = counts.U + counts.T;
  return attention > 0 ? { kind: 'attention', count: attention, isOffline } : { kind: 'inStep' };
}

/** Kept shelves that stand in none of these libraries: gone, of another server, or their list could not be read. */
export function unlistedCheckouts(
  checkouts: readonly Checkout[],
  libraries: readonly { readonly shelves: readonly Pick<Shelf, 'id'>[] }[],
): readonly Checkout[] {
  const listed = new Set(libraries.flatMap(({ shelves }) => shelves.map(({ id }) => id)));
  return checkouts.filter(({ shelf_id }) => !listed.has(shelf_id));
}

/** Whether its changes have to be read again: not for each file on the way, but for all else that is told of it. */
export function isMoved(before: Checkout, after: Checkout): boolean {
  if (before === after) return false;
  if (after.state !== 'working' || before.state !== 'working') return true;
  return Object.entries(after.counts).some(
    ([code, count]) => before.counts[code as keyof Checkout['counts']] !== count,
  );
}

/** Whether the copy can go onto the shelf as it is. */
export function isCommittable({ code, locked_by }: WorkspaceDocument): boolean {
  return isDiscardable({ code }) && locked_by === null;
}

/** Whether something was done here that can be taken back. Conflicts are settled by a choice of their own. */
export function isDiscardable({ code }: Pick<WorkspaceDocument, 'code'>): boolean {
  return code === 'A' || code === 'M' || code === 'D';
}

const RANKS: Readonly<Record<WorkspaceDocument['code'], number>> = { C: 0, A: 1, M: 1, D: 1, T: 2, U: 3, UC: 4 };

/** In the order of the dialog: conflicts, what can be committed, then the rest; each by name, as they come. */
export function inOrder(documents: readonly WorkspaceDocument[]): readonly WorkspaceDocument[] {
  return documents.filter(({ code }) => code !== 'UC').sort((a, b) => RANKS[a.code] - RANKS[b.code]);
}

/** The path of a document's copy, with the separators of the system that the folder is of. */
export function pathOfCopy(folder: string, name: string): string {
  const isWindows = /^(?:[a-z]:[\\/]|\\\\)/iu.test(folder);
  return isWindows ? `${folder}\\${name.replaceAll('/', '\\')}` : `${folder}/${name}`;
}

/** The last part of a folder's path. */
export function folderName(folder: string): string {
  return folder.split(/[\\/]/u).findLast((part) => part !== '') ?? folder;
}
