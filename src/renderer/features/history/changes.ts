import type { Commit, CommitChange } from '../../../shared/model/library.ts';

/** A change as people think of it: giving a document another name is one thing, though a commit says two. */
export interface ShownChange {
  readonly change: CommitChange;
  /** The name before, when it was renamed. */
  readonly before: string | null;
}

/** The changes of a commit, with the two halves of a new name put together. */
export function shownChanges({ changes }: Pick<Commit, 'changes'>): readonly ShownChange[] {
  const left = new Map(changes.filter(({ code }) => code === 'D').map((each) => [each.document_id, each.name]));
  const kept = new Set(changes.filter(({ code }) => code !== 'D').map(({ document_id }) => document_id));
  return changes
    .filter(({ code, document_id }) => code !== 'D' || !kept.has(document_id))
    .map((change) => ({ change, before: change.code === 'D' ? null : (left.get(change.document_id) ?? null) }));
}
