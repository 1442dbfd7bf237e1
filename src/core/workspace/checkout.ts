import { createReadStream } from 'node:fs';
import { basename } from 'node:path';
import { AppError, isAppError } from '../../shared/errors.ts';
import { type ChangeCode, ChangeCode as ChangeCodes, type CommitChange } from '../../shared/model/library.ts';
import type { Checkout as CheckoutState, ConflictAction, WorkspaceDocument } from '../../shared/model/workspace.ts';
import { inParallel } from '../../shared/rules/inParallel.ts';
import { documentNameProblem, nameKey } from '../../shared/rules/names.ts';
import type { IgnoreRules } from '../watch/ignoreRules.ts';
import type { Pace } from '../watch/pace.ts';
import { isGone } from '../watch/seeFile.ts';
import {
  forgetCheckout,
  type Identity,
  notePlaced,
  readIdentity,
  readKnowledge,
  readPlaced,
  writeKnowledge,
} from './checkoutStore.ts';
import { isSameStamp, lookAtFiles, twinKey } from './localFiles.ts';
import { canPlace, moveBeside, place, receive, remove, tidy } from './places.ts';
import { createRemoteShelf } from './remoteShelf.ts';
import { sendCommit } from './sendCommit.ts';
import { type Standing, standingOf } from './standing.ts';
import type { BaseDocument, LocalFile, RemoteDocument, WorkspaceServer } from './types.ts';

/** Versions that are fetched side by side. */
const PARALLEL = 4;
/** As many changes as anybody looks through. */
const LISTED = 5000;

/** A shelf that is kept in step with its server (decisions.md §8). Its calls run one after the other. */
export interface Checkout {
  state(): CheckoutState;
  /** What is not the same here and there, conflicts first. */
  changes(): { readonly documents: readonly WorkspaceDocument[]; readonly count: number };
  /** Takes in what happened on the shelf, and to the copies where `files` says that something may have. */
  look(what: { readonly files: boolean }): Promise<void>;
  /** @returns the hash of the commit; null when nothing had changed. @throws AppError: nothing is committed then */
  commit(names: readonly string[], message: string): Promise<string | null>;
  /** Settles a conflict. For `keep-theirs` the copy has gone to the trash already. */
  resolve(name: string, action: ConflictAction): Promise<void>;
  /** Where the copies of these documents are, as far as there are any. */
  copies(names: readonly string[]): Promise<string[]>;
  /** Lets the versions of the shelf come again where copies have gone to the trash. */
  restore(names: readonly string[]): Promise<void>;
  /** Ends being a checkout; the files stay. */
  release(): Promise<void>;
  /** Resolves when nothing is under way any more. */
  settled(): Promise<void>;
}

export interface CheckoutOptions {
  readonly folder: string;
  readonly identity: Identity;
  readonly rules: () => IgnoreRules;
  readonly pace: Pace;
  /** The server that it belongs to, as whoever is signed in; null while there is none. */
  readonly server: () => WorkspaceServer | null;
  /** Whether the present server is another one than that of the checkout. */
  readonly isElsewhere: () => boolean;
  /** Username of whoever is signed in. */
  readonly username: () => Promise<string>;
  readonly isClosed: () => boolean;
  readonly onChanged: () => void;
  readonly onWarning: (message: string) => void;
}

/** What is known of a shelf that was never asked for. */
const NOTHING = { library: '', isWritable: false, checkedAt: null, commit: null, base: [], remote: [] } as const;

type Stand = Pick<CheckoutState, 'state' | 'message' | 'progress'>;

const byKey = <T extends { readonly name: string }>(things: readonly T[]) =>
  new Map(things.map((thing) => [nameKey(thing.name), thing]));

/** The server cannot be asked now, which passes. */
const isAway = (error: unknown) =>
  isAppError(error, 'server-unreachable') ||
  isAppError(error, 'timed-out') ||
  isAppError(error, 'unauthenticated') ||
  isAppError(error, 'throttled');

/** Takes up a checkout as it was left. @throws AppError `folder-unavailable` */
export async function openCheckout(options: CheckoutOptions): Promise<Checkout> {
  const { folder, identity, pace, onWarning } = options;
  const earlier = (await readKnowledge(folder)) ?? { ...NOTHING, shelf: basename(folder) };
  const shelf = createRemoteShelf(identity.shelfId, earlier, options.username);
  const base = byKey(earlier.base) as Map<string, BaseDocument>;
  /** Versions that were about to take their places when everything ended: it is told by the copies whether they did. */
  let placedBefore = await readPlaced(folder);
  let files: ReadonlyMap<string, LocalFile> | null = null;
  const hashes = new Map<string, { stamp: LocalFile['stamp']; sha256: string }>();
  let standings: ReadonlyMap<string, Standing> = new Map();
  /** What is on the shelf, by key: folding the names of all takes longer than comparing them. */
  let there = { of: earlier.remote, byKey: byKey(earlier.remote) };
  /** Versions that could not be put in their places, by key: they are tried again when the copies are looked at. */
  const unwritable = new Map<string, string>();
  let stand: Stand = { state: 'waiting', message: null, progress: null };
  let queue: Promise<unknown> = Promise.resolve();
  let isReleased = false;
  /** What {@link remember} wrote last, by its parts. */
  let written: readonly unknown[] = [];
  /** A look that has not begun. */
  let waiting: { readonly files: boolean; ended: Promise<void> } | null = null;

  const isVersion = (name: string, sha256: string) =>
    [...placedBefore, base.get(nameKey(name))].some(
      (version) => version?.sha256 === sha256 && nameKey(version.name) === nameKey(name),
    );
  await tidy(folder, isVersion);

  function become(next: Partial<Stand>): void {
    stand = { ...stand, ...next };
    options.onChanged();
  }

  /** Runs one thing after the other: what is found out by one is good until it has ended. */
  function alone<T>(work: () => Promise<T>): Promise<T> {
    const turn = queue.then(work);
    queue = turn.catch(() => undefined);
    return turn;
  }

  function server(): WorkspaceServer {
    const current = options.server();
    if (options.isElsewhere()) {
      throw new AppError('server-unreachable', 'the shelf is on another server', { details: { elsewhere: true } });
    }
    if (current === null) throw new AppError('unauthenticated', 'signed out');
    return current;
  }

  async function takeFiles(): Promise<void> {
    const found = await lookAtFiles({
      folder,
      rules: options.rules(),
      pace,
      isOver: options.isClosed,
      documents: base,
      hashes,
    });
    // A drive that went away while it was looked at leaves an empty folder: nothing was deleted.
    if ((await readIdentity(folder)) === null) {
      throw new AppError('folder-unavailable', 'the folder has gone', { details: { folder } });
    }
    files = found;
    for (const version of placedBefore) {
      const key = nameKey(version.name);
      if (found.get(key)?.sha256 === version.sha256) base.set(key, version);
    }
    placedBefore = [];
  }

  async function compare(): Promise<void> {
    // While nobody can be asked who is signed in, a lock of one's own is shown as one.
    const username = await options.username().catch(() => '');
    if (there.of !== shelf.known.remote) there = { of: shelf.known.remote, byKey: byKey(shelf.known.remote) };
    const next = new Map<string, Standing>();
    for (const key of new Set([...base.keys(), ...there.byKey.keys(), ...(files?.keys() ?? [])])) {
      const sides = {
        base: base.get(key) ?? null,
        remote: there.byKey.get(key) ?? null,
        local: files?.get(key) ?? null,
      };
      const standing = standingOf(sides, username);
      const isUnwritable = sides.remote !== null && unwritable.get(key) === sides.remote.versionId;
      next.set(
        key,
        isUnwritable && standing.step.kind === 'fetch'
          ? { document: { ...standing.document, reason: 'unwritable' }, step: { kind: 'none' } }
          : standing,
      );
    }
    standings = next;
  }

  /** Writes down what is known, where that is not what was written last. */
  async function remember(): Promise<void> {
    const { checkedAt: _, ...known } = shelf.known;
    const next = [known.remote, JSON.stringify({ ...known, remote: null }), ...base.values()];
    if (next.length === written.length && next.every((each, at) => each === written[at])) return;
    await writeKnowledge(folder, { ...shelf.known, base: [...base.values()] });
    written = next;
  }

  const baseOf = ({ documentId, name, version, versionId, sha256 }: RemoteDocument, stamp: BaseDocument['stamp']) => ({
    documentId,
    name,
    version,
    versionId,
    sha256,
    stamp,
  });

  /** A version out of a copy that holds the same; null when it does not any more, and the version has to be fetched. */
  async function copyOf(target: RemoteDocument, path: string): Promise<string | null> {
    try {
      return await receive(folder, target, () => createReadStream(path));
    } catch (error) {
      if (isAppError(error, 'content-mismatch') || isGone(error)) return null;
      throw error;
    }
  }

  /** Fetches a version, or copies it from where the same content is already, and puts it in its place. */
  async function fetchVersion(
    key: string,
    target: RemoteDocument,
    local: LocalFile | null,
    here: ReadonlyMap<string, string>,
  ): Promise<'placed' | 'edited' | 'unwritable'> {
    // A server that is not what it should be could name places outside of the folder.
    if (documentNameProblem(target.name) !== null || !(await canPlace(folder, target.name))) return 'unwritable';
    const from = here.get(target.sha256);
    const incoming =
      (from === undefined ? null : await copyOf(target, from)) ??
      (await server().versionContent(target.versionId, (content) => receive(folder, target, () => content)));
    const version = baseOf(target, null);
    await notePlaced(folder, version);
    const placed = await place(folder, target.name, incoming, local);
    if (placed === 'placed') base.set(key, version);
    return placed;
  }

  /** Does what brings copies in step; true when something here was not as it had been looked at. */
  async function apply(): Promise<boolean> {
    const steps = [...standings].filter(([, { step }]) => step.kind !== 'none');
    const here = new Map<string, string>();
    for (const [key, { sha256, stamp }] of base) {
      const local = files?.get(key);
      if (stamp !== null && local !== undefined && local.sha256 === sha256) here.set(sha256, local.path);
    }
    let isStale = false;
    let done = 0;
    const fetches = steps.flatMap(([key, { step }]) => (step.kind === 'fetch' ? [[key, step] as const] : []));
    for (const [key, { step }] of steps) {
      if (step.kind === 'adopt') base.set(key, baseOf(step.remote, step.local.stamp));
      if (step.kind === 'forget') base.delete(key);
    }
    if (fetches.length > 0) become({ state: 'working', progress: { done, total: fetches.length } });
    await inParallel(fetches, PARALLEL, async ([key, { remote: target, local }]) => {
      if (options.isClosed()) throw new AppError('cancelled', 'the workspace is closed');
      const placed = await fetchVersion(key, target, local, here);
      if (placed === 'unwritable') unwritable.set(key, target.versionId);
      isStale ||= placed !== 'unwritable';
      done += 1;
      become({ progress: { done, total: fetches.length } });
    });
    // Afterwards: the content of a document that was renamed is taken from its old place.
    for (const [key, { step }] of steps) {
      if (step.kind !== 'remove') continue;
      const removed = await remove(folder, step.local);
      if (removed === 'placed') base.delete(key);
      isStale = true;
    }
    return isStale;
  }

  /** Copies that hold what they came from are known by their stamps from now on. */
  function takeStamps(): void {
    for (const [key, known] of base) {
      const local = files?.get(key);
      if (local === undefined || local.sha256 !== known.sha256) continue;
      if (known.stamp !== null && isSameStamp(known.stamp, local.stamp)) continue;
      base.set(key, { ...known, stamp: local.stamp });
    }
  }

  /** Looks at both sides and brings them in step as far as that goes by itself. */
  async function step({ files: lookHere }: { readonly files: boolean }): Promise<void> {
    let away: AppError | null = null;
    let isMoved = false;
    try {
      isMoved = await shelf.take(server());
    } catch (error) {
      if (!isAppError(error) || !isAway(error)) throw error;
      away = error;
    }
    if (!isMoved && !lookHere && files !== null && away === null && stand.state === 'ready') {
      options.onChanged();
      return;
    }
    if (lookHere || files === null) await takeFiles();
    await compare();
    // What was edited meanwhile is looked at once more; the next look has the rest.
    for (let round = 0; round < 3 && away === null && (await apply()); round += 1) {
      await takeFiles();
      await compare();
    }
    await compare();
    takeStamps();
    await remember();
    become({
      state: away === null ? 'ready' : options.isElsewhere() ? 'elsewhere' : 'offline',
      message: null,
      progress: null,
    });
  }

  async function look(what: { readonly files: boolean }): Promise<void> {
    if (isReleased) return;
    if (what.files) unwritable.clear();
    try {
      await step(what);
    } catch (error) {
      if (options.isClosed() || isAppError(error, 'cancelled')) return;
      const message = error instanceof Error ? error.message : String(error);
      if (isAppError(error, 'not-found')) become({ state: 'gone', message: null, progress: null });
      else if (isAway(error)) become({ state: 'offline', message: null, progress: null });
      else {
        onWarning(`workspace: ${message}`);
        become({ state: 'failed', message, progress: null });
      }
      await lookAgain();
    }
  }

  /** After a failure: what was done here, and what had come by then, is known all the same. */
  async function lookAgain(): Promise<void> {
    try {
      await freshly();
      await remember();
      options.onChanged();
    } catch (error) {
      onWarning(`workspace: ${error instanceof Error ? error.message : String(error)}`);
    }
  }

  /** Looks at the copies anew, without changing any. */
  async function freshly(): Promise<void> {
    await takeFiles();
    await compare();
  }

  function standingNamed(name: string): Standing {
    const standing = standings.get(twinKey(name)) ?? standings.get(nameKey(name));
    if (standing === undefined) throw new AppError('not-found', 'there is no such document', { details: { name } });
    return standing;
  }

  async function commitNow(names: readonly string[], message: string): Promise<string | null> {
    const to = server();
    await shelf.take(to);
    await freshly();
    if (!shelf.known.isWritable) throw new AppError('archived', 'the shelf is read-only for this person');
    const documents = names.map((name) => standingNamed(name).document);
    const unfit = documents.filter(({ code }) => code !== 'A' && code !== 'M' && code !== 'D');
    if (unfit.length > 0) {
      const details = { names: unfit.slice(0, 50).map(({ name }) => name) };
      throw new AppError('conflict', 'a document is not to be committed as it stands now', { details });
    }
    let done = 0;
    become({ state: 'working', progress: { done, total: documents.length } });
    const made = await sendCommit({
      server: to,
      target: { library: shelf.known.library, shelfId: identity.shelfId, message },
      documents,
      copyOf({ name, code }) {
        const key = nameKey(name);
        const { path, stamp, sha256 } = files?.get(key) ?? { path: null, stamp: { size: 0 }, sha256: null };
        return { path: code === 'D' ? null : path, size: stamp.size, sha256: sha256 ?? base.get(key)?.sha256 ?? '' };
      },
      isStopped: options.isClosed,
      onSent() {
        done += 1;
        become({ progress: { done, total: documents.length } });
      },
    });
    for (const change of made?.changes ?? []) takeChange(change);
    await remember();
    return made?.hash ?? null;
  }

  /** The copies that were committed are what their new versions hold, whatever happens to them from now on. */
  function takeChange(change: CommitChange): void {
    const key = nameKey(change.name);
    const { version_id: versionId, version_number: version, sha256 } = change;
    if (versionId === null || version === null || sha256 === null) {
      if (change.code === 'D') base.delete(key);
      return;
    }
    base.set(key, { documentId: change.document_id, name: change.name, version, versionId, sha256, stamp: null });
  }

  /** Runs a change, and looks at both sides after it, whether or not it went well. */
  function changing<T>(work: () => Promise<T>): Promise<T> {
    return alone(async () => {
      try {
        return await work();
      } finally {
        await look({ files: true });
      }
    });
  }

  return {
    state() {
      const counts = Object.fromEntries(ChangeCodes.options.map((code) => [code, 0])) as Record<ChangeCode, number>;
      for (const { document } of standings.values()) counts[document.code] += 1;
      return {
        folder,
        shelf_id: identity.shelfId,
        library: shelf.known.library,
        shelf: shelf.known.shelf,
        ...stand,
        counts,
        is_writable: shelf.known.isWritable,
        checked_at: shelf.known.checkedAt,
      };
    },
    changes() {
      const changed = [...standings.values()].map(({ document }) => document).filter(({ code }) => code !== 'UC');
      const rank = ({ code }: WorkspaceDocument) => (code === 'C' ? 0 : 1);
      changed.sort((a, b) => rank(a) - rank(b) || (a.name < b.name ? -1 : 1));
      return { documents: changed.slice(0, LISTED), count: changed.length };
    },
    look(what) {
      // One that waits serves all who ask meanwhile.
      if (waiting === null || (what.files && !waiting.files)) {
        const ahead = { files: what.files, ended: Promise.resolve() };
        ahead.ended = alone(() => {
          if (waiting === ahead) waiting = null;
          return look(ahead);
        });
        waiting = ahead;
      }
      return waiting.ended;
    },
    commit: (names, message) => changing(() => commitNow(names, message)),
    resolve: (name, action) =>
      changing(async () => {
        await freshly();
        const key = nameKey(name);
        const theirs = shelf.known.remote.find((each) => nameKey(each.name) === key);
        const local = files?.get(key) ?? null;
        // The copy of one that is given up is in the trash by now: only its version is left.
        const isOpen = standingNamed(name).document.code === 'C' || (action === 'keep-theirs' && local === null);
        if (theirs === undefined || !isOpen) {
          throw new AppError('conflict', 'the document is not in conflict any more', { details: { name } });
        }
        if (action === 'keep-mine') {
          base.set(key, baseOf(theirs, null));
          return;
        }
        if (local !== null && (action === 'keep-theirs' || !(await isMovedBeside(local)))) {
          throw new AppError('conflict', 'the copy changed meanwhile', { details: { name } });
        }
        base.delete(key);
      }),
    copies: (names) =>
      alone(async () => {
        await freshly();
        const known = names.map(standingNamed).filter(({ document }) => document.code !== 'U');
        return known.flatMap(({ document }) => files?.get(nameKey(document.name))?.path ?? []);
      }),
    restore: (names) =>
      changing(async () => {
        await freshly();
        for (const name of names) {
          const key = nameKey(name);
          if (files?.get(key) === undefined) base.delete(key);
          unwritable.delete(key);
        }
      }),
    release: () =>
      alone(async () => {
        await forgetCheckout(folder);
        isReleased = true;
      }),
    settled: async () => {
      await queue;
    },
  };

  async function isMovedBeside(local: LocalFile): Promise<boolean> {
    return (await moveBeside(folder, local, await options.username(), new Date())) === 'placed';
  }
}
