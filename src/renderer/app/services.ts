import { createContext, useContext } from 'react';
import { useStore } from 'zustand';
import type { ApiClient } from '../api/client.ts';
import type { KeyValueStore } from '../platform/storedSearchLog.ts';
import type { Platform } from '../platform/types.ts';
import type { SessionState, SessionStore } from './sessionStore.ts';

/** What the whole application shares; made once, at start-up. */
export interface Services {
  readonly platform: Platform;
  readonly client: ApiClient;
  readonly session: SessionStore;
  /** Storage of this tab, for the sign-in under way. */
  readonly tabStore: KeyValueStore;
}

export const ServicesContext = createContext<Services | null>(null);

/** The application's services. */
export function useServices(): Services {
  const services = useContext(ServicesContext);
  if (services === null) throw new Error('ServicesContext is missing');
  return services;
}

/** A part of the session's state. */
export function useSession<T>(select: (state: SessionState) => T): T {
  return useStore(useServices().session, select);
}
