import { useQueryClient } from '@tanstack/react-query';
import { CloudOff } from 'lucide-react';
import { useEffect, useSyncExternalStore } from 'react';
import { api } from '../../shared/api/index.ts';
import { useTranslation } from '../i18n/useTranslation.ts';
import { useServices, useSession } from './services.ts';

const FIRST_PAUSE_MS = 2000;
const LONGEST_PAUSE_MS = 30_000;

function followNetwork(onChange: () => void): () => void {
  addEventListener('online', onChange);
  addEventListener('offline', onChange);
  return () => {
    removeEventListener('online', onChange);
    removeEventListener('offline', onChange);
  };
}

/** Says that the server does not answer, and asks again with growing pauses until it does. */
export function OutOfReach() {
  const { t } = useTranslation();
  const { client } = useServices();
  const queries = useQueryClient();
  const isReachable = useSession((state) => state.reachable);
  const check = useSession((state) => state.check);
  const status = useSession((state) => state.status);
  const isRecalled = useSession((state) => state.recalled);
  const hasNetwork = useSyncExternalStore(followNetwork, () => navigator.onLine);

  useEffect(() => {
    if (isReachable) return;
    let pause = FIRST_PAUSE_MS;
    let timer: ReturnType<typeof setTimeout>;
    const ask = () => {
      clearTimeout(timer);
      client.call(api.auth.status, {}).then(
        () => {
          if (status === 'unreachable' || isRecalled) void check();
          void queries.invalidateQueries();
        },
        () => {
          pause = Math.min(pause * 2, LONGEST_PAUSE_MS);
          timer = setTimeout(ask, pause);
        },
      );
    };
    timer = setTimeout(ask, pause);
    // Phones stop timers of what is not in front, and know when there is a network again.
    const onVisible = () => document.visibilityState === 'visible' && ask();
    addEventListener('online', ask);
    document.addEventListener('visibilitychange', onVisible);
    return () => {
      clearTimeout(timer);
      removeEventListener('online', ask);
      document.removeEventListener('visibilitychange', onVisible);
    };
  }, [isReachable, client, queries, check, status, isRecalled]);

  if (isReachable || status === 'guest') return null;
  return (
    <p className="out-of-reach" role="status">
      <CloudOff aria-hidden="true" />
      <span>
        {t(hasNetwork ? 'errors.outOfReach' : 'errors.offline')} {isRecalled && t('errors.lastSeen')}
      </span>
    </p>
  );
}
