import type { ChangeCode } from '../model/library.ts';
import type { WorkspaceDocument } from '../model/workspace.ts';

/**
 * How a copy of a document stands against the remote one (web-and-phone.md §4): A if it is not on the remote; C if the conflict
 * status is conflict for the current version; M if the current version is greater than the remote version; otherwise unchanged.
 */
export function syncStatus({
  current_version,
  remoteVersionNumber,
  conflictStatus,
  conflictVersionNumber,
}: Pick<
  WorkspaceDocument,
  'current_version' | 'remoteVersionNumber' | 'conflictStatus' | 'conflictVersionNumber'
>): Extract<ChangeCode, 'A' | 'C' | 'M' | 'UC'> {
  if (remoteVersionNumber === null) return 'A';
  if (conflictStatus === 'conflict' && conflictVersionNumber === current_version) return 'C';
  return current_version > remoteVersionNumber ? 'M' : 'UC';
}
