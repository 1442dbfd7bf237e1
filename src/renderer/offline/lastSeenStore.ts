import type { User } from '../../shared/model/user.ts';
import { createBrowserStore, settled } from '../api/browserStore.ts';

/** An answer of the server, as it was last. */
interface Seen {
  /** Of the query; `USER` for who it was. */
  readonly key: string;
  readonly owner: string;
  readonly data: unknown;
  readonly at: number;
}

const USER = 'user';
/** As long as a session goes on without its person. */
const KEPT_MS = 30 * 24 * 60 * 60 * 1000;
/** More of the oldest go. */
const MOST = 300;
/** Longer answers are not kept: it would take the page's time to write them. */
const MOST_CHARACTERS = 1_000_000;

/** What a person saw last, in the browser's own database. */
export interface LastSeenStore {
  keepUser(user: User): Promise<void>;
  /** Who was signed in here last, if that is not too long ago. */
  user(): Promise<User | null>;
  keep(owner: string, key: string, data: unknown): Promise<void>;
  find(owner: string, key: string): Promise<unknown>;
  drop(key: string): Promise<void>;
  forget(): Promise<void>;
}

/** Opens what was seen last. */
export function createLastSeenStore(now: () => number = Date.now): LastSeenStore {
  const use = createBrowserStore('armarium.lastSeen', 'seen');
  const isGood = (seen: Seen | undefined): seen is Seen => seen !== undefined && now() - seen.at <= KEPT_MS;
  let count = 0;

  async function tidy(store: IDBObjectStore): Promise<void> {
    const all: readonly Seen[] = await settled(store.getAll());
    const inOrder = all.filter(({ key }) => key !== USER).sort((a, b) => b.at - a.at);
    const over = inOrder.filter((seen, index) => index >= MOST || !isGood(seen));
    await Promise.all(over.map(({ key }) => settled(store.delete(key))));
  }

  const put = (record: Omit<Seen, 'at'>) =>
    use(async (store) => {
      await settled(store.put({ ...record, at: now() } satisfies Seen));
      count += 1;
      if (count % MOST === 1) await tidy(store);
    });

  return {
    keepUser: (user) => put({ key: USER, owner: user.user_id, data: user }),
    user: () =>
      use(async (store) => {
        const seen: Seen | undefined = await settled(store.get(USER));
        return isGood(seen) ? (seen.data as User) : null;
      }),
    keep: async (owner, key, data) => {
      if (JSON.stringify(data).length <= MOST_CHARACTERS) await put({ key, owner, data });
    },
    find: (owner, key) =>
      use(async (store) => {
        const seen: Seen | undefined = await settled(store.get(key));
        return isGood(seen) && seen.owner === owner ? seen.data : undefined;
      }),
    drop: (key) => use((store) => settled(store.delete(key))),
    forget: () => use((store) => settled(store.clear())),
  };
}
