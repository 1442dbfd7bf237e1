import { translation } from '../i18n/useTranslation.ts';
import { notifyUntilDone } from '../ui/toast.ts';

/** Under the name that no library can have. */
const SCRIPT = '/service-worker.js';
/** A page that stays open asks so often whether there is a newer build, when somebody comes back to it. */
const ASK_EVERY_MS = 60 * 60 * 1000;

/** The page's side of the service worker. */
export interface Worker {
  /** Keeps the application's public files from now on. */
  readonly keep: () => void;
  /** Keeps what documents are shown with, too. */
  readonly keepViews: () => void;
  /** Lets go of them. */
  readonly empty: () => void;
}

/** Tells once that this page is of an older build than the one that has taken over. */
function tellOfUpdates({ serviceWorker }: Navigator): void {
  let isControlled = serviceWorker.controller !== null;
  serviceWorker.addEventListener('controllerchange', () => {
    if (isControlled) {
      const { t } = translation();
      notifyUntilDone(t('offline.updated'), 'info', {
        label: t('errors.reload'),
        run: () => location.reload(),
      });
    }
    isControlled = true;
  });
}

async function register({ serviceWorker }: Navigator): Promise<void> {
  const registration = await serviceWorker.register(SCRIPT, { updateViaCache: 'none' });
  // It may have been emptied when somebody signed out.
  registration.active?.postMessage('fill');
  let askedAt = Date.now();
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState !== 'visible' || Date.now() - askedAt < ASK_EVERY_MS) return;
    askedAt = Date.now();
    // Without a network there is nothing newer to be had.
    registration.update().catch(() => undefined);
  });
}

/** Makes it; pages over plain HTTP have no service workers, and do without. */
export function createWorker(): Worker {
  let isKeeping = false;
  let isTelling = false;
  if (!('serviceWorker' in navigator)) {
    return { keep: () => undefined, keepViews: () => undefined, empty: () => undefined };
  }
  return {
    keep: () => {
      if (isKeeping) return;
      isKeeping = true;
      if (!isTelling) tellOfUpdates(navigator);
      isTelling = true;
      register(navigator)
        // Forbidden by the browser's settings, or without a network: the next visit tries again.
        .catch(() => undefined);
    },
    keepViews: () => {
      // It may be on its way yet.
      void navigator.serviceWorker.ready.then(({ active }) => active?.postMessage('fill views'));
    },
    empty: () => {
      navigator.serviceWorker.controller?.postMessage('empty');
      isKeeping = false;
    },
  };
}
