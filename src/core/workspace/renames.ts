import type { WorkspaceDocument } from '../../shared/model/workspace.ts';

/** A document that has another name here. */
export interface Rename {
  /** The document of code D. */
  readonly from: WorkspaceDocument;
  /** The file of code A that holds the same. */
  readonly to: WorkspaceDocument;
}

const fileOf = (name: string) => name.slice(name.lastIndexOf('/') + 1);

/**
 * Pairs documents that went with files that came and hold the same: they were renamed or moved, and keep their history. Where
 * several hold the same, those of the same file name belong together.
 * @param sha256Of content of the copy, or of the version that it came from, by name
 */
export function renamesAmong(documents: readonly WorkspaceDocument[], sha256Of: (name: string) => string): Rename[] {
  const came = new Map<string, WorkspaceDocument[]>();
  for (const document of documents) {
    if (document.code !== 'A' || document.deleted_there) continue;
    const sha256 = sha256Of(document.name);
    came.set(sha256, [...(came.get(sha256) ?? []), document]);
  }
  const renames: Rename[] = [];
  for (const from of documents) {
    if (from.code !== 'D') continue;
    const candidates = came.get(sha256Of(from.name)) ?? [];
    const to = candidates.find(({ name }) => fileOf(name) === fileOf(from.name)) ?? candidates[0];
    if (to === undefined) continue;
    renames.push({ from, to });
    candidates.splice(candidates.indexOf(to), 1);
  }
  return renames;
}
