import type { Logger } from 'pino';
import { AppError, isAppError } from '../../shared/errors.ts';
import type { AppState, UpdatePreference, UpdateState } from '../../shared/model/update.ts';
import type { SettingsStore } from '../settings.ts';
import type { Installer } from './installer.ts';
import { firstState, nextState, type UpdateEvent } from './updateFlow.ts';

/** The first look waits until the application stands; then one a few times a day. */
const FIRST_CHECK_MS = 20_000;
const CHECK_EVERY_MS = 4 * 3600_000;

/** Updates of this installation: looked for, fetched, and installed when the person says so, never on quitting. */
export interface Updates {
  state(): UpdateState;
  onChange(listener: (state: UpdateState) => void): void;
  /** Looks for an update because the person asked. */
  check(): Promise<void>;
  /** Fetches the update that was found. */
  download(): Promise<void>;
  /** Replaces the application and starts it anew. @throws AppError `conflict` unless an update is ready */
  install(): Promise<void>;
  dismiss(): void;
  /** Chooses what happens unasked. A download that is not wanted any more is stopped. */
  setPreference(preference: UpdatePreference): void;
  /** On a connection on which data is to be saved, what is found is told of and not fetched. */
  setMetered(metered: boolean): void;
  /** Keeps where the person is for the first start of the new version. */
  saveState(appState: AppState): void;
  /** The page took up what was kept. */
  restored(): void;
  /** Begins to look by the clock, where that is wanted. */
  start(): void;
}

export interface UpdatesOptions {
  /** Null where this installation does not update itself. */
  readonly installer: Installer | null;
  readonly unsupported: UpdateState['unsupported'];
  readonly currentVersion: string;
  readonly settings: SettingsStore;
  /** On its battery the machine asks before it fetches something large. */
  readonly isOnBattery: () => boolean;
  /** Closes databases and gives the application's lock back: the new version starts at once. */
  readonly beforeInstall: () => Promise<void>;
  /** Starts the application that is there anew, after an installation that failed. */
  readonly startAgain: () => void;
  readonly log: Logger;
}

/** Makes the updates of this installation. */
export function createUpdates(options: UpdatesOptions): Updates {
  const { installer, unsupported, currentVersion, settings, isOnBattery, beforeInstall, startAgain, log } = options;
  const listeners: ((state: UpdateState) => void)[] = [];
  let timer: NodeJS.Timeout | null = null;
  let isMetered = false;
  let current = firstState(unsupported, settings.get('updates'));

  /** @returns whether the event changed anything */
  function happen(event: UpdateEvent): boolean {
    const next = nextState(current, event);
    if (next === current) return false;
    current = next;
    for (const listener of listeners) listener(next);
    return true;
  }

  const saved = settings.get('beforeUpdate');
  if (saved !== null) {
    settings.set('beforeUpdate', null);
    const isUpdated = currentVersion === saved.to;
    if (!isUpdated) log.error({ wanted: saved.to, have: currentVersion }, 'the update was not installed');
    happen({ type: 'start', version: saved.to, appState: saved.appState, isUpdated });
  }
  let kept: AppState | null = null;

  function fail(error: unknown): void {
    log.error({ err: error }, 'the update failed');
    happen({ type: 'fail', code: isAppError(error) ? error.code : 'internal' });
  }

  let fetching = Promise.resolve();
  let stopping = new AbortController();

  async function fetchFrom(from: Installer, signal: AbortSignal): Promise<void> {
    try {
      await from.download((percent) => {
        if (!signal.aborted) happen({ type: 'progress', percent });
      }, signal);
      signal.throwIfAborted();
      happen({ type: 'downloaded' });
      await from.verify();
      happen({ type: 'ready' });
    } catch (error) {
      if (!signal.aborted) fail(error);
    }
  }

  async function fetchUpdate(isManual: boolean): Promise<void> {
    if (installer === null || !happen({ type: 'download', isManual })) return;
    stopping = new AbortController();
    const { signal } = stopping;
    // One that was stopped before may still be clearing up after itself.
    fetching = fetching.then(() => fetchFrom(installer, signal));
    await fetching;
  }

  async function look(isManual: boolean): Promise<void> {
    const before = current.status;
    happen({ type: 'check', isManual });
    const isOffered = before === 'update-available-prompt' && current.status === before;
    if (installer === null || before === 'checking' || (current.status !== 'checking' && !isOffered)) return;
    try {
      const update = await installer.check();
      if (update === null) {
        happen({ type: 'none' });
        return;
      }
      happen({ type: 'found', update });
    } catch (error) {
      if (isOffered) log.warn({ err: error }, 'no look for another update than the one that is offered');
      else fail(error);
      return;
    }
    const isFetched = current.preference === 'automatic' && !isOnBattery() && !isMetered;
    if (isFetched && !isManual) await fetchUpdate(false);
  }

  function schedule(delayMs: number): void {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    if (installer === null || current.preference === 'never') return;
    timer = setTimeout(() => {
      void look(false);
      schedule(CHECK_EVERY_MS);
    }, delayMs);
    timer.unref();
  }

  return {
    state: () => current,
    onChange: (listener) => {
      listeners.push(listener);
    },
    check: () => look(true),
    download: () => fetchUpdate(true),
    async install() {
      if (installer === null || !happen({ type: 'install' })) {
        throw new AppError('conflict', 'no update is ready to be installed');
      }
      try {
        // What lies on the disk may have been changed since it was downloaded.
        await installer.verify();
      } catch (error) {
        fail(error);
        return;
      }
      if (kept !== null && current.version !== null) {
        settings.set('beforeUpdate', { to: current.version, appState: kept });
      }
      await beforeInstall();
      await installer.install((error) => {
        fail(error);
        startAgain();
      });
    },
    dismiss: () => {
      happen({ type: 'dismiss' });
    },
    setPreference(preference) {
      settings.set('updates', preference);
      happen({ type: 'prefer', preference });
      const isUnwanted = preference === 'never' || (preference === 'notify' && !current.isManual);
      if (isUnwanted && happen({ type: 'stop' })) stopping.abort();
      schedule(0);
    },
    setMetered(metered) {
      isMetered = metered;
    },
    saveState(appState) {
      kept = appState;
    },
    restored: () => {
      happen({ type: 'restored' });
    },
    start: () => schedule(FIRST_CHECK_MS),
  };
}
