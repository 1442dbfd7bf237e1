import { isDeepStrictEqual } from 'node:util';
import type { PaceName } from '../core/watch/pace.ts';
import { createWorkspace } from '../core/workspace/workspace.ts';
import type { Checkout } from '../shared/model/workspace.ts';
import { type AccessToken, createServerClient } from './serverClient.ts';
import type { WorkspaceMethods } from './workspaceProtocol.ts';

/** The shelves that are kept in step, in the index process: files are read where the index reads them. */
export interface WorkspaceFollower {
  readonly methods: WorkspaceMethods;
  setPace(pace: PaceName): void;
  /** Something may have happened to files. */
  filesMoved(): void;
  close(): Promise<void>;
}

export interface WorkspaceFollowerOptions {
  readonly accessToken: AccessToken;
  readonly onChange: (checkouts: readonly Checkout[]) => void;
  readonly onWarning: (message: string) => void;
}

/** Makes the follower for the index process. */
export function createWorkspaceFollower({
  accessToken,
  onChange,
  onWarning,
}: WorkspaceFollowerOptions): WorkspaceFollower {
  const workspace = createWorkspace({ onWarning });
  workspace.onChange(onChange);
  let controller = new AbortController();
  let current: Parameters<WorkspaceMethods['setWorkspace']>[0] = { folder: null, server: null };
  return {
    methods: {
      async setWorkspace(next) {
        // Told anew whenever anything of the session changes.
        if (isDeepStrictEqual(next, current)) return;
        current = next;
        const { folder, server } = next;
        // What is under way is for another server, or for somebody else.
        controller.abort();
        controller = new AbortController();
        const { signal } = controller;
        const link =
          server === null ? null : { server: createServerClient(server.url, accessToken, signal), name: server.name };
        // In one go: what is asked in between would speak with the server that was just given up.
        await Promise.all([workspace.setFolder(folder), workspace.setServer(link)]);
      },
      checkouts: async () => workspace.checkouts(),
      checkOut: ({ shelfId }) => workspace.checkOut(shelfId),
      release: ({ folder }) => workspace.release(folder),
      changes: async ({ folder }) => workspace.at(folder).changes(),
      commit: ({ folder, names, message }) => workspace.at(folder).commit(names, message),
      resolve: ({ folder, name, action }) => workspace.at(folder).resolve(name, action),
      copies: ({ folder, names }) => workspace.at(folder).copies(names),
      restore: ({ folder, names }) => workspace.at(folder).restore(names),
      syncWorkspace: () => workspace.sync(),
    },
    setPace: workspace.setPace,
    filesMoved: workspace.filesMoved,
    close() {
      controller.abort();
      return workspace.close();
    },
  };
}
