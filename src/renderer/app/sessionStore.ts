import { createStore } from 'zustand/vanilla';
import { api } from '../../shared/api/index.ts';
import { isAppError } from '../../shared/errors.ts';
import type { User } from '../../shared/model/user.ts';
import type { ApiClient } from '../api/client.ts';
import type { KeyValueStore } from '../platform/storedSearchLog.ts';
import type { SessionCapability } from '../platform/types.ts';

/** Kept while somebody is signed in, in this tab or another. */
export const SIGNED_IN_KEY = 'session.signedIn';

const KEYS = {
  signedIn: SIGNED_IN_KEY,
  library: 'session.currentLibrary',
  shelf: 'session.currentShelf',
  auth: 'session.auth',
  returnTo: 'session.returnTo',
};

export interface SessionState {
  /** `unknown` until the status was fetched; `unreachable` when it could not be. */
  readonly status: 'unknown' | 'unreachable' | 'guest' | 'signed-in';
  /** Who is signed in; while the status is unknown, who was signed in as this tab was left, or reloaded. */
  readonly user: User | null;
  /** It is not asked yet whether the session goes on: the user is who was here last, and what they saw is shown. */
  readonly recalled: boolean;
  /** The Session Expired dialog shows. */
  readonly expired: boolean;
  /** The server answers. */
  readonly reachable: boolean;
  /** How the session of this page ended: by choice, after which where the person was is not to come back to. */
  readonly ended: 'no' | 'expired' | 'by-choice';
  /** Asks the server who is signed in. */
  readonly check: () => Promise<void>;
  readonly setUser: (user: User) => void;
  readonly setReachable: (reachable: boolean) => void;
  readonly markExpired: () => void;
  /** The server does not go on with the session, and it is not that it expired: signed out without a dialog. */
  readonly loseSession: () => void;
  /** The shell has no tokens any more: by our own doing, or because the session ended. */
  readonly shellSignedOut: () => void;
  /** A code was not exchanged: nobody is signed in in this tab, whoever is in others. */
  readonly exchangeFailed: () => void;
  /** Somebody signed in or out in another tab, which shares the cookies. */
  readonly changedElsewhere: (signedIn: boolean) => void;
  /** Clears the expired flag and signs out silently. */
  readonly confirmExpired: () => void;
  /** Signs out here whatever the server answers. */
  readonly signOut: () => Promise<void>;
  readonly currentLibrary: () => string | null;
  readonly rememberLibrary: (name: string) => void;
  /** The library is gone, or goes by another name: nothing leads there any more. */
  readonly forgetLibrary: (name: string) => void;
  readonly rememberShelf: (name: string) => void;
  readonly rememberReturn: (address: string) => void;
  /** The address to come back to after signing in; forgotten by asking. */
  readonly takeReturn: () => string | null;
}

export interface SessionStoreOptions {
  readonly client: ApiClient;
  readonly session: SessionCapability;
  /** Kept over visits. */
  readonly localStore: KeyValueStore;
  /** Kept in this tab. */
  readonly tabStore: KeyValueStore;
  /** Whether the host knows without asking the server that nobody is signed in. */
  readonly isKnownGuest?: () => Promise<boolean>;
  readonly onSignedIn?: (user: User) => void;
  /** Who was signed in here last, where the host keeps what they saw. */
  readonly recall?: () => Promise<User | null>;
  /** Told whenever cached server state no longer belongs to the person in front. */
  readonly onSignedOut?: () => void;
}

/** The auth state as a tab keeps it over a reload (web-and-phone.md §3). */
interface KeptAuth {
  readonly isAuthenticated: boolean;
  readonly user: User | null;
}

function keptUser(tabStore: KeyValueStore): User | null {
  try {
    const { isAuthenticated, user } = JSON.parse(tabStore.getItem(KEYS.auth) ?? '{}') as Partial<KeptAuth>;
    return isAuthenticated === true && typeof user?.user_id === 'string' ? user : null;
  } catch {
    // Not what was kept here: then nobody is known before the server was asked.
    return null;
  }
}

/** Who is signed in, and what the application remembers for them. */
export function createSessionStore({
  client,
  session,
  localStore,
  tabStore,
  isKnownGuest,
  onSignedIn,
  recall,
  onSignedOut,
}: SessionStoreOptions) {
  let checks = 0;
  let isLeaving = false;
  return createStore<SessionState>()((set, get) => {
    const becomeGuestHere = () => {
      tabStore.removeItem(KEYS.shelf);
      tabStore.removeItem(KEYS.auth);
      set({ status: 'guest', user: null, recalled: false });
      onSignedOut?.();
    };
    const becomeGuest = () => {
      localStore.removeItem(KEYS.signedIn);
      localStore.removeItem(KEYS.library);
      becomeGuestHere();
    };
    const become = (user: User) => {
      const before = get().user;
      if (before !== null && before.user_id !== user.user_id) onSignedOut?.();
      localStore.setItem(KEYS.signedIn, '1');
      tabStore.setItem(KEYS.auth, JSON.stringify({ isAuthenticated: true, user } satisfies KeptAuth));
      const known = localStore.getItem(KEYS.library);
      if (known === null && user.default_library !== null) localStore.setItem(KEYS.library, user.default_library);
      set({ status: 'signed-in', user, recalled: false, expired: false, ended: 'no' });
      onSignedIn?.(user);
    };
    /** The server gave no answer: whoever was signed in here sees what there was. */
    const goOnAlone = async (mine: number) => {
      const user = localStore.getItem(KEYS.signedIn) === null ? null : ((await recall?.()) ?? null);
      if (mine !== checks) return;
      set(user === null ? { status: 'unreachable' } : { status: 'signed-in', user, recalled: true });
    };
    const status = async () => {
      const answer = await client.call(api.auth.status, {});
      return answer.isAuthenticated ? answer.user : null;
    };

    const leave = async () => {
      isLeaving = true;
      checks += 1;
      try {
        await session.signOut();
      } catch {
        // Signing out succeeds here whatever the server answers (web-and-phone.md §4).
      } finally {
        isLeaving = false;
        becomeGuest();
      }
    };
    const ask = async () => {
      if (isKnownGuest !== undefined && (await isKnownGuest())) return null;
      const user = await status();
      if (user !== null) return user;
      // The access token lives for minutes, the session for weeks: someone who was signed in here goes on.
      return localStore.getItem(KEYS.signedIn) !== null && (await client.resume()) ? status() : null;
    };

    return {
      status: 'unknown',
      user: keptUser(tabStore),
      recalled: false,
      expired: false,
      reachable: true,
      ended: 'no',
      check: async () => {
        checks += 1;
        const mine = checks;
        try {
          const user = await ask();
          if (mine !== checks) return;
          if (user === null) becomeGuest();
          else become(user);
        } catch (error) {
          if (mine !== checks) return;
          if (!isAppError(error, 'server-unreachable') && !isAppError(error, 'timed-out')) becomeGuest();
          else if (recall === undefined || get().status !== 'signed-in') await goOnAlone(mine);
        }
      },
      setUser: become,
      setReachable: (reachable) => {
        if (get().reachable !== reachable) set({ reachable });
      },
      markExpired: () => {
        // Who is being signed out already needs no word of it.
        if (get().status === 'signed-in' && !isLeaving) set({ expired: true });
      },
      loseSession: () => {
        if (get().status !== 'signed-in' || isLeaving) return;
        set({ ended: 'expired' });
        void leave();
      },
      shellSignedOut: () => {
        if (isLeaving) return;
        if (get().status === 'signed-in') set({ expired: true });
        else void get().check();
      },
      exchangeFailed: () => {
        checks += 1;
        becomeGuestHere();
      },
      changedElsewhere: (signedIn) => {
        if (signedIn) {
          void get().check();
          return;
        }
        checks += 1;
        if (get().status !== 'signed-in') return;
        set({ ended: 'by-choice', expired: false });
        becomeGuest();
      },
      confirmExpired: () => {
        set({ expired: false, ended: 'expired' });
        void leave();
      },
      signOut: () => {
        set({ ended: 'by-choice' });
        return leave();
      },
      currentLibrary: () => localStore.getItem(KEYS.library) ?? get().user?.default_library ?? null,
      rememberLibrary: (name) => localStore.setItem(KEYS.library, name),
      forgetLibrary: (name) => {
        if (localStore.getItem(KEYS.library) === name) localStore.removeItem(KEYS.library);
      },
      rememberShelf: (name) => tabStore.setItem(KEYS.shelf, name),
      rememberReturn: (address) => tabStore.setItem(KEYS.returnTo, address),
      takeReturn: () => {
        const address = tabStore.getItem(KEYS.returnTo);
        tabStore.removeItem(KEYS.returnTo);
        return address;
      },
    };
  });
}

export type SessionStore = ReturnType<typeof createSessionStore>;
