import { openAsBlob } from 'node:fs';
import type { Commit } from '../../shared/model/library.ts';
import type { WorkspaceDocument } from '../../shared/model/workspace.ts';
import { mimeOf } from '../../shared/rules/mime.ts';
import { runUpload, type UploadItem, type UploadTarget } from '../../shared/upload/uploadEngine.ts';
import { renamesAmong } from './renames.ts';
import type { WorkspaceServer } from './types.ts';

/** What is here of a document that goes into a commit. */
export interface Copy {
  /** Null for a document that was deleted here. */
  readonly path: string | null;
  readonly size: number;
  /** Of the copy when it was looked at, or of the version that was deleted. The server takes nothing else. */
  readonly sha256: string;
}

export interface SendCommit {
  readonly server: WorkspaceServer;
  readonly target: UploadTarget;
  /** Documents of code A, M and D. */
  readonly documents: readonly WorkspaceDocument[];
  readonly copyOf: (document: WorkspaceDocument) => Copy;
  readonly isStopped: () => boolean;
  /** Told when one more file has arrived, of those that are sent. */
  readonly onSent: () => void;
}

/**
 * Commits what was chosen in a checkout, all of it or nothing. Files that only have another name take their documents along.
 * @returns null when nothing had changed after all
 * @throws AppError `conflict`, `locked`, `content-mismatch` for a file that was written to meanwhile, or what broke off the calls
 */
export async function sendCommit({
  server,
  target,
  documents,
  copyOf,
  isStopped,
  onSent,
}: SendCommit): Promise<Commit | null> {
  const copies = new Map(documents.map((document) => [document.name, copyOf(document)]));
  const renames = renamesAmong(documents, (name) => copies.get(name)?.sha256 ?? '');
  const fromOf = new Map(renames.map(({ from, to }) => [to.name, from]));
  const renamed = new Set(renames.map(({ from }) => from.name));

  function itemOf(document: WorkspaceDocument): UploadItem<Copy> {
    const { name, code } = document;
    const copy = copyOf(document);
    const item = { name, size: copy.size, mime: mimeOf(name), content: copy };
    const from = fromOf.get(name);
    if (from !== undefined) return { ...item, baseVersion: from.remoteVersionNumber ?? 0, renamedFrom: from.name };
    return {
      ...item,
      // What somebody deleted there is put back as a new document.
      baseVersion: code === 'A' ? 0 : (document.remoteVersionNumber ?? 0),
      isDeletion: code === 'D',
    };
  }

  const { commit } = await runUpload(
    documents.filter(({ name }) => !renamed.has(name)).map(itemOf),
    { ...target, isWhole: true },
    {
      client: server,
      isStopped,
      hash: async ({ sha256 }) => sha256,
      async put(url, { path }, _onBytes, range) {
        const blob = await openAsBlob(path ?? '');
        await server.put(url, range === undefined ? blob : blob.slice(range.start, range.end));
      },
      onProgress: (_index, { phase }) => {
        if (phase === 'sent') onSent();
      },
      onAnnounced: () => undefined,
      onCommitting: () => undefined,
    },
  );
  return commit;
}
