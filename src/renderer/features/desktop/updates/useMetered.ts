import { useEffect } from 'react';
import { isSavingData, onDataSaving } from '../../../platform/dataSaving.ts';
import type { UpdatesCapability } from '../../../platform/types.ts';

/** Tells the shell whether data is to be saved: Electron itself has no call that says so. */
export function useMetered(updates: UpdatesCapability | null): void {
  useEffect(() => {
    if (updates === null) return undefined;
    const tell = () => {
      // Where the shell does not hear of it, it is told at the next start of the page.
      updates.setMetered(isSavingData()).catch(() => undefined);
    };
    tell();
    return onDataSaving(tell);
  }, [updates]);
}
