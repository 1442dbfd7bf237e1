import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useCallback, useEffect, useState } from 'react';
import { api } from '../../../shared/api/index.ts';
import { isAppError } from '../../../shared/errors.ts';
import { ShareEnd } from '../../../shared/model/shareLink.ts';
import type { LoadText } from '../../api/viewer.ts';
import { navigate } from '../../app/place.ts';
import { paths } from '../../app/routes.ts';
import { useServices } from '../../app/services.ts';

const DOCUMENTS_PER_PAGE = 500;

/** The host of the page that led here: only the page itself knows it. */
function referrer(): string | undefined {
  const { referrer: from } = document;
  if (!URL.canParse(from)) return undefined;
  const { host, hostname } = new URL(from);
  return host === location.host ? undefined : hostname;
}

/** What is behind a link, its documents page by page. */
export function useShared(link: string) {
  const { client } = useServices();
  return useInfiniteQuery({
    queryKey: ['shared', link],
    initialPageParam: 1,
    queryFn: ({ pageParam, signal }) =>
      client.call(
        api.sharing.open,
        { params: { link }, query: { page: pageParam, page_size: DOCUMENTS_PER_PAGE, referrer: referrer() } },
        { signal },
      ),
    getNextPageParam: (last, pages) => (last.has_more ? pages.length + 1 : undefined),
  });
}

/** What a link still asks of this browser. */
export function useAsked(link: string) {
  const { client } = useServices();
  return useQuery({
    queryKey: ['shared', link, 'asked'],
    gcTime: 0,
    queryFn: ({ signal }) => client.call(api.sharing.unlock, { params: { link }, body: {} }, { signal }),
  });
}

/** Gives the text of a shared document. The error is the last that it met: the link may be closed while it is open. */
export function useGuestText(link: string, id: string): { readonly loadText: LoadText; readonly error: unknown } {
  const { client } = useServices();
  const [error, setError] = useState<unknown>(null);
  const loadText = useCallback<LoadText>(
    async (from, signal) => {
      try {
        return await client.call(api.sharing.text, { params: { link, id }, query: { from } }, { signal });
      } catch (met) {
        setError(met);
        throw met;
      }
    },
    [client, link, id],
  );
  return { loadText, error };
}

/** Where the specification shows what keeps a link from opening; null for what may pass. */
function screenOf(error: unknown, link: string): string | null {
  if (isAppError(error, 'gone')) return paths.sharedExpired(ShareEnd.safeParse(error.details?.reason).data);
  if (isAppError(error, 'not-found') || isAppError(error, 'bad-request')) return paths.sharedNotFound;
  if (isAppError(error, 'password-required') || isAppError(error, 'email-required')) return paths.sharedLocked(link);
  return null;
}

/** Goes to the page of the state that an error of a link tells of. @returns whether it does */
export function useLinkState(error: unknown, link: string): boolean {
  const screen = screenOf(error, link);
  useEffect(() => {
    // The document that was asked for is opened once the link is unlocked.
    if (screen !== null)
      navigate(screen + (screen === paths.sharedLocked(link) ? location.search : ''), { replace: true });
  }, [screen, link]);
  return screen !== null;
}
