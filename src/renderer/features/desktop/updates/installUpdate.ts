import { create } from 'zustand';
import { LIMITS } from '../../../../shared/rules/limits.ts';
import type { IndexCapability, UpdatesCapability } from '../../../platform/types.ts';
import { currentAppState } from './appState.ts';

interface Installing {
  /** When waiting for the index ends at the latest (milliseconds since the epoch); null while nothing waits. */
  readonly until: number | null;
}

/** Whether an installation waits, the same for the toast and the settings. */
export const useInstalling = create<Installing>()(() => ({ until: null }));

let attempt = 0;

/** Gives the waiting up; nothing was changed. */
export function cancelInstall(): void {
  attempt += 1;
  useInstalling.setState({ until: null });
}

/**
 * Installs the update that is ready: waits for the index for a while, keeps where the person is, and lets the shell end this
 * application (desktop-shell.md §4).
 */
export async function installUpdate(updates: UpdatesCapability, index: IndexCapability | null): Promise<void> {
  attempt += 1;
  const mine = attempt;
  if (index !== null) {
    const { state } = await index.status();
    if (state === 'scanning' || state === 'indexing') {
      useInstalling.setState({ until: Date.now() + LIMITS.waitForIndexMs });
      try {
        await index.waitUntilIdle(LIMITS.waitForIndexMs);
      } finally {
        if (mine === attempt) useInstalling.setState({ until: null });
      }
      if (mine !== attempt) return;
    }
  }
  await updates.saveState(currentAppState(sessionStorage));
  await updates.install();
}
