import { hashKey, type QueryKey, type QueryPersister } from '@tanstack/react-query';
import { isAppError } from '../../shared/errors.ts';
import type { User } from '../../shared/model/user.ts';
import { loadCode } from '../api/loadCode.ts';
import type { LastSeenStore } from './lastSeenStore.ts';

/** What the browser keeps of the server's answers, to show them where there is no network. */
export interface LastSeen {
  /** Reads through: keeps what the server answers, and gives that where it does not answer. */
  readonly persister: QueryPersister;
  /** Somebody is signed in: what they see is kept from now on. */
  readonly begin: (user: User) => void;
  /** Who was signed in here last: what they saw is shown from now on. */
  readonly recall: () => Promise<User | null>;
  /** Nobody is signed in: nothing of anybody stays. */
  readonly forget: () => void;
}

/** Lists and what is known of documents. Never what is in documents, nor what an administrator or an account's owner sees. */
const KEPT: ReadonlySet<unknown> = new Set([
  'libraries',
  'shelf',
  'document',
  'comments',
  'favorites',
  'notifications',
]);
/** Documents on a shelf; longer lists are not worth their room. */
const MOST_DOCUMENTS = 2000;

/** Whether the answer to a query is kept. Of a version only where it stands: below its key are comparisons, which are text. */
export function isKept(key: QueryKey): boolean {
  const [what] = key;
  return KEPT.has(what) || (what === 'version' && key.length === 2);
}

const isLong = (data: unknown) =>
  ((data as { documents?: readonly unknown[] }).documents?.length ?? 0) > MOST_DOCUMENTS;
const isOutOfReach = (error: unknown) => isAppError(error, 'server-unreachable') || isAppError(error, 'timed-out');
/** Whether the server says that somebody has a thing no more. */
export const isNoMore = (error: unknown) => isAppError(error, 'not-found') || isAppError(error, 'forbidden');

const load = () => loadCode(async () => (await import('./lastSeenStore.ts')).createLastSeenStore());

/**
 * Makes it. Where the browser keeps nothing, as in some private windows, nothing is kept and all else works.
 * @param mayWrite resolves when writing keeps nobody waiting
 */
export function createLastSeen(mayWrite: Promise<void>, open: () => Promise<LastSeenStore> = load): LastSeen {
  let store: Promise<LastSeenStore> | null = null;
  let owner: string | null = null;
  let last: Promise<unknown> = Promise.resolve();

  async function opened(): Promise<LastSeenStore> {
    store ??= open();
    try {
      return await store;
    } catch (error) {
      store = null;
      throw error;
    }
  }

  /** One after the other, so that what is forgotten stays so. */
  function write(work: (store: LastSeenStore) => Promise<void>): void {
    last = last
      .then(async () => work(await opened()))
      // Nothing is lost but a view without a network.
      .catch(() => undefined);
  }

  function keep(by: string, key: QueryKey, data: unknown): void {
    if (isLong(data)) return;
    void mayWrite.then(() => write(async (kept) => (owner === by ? kept.keep(by, hashKey(key), data) : undefined)));
  }

  async function find(key: QueryKey): Promise<unknown> {
    if (owner === null) return undefined;
    const by = owner;
    // What cannot be read was not kept.
    return opened().then(
      (kept) => kept.find(by, hashKey(key)).catch(() => undefined),
      () => undefined,
    );
  }

  return {
    persister: async (queryFn, context, query) => {
      const by = owner;
      const { queryKey } = context;
      try {
        const data = await queryFn(context);
        if (by !== null && by === owner && isKept(queryKey)) keep(by, queryKey, data);
        return data;
      } catch (error) {
        if (!isKept(queryKey)) throw error;
        if (isNoMore(error)) write((kept) => kept.drop(hashKey(queryKey)));
        if (!isOutOfReach(error) || query.state.data !== undefined) throw error;
        const seen = await find(queryKey);
        if (seen === undefined) throw error;
        return seen as never;
      }
    },
    begin: (user) => {
      owner = user.user_id;
      void mayWrite.then(() => write(async (kept) => (owner === user.user_id ? kept.keepUser(user) : undefined)));
    },
    recall: async () => {
      const user = await opened()
        .then((kept) => kept.user())
        // The same as if nobody had been here.
        .catch(() => null);
      owner = user?.user_id ?? null;
      return user;
    },
    forget: () => {
      owner = null;
      void mayWrite.then(() => write((kept) => kept.forget()));
    },
  };
}
