import { openAsBlob } from 'node:fs';
import { basename } from 'node:path';
import { documents as documentCalls } from '../../shared/api/documents.ts';
import { libraries as libraryCalls } from '../../shared/api/libraries.ts';
import { AppError, isAppError } from '../../shared/errors.ts';
import {
  type ChangeCode,
  ChangeCode as ChangeCodes,
  type DocumentState,
  type Shelf,
} from '../../shared/model/library.ts';
import type { Checkout as CheckoutState, ConflictAction, WorkspaceDocument } from '../../shared/model/workspace.ts';
import { inParallel } from '../../shared/rules/inParallel.ts';
import { mimeOf } from '../../shared/rules/mime.ts';
import { nameKey } from '../../shared/rules/names.ts';
import { runUpload, type UploadItem } from '../../shared/upload/uploadEngine.ts';
import type { IgnoreRules } from '../watch/ignoreRules.ts';
import type { Pace } from '../watch/pace.ts';
import { forgetCheckout, type Identity, readIdentity, readKnowledge, writeKnowledge } from './checkoutStore.ts';
import { hashFile, lookAtFiles, twinKey } from './localFiles.ts';
import { moveBeside, place, receive, receiveCopy, remove, tidy } from './places.ts';
import { renamesAmong } from './renames.ts';
import { type Standing, standingOf } from './standing.ts';
import type { BaseDocument, LocalFile, RemoteDocument, WorkspaceServer } from './types.ts';

/** Versions that are fetched side by side. */
const PARALLEL = 3;
/** After so many documents that came, what is known is written down. */
const WRITE_EVERY = 500;
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

/** An upload of the workspace: a file, or a document that was deleted here and what it held. */
type Content = { readonly path: string; readonly size: number } | { readonly deleted: string };

type Stand = Pick<CheckoutState, 'state' | 'message' | 'progress'>;

const remoteOf = (document: DocumentState): RemoteDocument => ({
  documentId: document.id,
  name: document.name,
  version: document.current_version,
  versionId: document.current_version_id,
  sha256: document.sha256,
  size: document.size,
  updatedAt: document.updated_at,
  lockedBy: document.lock?.by ?? null,
});

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
  const known = await readKnowledge(folder);
  let library = known?.library ?? '';
  let shelf = known?.shelf ?? basename(folder);
  let isWritable = known?.isWritable ?? false;
  let checkedAt = known?.checkedAt ?? null;
  let commit = known?.commit ?? null;
  const base = byKey(known?.base ?? []) as Map<string, BaseDocument>;
  /** By id: names change. */
  let remote = new Map((known?.remote ?? []).map((document) => [document.documentId, document]));
  let files: ReadonlyMap<string, LocalFile> | null = null;
  const hashes = new Map<string, { stamp: LocalFile['stamp']; sha256: string }>();
  let standings: ReadonlyMap<string, Standing> = new Map();
  /** Versions that could not be put in their places, by key: they are tried again when somebody asks. */
  const unwritable = new Map<string, string>();
  let stand: Stand = { state: 'waiting', message: null, progress: null };
  let queue: Promise<unknown> = Promise.resolve();
  let isReleased = false;

  await tidy(folder, (name, sha256) => base.get(nameKey(name))?.sha256 === sha256);

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

  async function takeShelf(found: Shelf): Promise<void> {
    library = found.library;
    shelf = found.name;
    const username = await options.username();
    const role = found.members.find((member) => member.username === username)?.role ?? 'viewer';
    isWritable = !found.archived && role !== 'viewer';
  }

  /** The shelf under the name that its library has now. @throws AppError `not-found` */
  async function findShelf(from: WorkspaceServer): Promise<Shelf> {
    const { libraries } = await from.call(libraryCalls.listWithShelves, { query: { archived: 'include' } });
    const found = libraries.flatMap(({ shelves }) => shelves).find(({ id }) => id === identity.shelfId);
    if (found === undefined) throw new AppError('not-found', 'the shelf is not there for this person');
    return found;
  }

  /** What commits since the last look changed; false when the whole shelf has to be asked for. */
  async function takeChanges(from: WorkspaceServer): Promise<boolean> {
    if (commit === null) return false;
    try {
      const params = { lib: library, id: identity.shelfId, since: commit };
      const answer = await from.call(documentCalls.changes, { params });
      await takeShelf(answer.shelf);
      for (const id of answer.removed) remote.delete(id);
      for (const document of answer.documents) remote.set(document.id, remoteOf(document));
      const locks = new Map(answer.locks.map(({ document_id, by }) => [document_id, by]));
      for (const [id, document] of remote) {
        const lockedBy = locks.get(id) ?? null;
        if (lockedBy !== document.lockedBy) remote.set(id, { ...document, lockedBy });
      }
      commit = answer.last_commit.hash;
      return true;
    } catch (error) {
      if (isAppError(error, 'gone')) return false;
      throw error;
    }
  }

  /** Everything that is known of the shelf, to tell whether a look found anything new. */
  const knownOfShelf = () =>
    JSON.stringify([library, shelf, isWritable, commit, [...remote.values()].map(({ lockedBy }) => lockedBy)]);

  /** Takes in what happened on the shelf. @returns whether anything did */
  async function takeRemote(): Promise<boolean> {
    const before = knownOfShelf();
    const from = server();
    const take = async () => {
      if (await takeChanges(from)) return;
      const params = { lib: library, id: identity.shelfId };
      await takeShelf(await from.call(documentCalls.shelfInfo, { params }));
      const latest = await from.call(documentCalls.latest, { params });
      remote = new Map(latest.documents.map((document) => [document.id, remoteOf(document)]));
      commit = latest.commit?.hash ?? null;
    };
    try {
      if (library === '') await takeShelf(await findShelf(from));
      await take();
    } catch (error) {
      if (!isAppError(error, 'not-found')) throw error;
      // Its library may have another name.
      await takeShelf(await findShelf(from));
      await take();
    }
    checkedAt = new Date().toISOString();
    return knownOfShelf() !== before;
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
  }

  async function compare(): Promise<void> {
    const username = await options.username().catch(() => '');
    const there = byKey([...remote.values()]);
    const next = new Map<string, Standing>();
    for (const key of new Set([...base.keys(), ...there.keys(), ...(files?.keys() ?? [])])) {
      const sides = { base: base.get(key) ?? null, remote: there.get(key) ?? null, local: files?.get(key) ?? null };
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

  async function remember(): Promise<void> {
    await writeKnowledge(folder, {
      library,
      shelf,
      isWritable,
      checkedAt,
      commit,
      base: [...base.values()],
      remote: [...remote.values()],
    });
  }

  const baseOf = ({ documentId, name, version, versionId, sha256 }: RemoteDocument, stamp: BaseDocument['stamp']) => ({
    documentId,
    name,
    version,
    versionId,
    sha256,
    stamp,
  });

  /** Fetches a version, or copies it from where the same content is already, and puts it in its place. */
  async function fetchVersion(
    key: string,
    target: RemoteDocument,
    local: LocalFile | null,
    here: ReadonlyMap<string, string>,
  ): Promise<'placed' | 'edited' | 'unwritable'> {
    const from = here.get(target.sha256);
    const incoming =
      (from === undefined ? null : await receiveCopy(folder, target, from)) ??
      (await server().versionContent(target.versionId, (body) => receive(folder, target, body)));
    const placed = await place(folder, target.name, incoming, local);
    if (placed === 'placed') base.set(key, baseOf(target, null));
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
    const advance = async () => {
      done += 1;
      become({ progress: { done, total: fetches.length } });
      if (done % WRITE_EVERY === 0) await remember();
    };
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
      await advance();
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
      if (local !== undefined && local.sha256 === known.sha256 && local.stamp !== known.stamp) {
        base.set(key, { ...known, stamp: local.stamp });
      }
    }
  }

  /** Looks at both sides and brings them in step as far as that goes by itself. */
  async function step({ files: lookHere }: { readonly files: boolean }): Promise<void> {
    let away: AppError | null = null;
    let isMoved = false;
    try {
      isMoved = await takeRemote();
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

  function requireWritable(): void {
    if (!isWritable) throw new AppError('archived', 'the shelf is read-only for this person');
  }

  function itemOf({ document }: Standing): UploadItem<Content> {
    const { name, code } = document;
    const baseVersion = code === 'A' ? 0 : (document.remoteVersionNumber ?? 0);
    const local = files?.get(nameKey(name)) ?? null;
    if (code === 'D') {
      const deleted = base.get(nameKey(name))?.sha256 ?? '';
      return { name, size: 0, mime: 'application/octet-stream', content: { deleted }, baseVersion, isDeletion: true };
    }
    const { path, stamp } = local ?? { path: '', stamp: { size: 0 } };
    return { name, size: stamp.size, mime: mimeOf(name), content: { path, size: stamp.size }, baseVersion };
  }

  async function hashContent(content: Content): Promise<string> {
    if ('deleted' in content) return content.deleted;
    const { sha256, stamp } = await hashFile(content.path);
    if (stamp.size !== content.size) {
      throw new AppError('conflict', 'a file was written to meanwhile', { details: { name: content.path } });
    }
    return sha256;
  }

  async function commitNow(names: readonly string[], message: string): Promise<string | null> {
    const to = server();
    await takeRemote();
    await freshly();
    requireWritable();
    const chosen = names.map(standingNamed);
    const unfit = chosen.filter(({ document: { code } }) => code !== 'A' && code !== 'M' && code !== 'D');
    if (unfit.length > 0) {
      const details = { names: unfit.slice(0, 50).map(({ document }) => document.name) };
      throw new AppError('conflict', 'a document is not to be committed as it stands now', { details });
    }
    const items = renamesAmong(
      chosen.map(({ document }) => document),
      (name) => files?.get(nameKey(name))?.sha256 ?? base.get(nameKey(name))?.sha256 ?? '',
    ).reduce(
      (left, { from, to: renamed }) =>
        left
          .filter((item) => item.name !== from.name)
          .map((item) =>
            item.name === renamed.name
              ? { ...item, renamedFrom: from.name, baseVersion: from.remoteVersionNumber ?? 0 }
              : item,
          ),
      chosen.map(itemOf),
    );
    let sent = 0;
    become({ state: 'working', progress: { done: 0, total: items.length } });
    const target = { library, shelfId: identity.shelfId, message, isWhole: true };
    const made = await runUpload(items, target, {
      client: to,
      isStopped: options.isClosed,
      hash: hashContent,
      async put(url, content, _onBytes, range) {
        if ('deleted' in content) return;
        const blob = await openAsBlob(content.path);
        await to.put(url, range === undefined ? blob : blob.slice(range.start, range.end));
      },
      onProgress(_index, { phase }) {
        if (phase !== 'sent') return;
        sent += 1;
        become({ progress: { done: sent, total: items.length } });
      },
      onAnnounced: () => undefined,
      onCommitting: () => undefined,
    });
    for (const change of made.commit?.changes ?? []) takeChange(change);
    await remember();
    return made.commit?.hash ?? null;
  }

  /** The copies that were committed are what their new versions hold, whatever happens to them from now on. */
  function takeChange(change: {
    readonly code: ChangeCode;
    readonly name: string;
    readonly document_id: string;
    readonly version_id: string | null;
    readonly version_number: number | null;
    readonly sha256: string | null;
  }): void {
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
        library,
        shelf,
        ...stand,
        counts,
        is_writable: isWritable,
        checked_at: checkedAt,
      };
    },
    changes() {
      const changed = [...standings.values()].map(({ document }) => document).filter(({ code }) => code !== 'UC');
      const rank = ({ code }: WorkspaceDocument) => (code === 'C' ? 0 : 1);
      changed.sort((a, b) => rank(a) - rank(b) || (a.name < b.name ? -1 : 1));
      return { documents: changed.slice(0, LISTED), count: changed.length };
    },
    look: (what) => alone(() => look(what)),
    commit: (names, message) => changing(() => commitNow(names, message)),
    resolve: (name, action) =>
      changing(async () => {
        await freshly();
        const key = nameKey(name);
        const theirs = [...remote.values()].find((each) => nameKey(each.name) === key);
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
