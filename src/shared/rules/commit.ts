/** A change as it counts for a commit's name. */
export interface CanonicalChange {
  readonly code: 'A' | 'M' | 'D';
  readonly name: string;
  /** Null for a deletion. */
  readonly versionNumber: number | null;
  readonly sha256: string | null;
}

/**
 * The canonical form of a commit, whose SHA-256 is its name (decisions.md §2): a JSON array in this order, changes by name in
 * code-unit order, no white space. Whoever has the commit can recompute its name.
 */
export function canonicalCommit(commit: {
  readonly shelfId: string;
  readonly parent: string | null;
  readonly authorId: string;
  readonly createdAt: string;
  readonly message: string;
  readonly changes: readonly CanonicalChange[];
}): string {
  const changes = [...commit.changes]
    .sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0))
    .map(({ code, name, versionNumber, sha256 }) => [code, name, versionNumber, sha256]);
  return JSON.stringify([
    'armarium-commit-1',
    commit.shelfId,
    commit.parent,
    commit.authorId,
    commit.createdAt,
    commit.message,
    changes,
  ]);
}
