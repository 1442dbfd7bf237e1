import type { Comment } from '../../../shared/model/comment.ts';

/** A comment with its answers, the oldest answer first. */
export interface Thread {
  readonly root: Comment;
  readonly answers: readonly Comment[];
}

/**
 * Threads of comments that come newest first: the thread whose first comment is newest leads. `isTorn` says that answers came
 * whose first comment is on a later page.
 */
export function threadsOf(comments: readonly Comment[]): {
  readonly threads: readonly Thread[];
  readonly isTorn: boolean;
} {
  // A page that moved on while it was read brings some twice.
  const all = [...new Map(comments.map((comment) => [comment.id, comment])).values()];
  const answers = Map.groupBy(
    all.filter(({ parent_id }) => parent_id !== null),
    ({ parent_id }) => parent_id,
  );
  const roots = all.filter(({ parent_id }) => parent_id === null);
  const threads = roots.map((root) => ({ root, answers: (answers.get(root.id) ?? []).reverse() }));
  const known = new Set<string | null>(roots.map(({ id }) => id));
  return { threads, isTorn: [...answers.keys()].some((id) => !known.has(id)) };
}

/** The newest `count` comments by others than `userId`: those that this person has not read. */
export function newestOfOthers(comments: readonly Comment[], userId: string, count: number): readonly string[] {
  return comments
    .filter(({ author }) => author?.user_id !== userId)
    .slice(0, count)
    .map(({ id }) => id);
}
