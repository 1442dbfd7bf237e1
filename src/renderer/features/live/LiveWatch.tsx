import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { api } from '../../../shared/api/index.ts';
import { NOTIFICATION_STREAM } from '../../../shared/api/notifications.ts';
import { queryKeys } from '../../api/queries.ts';
import { useServices, useSession } from '../../app/services.ts';
import { useTranslation } from '../../i18n/useTranslation.ts';
import { lookAt, movesCheckouts, onComeBack } from './checkoutLook.ts';
import { type LiveEvent, type LiveStreamOptions, runLiveStream } from './liveStream.ts';
import { nativeNotification } from './nativeNotification.ts';
import { staleQueries } from './staleQueries.ts';

/** A tab that waited longer than this for its turn may show what is out of date. */
const LATE_MS = 10_000;

function pauseUnless(signal: AbortSignal): (milliseconds: number) => Promise<void> {
  return (milliseconds) =>
    new Promise((resolve) => {
      const timer = setTimeout(resolve, milliseconds);
      signal.addEventListener('abort', () => {
        clearTimeout(timer);
        resolve();
      });
    });
}

/**
 * One stream for all tabs of a person: browsers keep few connections to a server, and a stream takes one for itself. The tab
 * whose turn it is tells the others; when it closes, the next one goes on. Where pages cannot take turns each has its own.
 */
function listenInTurn(
  name: string,
  signal: AbortSignal,
  options: Omit<LiveStreamOptions, 'signal' | 'pause' | 'isLate'>,
) {
  const pause = pauseUnless(signal);
  if (!('locks' in navigator)) {
    void runLiveStream({ ...options, signal, pause });
    return;
  }
  const channel = new BroadcastChannel(name);
  channel.onmessage = ({ data }: MessageEvent<LiveEvent>) => options.tell(data);
  signal.addEventListener('abort', () => channel.close());
  const tell = (event: LiveEvent) => {
    options.tell(event);
    channel.postMessage(event);
  };
  const since = Date.now();
  navigator.locks
    .request(name, { signal }, () =>
      runLiveStream({ ...options, tell, signal, pause, isLate: Date.now() - since > LATE_MS }),
    )
    .catch((error: unknown) => {
      // The turn never came before the page or the session ended.
      if (!signal.aborted) throw error;
    });
}

/** Brings in what others do, while somebody is signed in: what it touches is asked for again. */
export function LiveWatch() {
  const { client, platform } = useServices();
  const { t } = useTranslation();
  const { shell } = platform;
  const checkouts = platform.workspace?.checkouts ?? null;
  const queries = useQueryClient();
  const userId = useSession(({ status, user, expired }) =>
    status === 'signed-in' && !expired ? (user?.user_id ?? null) : null,
  );
  useEffect(() => {
    if (userId === null) return;
    const ending = new AbortController();
    listenInTurn(`live:${userId}`, ending.signal, {
      open: () => new EventSource(NOTIFICATION_STREAM),
      ask: async () => (await client.call(api.notifications.count, {}, { signal: ending.signal })).count,
      tell: (event) => {
        if (event.type === 'notification' || event.type === 'read') {
          queries.setQueryData(queryKeys.unreadNotifications, event.unread_count);
        }
        const native =
          shell === null || event.type !== 'notification' ? null : nativeNotification(event.notification, t);
        // The bell has it in any case.
        if (native !== null) shell?.notify(native).catch(() => undefined);
        if (checkouts !== null && movesCheckouts(event)) lookAt(checkouts);
        for (const queryKey of staleQueries(event)) void queries.invalidateQueries({ queryKey });
      },
    });
    return () => ending.abort();
  }, [userId, client, queries, shell, checkouts, t]);
  const { windowControls } = platform;
  useEffect(() => {
    if (userId === null || checkouts === null || windowControls === null) return;
    return onComeBack(windowControls, () => lookAt(checkouts));
  }, [userId, checkouts, windowControls]);
  return null;
}
