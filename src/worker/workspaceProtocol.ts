import type { Checkout, ConflictAction, WorkspaceDocument } from '../shared/model/workspace.ts';

type InCheckout<T = Record<never, never>> = { readonly folder: string } & T;

/** What the index process answers to the main process about the shelves that are kept on this computer. */
export type WorkspaceMethods = {
  /** The workspace folder, and the server in use under the name by which checkouts remember it; null while there is none. */
  readonly setWorkspace: (
    input: { readonly folder: string | null; readonly server: { readonly url: string; readonly name: string } | null },
    signal: AbortSignal,
  ) => Promise<void>;
  readonly checkouts: (input: null, signal: AbortSignal) => Promise<readonly Checkout[]>;
  readonly checkOut: (input: { readonly shelfId: string }, signal: AbortSignal) => Promise<Checkout>;
  readonly release: (input: InCheckout, signal: AbortSignal) => Promise<void>;
  readonly changes: (
    input: InCheckout,
    signal: AbortSignal,
  ) => Promise<{ readonly documents: readonly WorkspaceDocument[]; readonly count: number }>;
  /** Answers the hash of the commit, or null. */
  readonly commit: (
    input: InCheckout<{ readonly names: readonly string[]; readonly message: string }>,
    signal: AbortSignal,
  ) => Promise<string | null>;
  readonly resolve: (
    input: InCheckout<{ readonly name: string; readonly action: ConflictAction }>,
    signal: AbortSignal,
  ) => Promise<void>;
  /** Where copies are that go to the trash of the system, which only the main process reaches. */
  readonly copies: (
    input: InCheckout<{ readonly names: readonly string[] }>,
    signal: AbortSignal,
  ) => Promise<readonly string[]>;
  /** They have gone: the versions of the shelf come again. */
  readonly restore: (input: InCheckout<{ readonly names: readonly string[] }>, signal: AbortSignal) => Promise<void>;
  readonly syncWorkspace: (input: null, signal: AbortSignal) => Promise<void>;
};

export type WorkspaceEvents = {
  /** All checkouts, when any of them moved. */
  readonly checkouts: readonly Checkout[];
};
