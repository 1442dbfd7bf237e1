import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { use, useEffect } from 'react';
import { shelfQuery } from '../api/queries.ts';
import { matchRoute } from './routes.ts';
import { useServices, useSession } from './services.ts';

/** A screen waits no longer for its content; then it comes without. */
const PATIENCE_MS = 150;

/** The shelf that somebody goes to, and when its first documents are there, or will not be soon. */
let ahead: { readonly pathname: string; readonly content: Promise<void> } | null = null;

function firstData(queries: QueryClient, queryKey: readonly unknown[]): Promise<void> {
  return new Promise((resolve) => {
    const cache = queries.getQueryCache();
    const end = () => {
      stop();
      clearTimeout(timer);
      resolve();
    };
    const stop = cache.subscribe(() => {
      if (queries.getQueryState(queryKey)?.status !== 'pending') end();
    });
    const timer = setTimeout(end, PATIENCE_MS);
  });
}

/** Asks for the documents of the shelf that somebody goes to, while its screen is made ready. */
export function useShelfAhead(pathname: string): void {
  const { client } = useServices();
  const queries = useQueryClient();
  const isSignedIn = useSession(({ status }) => status === 'signed-in');
  useEffect(() => {
    const route = matchRoute(pathname);
    if (!isSignedIn || route.name !== 'shelf') return;
    const query = shelfQuery(client, route.library, route.shelfId);
    const isThere = queries.getQueryData(query.queryKey) !== undefined;
    ahead = isThere ? null : { pathname, content: firstData(queries, query.queryKey) };
    void queries.prefetchQuery(query);
  }, [client, queries, isSignedIn, pathname]);
}

/** Holds a screen back until its content is there, if that is soon: drawn once with it, it stands sooner than drawn twice. */
export function useContentAhead(pathname: string): void {
  if (ahead?.pathname === pathname) use(ahead.content);
}
