import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { auth } from '../../shared/api/auth.ts';
import { libraries as libraryCalls } from '../../shared/api/libraries.ts';
import { AppError } from '../../shared/errors.ts';
import type { Checkout as CheckoutState } from '../../shared/model/workspace.ts';
import { documentNameProblem } from '../../shared/rules/names.ts';
import { createIgnoreRules } from '../watch/ignoreRules.ts';
import { below } from '../watch/listing.ts';
import { createPace, type PaceName } from '../watch/pace.ts';
import { errorCode } from '../watch/seeFile.ts';
import { type Checkout, openCheckout } from './checkout.ts';
import { findCheckouts, type Identity, writeIdentity } from './checkoutStore.ts';
import type { WorkspaceServer } from './types.ts';

/** What others commit is looked for so often. */
const ASK_EVERY_MS = 30_000;
/** Something may have happened to the copies: they are looked at once it has been quiet for so long, */
const QUIET_MS = 500;
/** and not sooner than after so many times what the last look took. */
const REST_TIMES = 20;
/** What is told of is told at most so often. */
const TELL_EVERY_MS = 200;

/** The server in use, under the name by which checkouts remember it. */
export interface WorkspaceLink {
  readonly server: WorkspaceServer;
  /** Origin of a server elsewhere, or `local`: the one on this computer answers at another port each time. */
  readonly name: string;
}

/** The shelves that are kept in step in one workspace folder (decisions.md §8). */
export interface Workspace {
  /** Another folder, or none. */
  setFolder(folder: string | null): Promise<void>;
  /** Another server, another person, or none. */
  setServer(link: WorkspaceLink | null): Promise<void>;
  setPace(pace: PaceName): void;
  checkouts(): readonly CheckoutState[];
  /** Told of all of them when any moved. */
  onChange(listener: (checkouts: readonly CheckoutState[]) => void): void;
  /** @throws AppError `folder-unavailable`, `not-found`, or what broke off the calls. */
  checkOut(shelfId: string): Promise<CheckoutState>;
  /** The checkout in a folder, for what is done in it. @throws AppError `not-found` */
  at(folder: string): Checkout;
  release(folder: string): Promise<void>;
  /** Something may have happened to files of the workspace: looks soon. */
  filesMoved(): void;
  /** Looks at everything now. */
  sync(): Promise<void>;
  close(): Promise<void>;
}

export interface WorkspaceOptions {
  readonly onWarning: (message: string) => void;
  readonly askEveryMs?: number;
}

/** What a folder is called; a name that is none of a folder here, or leads elsewhere, gives way to the shelf's id. */
function folderName(name: string, shelfId: string): string {
  return documentNameProblem(name) === null && !name.includes('/') ? name : shelfId;
}

/** Makes a workspace without a folder. */
export function createWorkspace({ onWarning, askEveryMs = ASK_EVERY_MS }: WorkspaceOptions): Workspace {
  const pace = createPace();
  const listeners: ((checkouts: readonly CheckoutState[]) => void)[] = [];
  let folder: string | null = null;
  let link: WorkspaceLink | null = null;
  let username: Promise<string> | null = null;
  let open = new Map<string, Checkout>();
  let isClosed = false;
  let telling: NodeJS.Timeout | null = null;
  let quiet: NodeJS.Timeout | null = null;
  let restUntil = 0;
  /** Folders are taken up and given up one at a time. */
  let queue: Promise<unknown> = Promise.resolve();
  const timer = setInterval(() => void lookAll(false), askEveryMs);
  timer.unref();

  function alone<T>(work: () => Promise<T>): Promise<T> {
    const turn = queue.then(work);
    queue = turn.catch(() => undefined);
    return turn;
  }

  const states = () => [...open.values()].map((checkout) => checkout.state());

  function tell(): void {
    telling ??= setTimeout(() => {
      telling = null;
      const checkouts = states();
      for (const listener of listeners) listener(checkouts);
    }, TELL_EVERY_MS);
  }

  /** Who is signed in; asked once. @throws AppError */
  async function whoIs(): Promise<string> {
    if (link === null) throw new AppError('unauthenticated', 'signed out');
    const asked = username ?? link.server.call(auth.userinfo, {}).then((user) => user.username);
    username = asked;
    try {
      return await asked;
    } catch (error) {
      if (username === asked) username = null;
      throw error;
    }
  }

  function take(at: string, identity: Identity): Promise<Checkout> {
    const workspace = folder ?? at;
    // Read anew at each look: rules change.
    const rules = () => createIgnoreRules(at.startsWith(below(workspace)) ? workspace : at);
    return openCheckout({
      folder: at,
      identity,
      rules,
      pace,
      server: () => (link?.name === identity.server ? link.server : null),
      isElsewhere: () => link !== null && link.name !== identity.server,
      username: whoIs,
      isClosed: () => isClosed || folder !== workspace,
      onChanged: tell,
      onWarning,
    });
  }

  /** Takes up checkouts that came into the workspace, and gives up those that went. */
  async function find(): Promise<void> {
    const workspace = folder;
    const found = workspace === null ? new Map<string, Identity>() : await findCheckouts(workspace);
    const next = new Map<string, Checkout>();
    for (const [at, identity] of found) {
      try {
        next.set(at, open.get(at) ?? (await take(at, identity)));
      } catch (error) {
        onWarning(`workspace: ${error instanceof Error ? error.message : String(error)}`);
      }
    }
    open = next;
    tell();
  }

  async function lookAll(files: boolean): Promise<void> {
    if (isClosed) return;
    const begun = performance.now();
    await Promise.all([...open.values()].map((checkout) => checkout.look({ files })));
    if (files) restUntil = performance.now() + REST_TIMES * (performance.now() - begun);
  }

  /** A folder for a shelf that nothing is in yet, or only files that may well belong to it. */
  async function freeFolder(workspace: string, library: string, shelf: string): Promise<string> {
    for (let number = 1; ; number += 1) {
      const at = join(workspace, library, number === 1 ? shelf : `${shelf} (${number})`);
      if (!open.has(at) && (await findCheckouts(at)).size === 0) return at;
    }
  }

  return {
    setFolder: (next) =>
      alone(async () => {
        if (next === folder) return;
        folder = next;
        await Promise.all([...open.values()].map((checkout) => checkout.settled()));
        open = new Map();
        await find();
        void lookAll(true);
      }),
    setServer: (next) =>
      alone(async () => {
        link = next;
        username = null;
        void lookAll(false);
      }),
    setPace: (next) => pace.set(next),
    checkouts: states,
    onChange: (listener) => void listeners.push(listener),
    checkOut: (shelfId) =>
      alone(async () => {
        const workspace = folder;
        if (workspace === null) throw new AppError('folder-unavailable', 'there is no workspace folder');
        if (link === null) throw new AppError('unauthenticated', 'signed out');
        const { libraries } = await link.server.call(libraryCalls.listWithShelves, { query: { archived: 'include' } });
        const shelf = libraries.flatMap(({ shelves }) => shelves).find(({ id }) => id === shelfId);
        if (shelf === undefined) throw new AppError('not-found', 'there is no such shelf');
        const at = await freeFolder(workspace, folderName(shelf.library, shelfId), folderName(shelf.name, shelfId));
        try {
          await mkdir(at, { recursive: true });
        } catch (error) {
          throw new AppError('folder-unavailable', `${at}: ${errorCode(error)}`, {
            cause: error,
            details: { folder: at },
          });
        }
        const identity = { server: link.name, shelfId };
        await writeIdentity(at, identity);
        const checkout = await take(at, { format: 1, ...identity });
        open.set(at, checkout);
        tell();
        void checkout.look({ files: true });
        return { ...checkout.state(), library: shelf.library, shelf: shelf.name };
      }),
    at(given) {
      const checkout = open.get(given);
      if (checkout === undefined)
        throw new AppError('not-found', 'the folder is no checkout', { details: { folder: given } });
      return checkout;
    },
    release: (given) =>
      alone(async () => {
        await open.get(given)?.release();
        open.delete(given);
        tell();
      }),
    filesMoved() {
      if (open.size === 0 || isClosed) return;
      if (quiet !== null) clearTimeout(quiet);
      const wait = Math.max(QUIET_MS, restUntil - performance.now());
      quiet = setTimeout(() => {
        quiet = null;
        void lookAll(true);
      }, wait);
    },
    async sync() {
      await alone(find);
      await lookAll(true);
    },
    async close() {
      isClosed = true;
      clearInterval(timer);
      if (telling !== null) clearTimeout(telling);
      if (quiet !== null) clearTimeout(quiet);
      pace.close();
      await Promise.all([...open.values()].map((checkout) => checkout.settled()));
    },
  };
}
