import { isAppError } from '../../shared/errors.ts';
import { LIMITS } from '../../shared/rules/limits.ts';
import type { KeyValueStore } from '../platform/storedSearchLog.ts';
import type { KeptContent, KeptDocuments } from '../platform/types.ts';
import { type Copy, createKeptDocumentsStore, type KeptDocumentsStore } from './keptDocumentsStore.ts';
import { isNoMore } from './lastSeen.ts';

const CHOICE = 'offline.documents';
const DAY_MS = 24 * 60 * 60 * 1000;

export interface KeptDocumentsOptions {
  readonly localStore: KeyValueStore;
  /** Where nobody has chosen. */
  readonly isOnByDefault: boolean;
  /** The device is asked to spend as little data as it can: nothing is loaded that nobody looks at. */
  readonly isSaving: () => boolean;
  /** Told when something is kept, so that what it is shown with is kept too. */
  readonly onKept: () => void;
  readonly store?: KeptDocumentsStore;
  readonly now?: () => number;
}

/** The copies, and what nobody chooses about them. */
export interface DocumentKeeper extends KeptDocuments {
  /** Asks for each copy whether it may stay: what the server refuses goes, and what is of somebody else. */
  recheck(owner: string, ask: (versionId: string) => Promise<unknown>): Promise<void>;
  drop(versionId: string): Promise<void>;
}

const bytesOf = ({ content, text, pages }: KeptContent) =>
  content.size +
  (pages?.size ?? 0) +
  text.flatMap(({ sections }) => sections).reduce((sum, section) => sum + section.text.length, 0);

/** Those that go: of the oldest so many that the others are few and small enough, and all that nobody opened for long. */
export function surplus(copies: readonly Copy[], now: number): readonly Copy[] {
  const oldest = now - LIMITS.keptDocumentDays * DAY_MS;
  let bytes = 0;
  return [...copies]
    .sort((a, b) => b.openedAt - a.openedAt)
    .filter((copy, index) => {
      bytes += copy.bytes;
      return index >= LIMITS.keptDocuments || bytes > LIMITS.keptDocumentsBytes || copy.openedAt < oldest;
    });
}

/** Makes it. Where the browser keeps nothing, as in some private windows, nothing is kept and all else works. */
export function createKeptDocuments({
  localStore,
  isOnByDefault,
  isSaving,
  onKept,
  store = createKeptDocumentsStore(),
  now = Date.now,
}: KeptDocumentsOptions): DocumentKeeper {
  /** What is under way is not written once this has changed: it was emptied meanwhile. */
  let emptied = 0;
  let last: Promise<unknown> = Promise.resolve();
  const loading = new Map<string, Promise<void>>();
  const isOn = () => {
    const choice = localStore.getItem(CHOICE);
    return choice === null ? isOnByDefault : choice === 'on';
  };

  /** One after the other, so that what is dropped stays so. */
  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = last.then(work);
    last = done.catch(() => undefined);
    return done;
  }

  const idsOf = (copies: readonly Copy[]) => copies.map(({ versionId }) => versionId);
  /** Somebody's copies; those whose time is over go. */
  async function ownedBy(owner: string): Promise<readonly Copy[]> {
    const own = (await store.all()).filter((copy) => copy.owner === owner);
    const over = surplus(own, now());
    if (over.length > 0) await store.drop(idsOf(over));
    return own.filter((copy) => !over.includes(copy));
  }
  const copyOf = async (owner: string, versionId: string) =>
    (await ownedBy(owner)).find((copy) => copy.versionId === versionId);

  async function empty(): Promise<void> {
    emptied += 1;
    await inTurn(() => store.clear());
  }

  async function put(copy: Copy, content: KeptContent | undefined, since: number): Promise<void> {
    await inTurn(async () => {
      if (since !== emptied) return;
      await store.put(copy, content);
      await store.drop(idsOf(surplus(await store.all(), now())));
    });
    onKept();
  }

  /** Runs once at a time for each document. What does not come, or finds no room, is not kept: only a copy is lost. */
  async function once(what: string, work: () => Promise<void>): Promise<void> {
    const running = loading.get(what);
    if (running !== undefined) return running;
    const run = work()
      .catch((error: unknown) => {
        if (!isAppError(error)) throw error;
      })
      .finally(() => loading.delete(what));
    loading.set(what, run);
    return run;
  }

  return {
    state: async (owner) => {
      const copies = await inTurn(() => ownedBy(owner));
      return {
        isOn: isOn(),
        documents: [...copies].sort((a, b) => b.openedAt - a.openedAt),
        size: copies.reduce((sum, { bytes }) => sum + bytes, 0),
      };
    },
    setOn: async (isOn) => {
      localStore.setItem(CHOICE, isOn ? 'on' : 'off');
      if (!isOn) await empty();
    },
    find: (owner, versionId) =>
      inTurn(async () => {
        const copy = await copyOf(owner, versionId);
        return copy === undefined ? null : store.content(versionId);
      }).catch((error: unknown) => {
        if (!isAppError(error)) throw error;
        // What cannot be read was not kept.
        return null;
      }),
    keep: (owner, document, load) =>
      once(document.versionId, async () => {
        if (!isOn() || document.size > LIMITS.keptDocumentBytes) return;
        const since = emptied;
        const known = await inTurn(() => copyOf(owner, document.versionId));
        if (known !== undefined) {
          await put({ ...known, ...document, openedAt: now() }, undefined, since);
          return;
        }
        if (isSaving()) return;
        const content: KeptContent = { ...(await load()), pages: null };
        const bytes = bytesOf(content);
        if (bytes <= LIMITS.keptDocumentBytes)
          await put({ ...document, owner, openedAt: now(), bytes }, content, since);
      }),
    addPages: (owner, versionId, load) =>
      once(`pages of ${versionId}`, async () => {
        const since = emptied;
        const copy = await inTurn(() => copyOf(owner, versionId));
        const content = copy === undefined ? null : await inTurn(() => store.content(versionId));
        if (copy === undefined || content === null || content.pages !== null) return;
        const whole = { ...content, pages: await load() };
        const bytes = bytesOf(whole);
        if (bytes <= LIMITS.keptDocumentBytes) await put({ ...copy, bytes }, whole, since);
      }),
    empty,
    drop: (versionId) => inTurn(() => store.drop([versionId])),
    recheck: async (owner, ask) => {
      const copies = await inTurn(async () => {
        const others = (await store.all()).filter((copy) => copy.owner !== owner);
        if (others.length > 0) await store.drop(idsOf(others));
        return ownedBy(owner);
      });
      if (copies.length > 0) onKept();
      for (const { versionId } of copies) {
        try {
          await ask(versionId);
        } catch (error) {
          // No answer is no refusal; the next visit asks again.
          if (!isNoMore(error)) return;
          await inTurn(() => store.drop([versionId]));
        }
      }
    },
  };
}
