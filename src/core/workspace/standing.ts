import type { WorkspaceDocument } from '../../shared/model/workspace.ts';
import { syncStatus } from '../../shared/rules/syncStatus.ts';
import type { BaseDocument, LocalFile, RemoteDocument } from './types.ts';

/** What brings a copy in step by itself: never where something was changed here. */
export type Step =
  | { readonly kind: 'none' }
  /** The newest version comes, where there is no copy or one that was not changed. */
  | { readonly kind: 'fetch'; readonly remote: RemoteDocument; readonly local: LocalFile | null }
  /** The document is no longer on the shelf, and the copy was not changed. */
  | { readonly kind: 'remove'; readonly local: LocalFile }
  /** The copy holds the newest version already. */
  | { readonly kind: 'adopt'; readonly remote: RemoteDocument; readonly local: LocalFile }
  /** It is neither here nor there any more. */
  | { readonly kind: 'forget' };

/** How a document stands, and what is to be done about it. */
export interface Standing {
  readonly document: WorkspaceDocument;
  readonly step: Step;
}

export interface Sides {
  /** Null where no version was ever taken over to this computer. */
  readonly base: BaseDocument | null;
  readonly remote: RemoteDocument | null;
  readonly local: LocalFile | null;
}

const NONE: Step = { kind: 'none' };

/**
 * Compares the three sides of a document (decisions.md §8): the version that the copy came from, the newest one of the shelf,
 * and the copy. Whatever was changed here is left alone; where both were changed, it is a conflict.
 * @param username of who looks: a lock of one's own is none
 */
export function standingOf({ base, remote, local }: Sides, username: string): Standing {
  // A version that holds the same, such as one that was renamed back, changes nothing that was worked on.
  const isSameThere = base === null ? remote === null : remote?.sha256 === base.sha256;
  const isSameHere = base === null ? local === null : local !== null && local.sha256 === base.sha256;
  const isReadable = local === null || local.problem === null;
  const name = remote?.name ?? base?.name ?? local?.name ?? '';
  const baseVersion = (isSameThere ? remote?.version : base?.version) ?? 0;

  function stand(
    change: {
      readonly code?: WorkspaceDocument['code'];
      readonly current_version: number;
      readonly inConflict?: boolean;
      readonly reason?: WorkspaceDocument['reason'];
    },
    step: Step = NONE,
  ): Standing {
    const { current_version, inConflict = false } = change;
    const versions = {
      current_version,
      remoteVersionNumber: remote?.version ?? null,
      conflictStatus: inConflict ? ('conflict' as const) : ('none' as const),
      conflictVersionNumber: inConflict ? current_version : null,
    };
    const code = change.code ?? syncStatus(versions);
    const document: WorkspaceDocument = {
      name,
      code,
      ...versions,
      size: local === null || !isReadable ? null : local.stamp.size,
      modified_at: local === null || code === 'UC' ? null : new Date(local.stamp.mtimeMs).toISOString(),
      document_id: remote?.documentId ?? null,
      current_version_id: remote?.versionId ?? null,
      deleted_there: base !== null && remote === null,
      locked_by: remote?.lockedBy === username ? null : (remote?.lockedBy ?? null),
      reason: change.reason ?? null,
    };
    return { document, step };
  }

  if (local !== null && local.problem !== null) {
    return stand({ code: 'U', current_version: baseVersion, reason: local.problem });
  }
  if (local !== null && remote !== null && local.sha256 === remote.sha256) {
    const step: Step = base?.versionId === remote.versionId ? NONE : { kind: 'adopt', remote, local };
    return stand({ code: 'UC', current_version: remote.version }, step);
  }
  if (isSameHere) {
    // Nothing was done here: the shelf's side is taken over.
    if (remote !== null) {
      return stand({ code: 'T', current_version: baseVersion }, { kind: 'fetch', remote, local });
    }
    return stand({ code: 'T', current_version: baseVersion }, local === null ? NONE : { kind: 'remove', local });
  }
  if (local === null) {
    if (remote === null) return stand({ code: 'UC', current_version: baseVersion }, { kind: 'forget' });
    if (isSameThere) return stand({ code: 'D', current_version: baseVersion });
    return stand({ current_version: baseVersion + 1, inConflict: true });
  }
  if (remote === null) return stand({ current_version: 1 });
  return stand({ current_version: baseVersion + 1, inConflict: !isSameThere });
}
