import { useEffect } from 'react';
import { logFailure } from '../../../api/log.ts';
import { isSavingData, onDataSaving } from '../../../platform/dataSaving.ts';
import type { UpdatesCapability } from '../../../platform/types.ts';

/** Tells the shell whether data is to be saved: Electron itself has no call that says so. */
export function useMetered(updates: UpdatesCapability | null): void {
  useEffect(() => {
    if (updates === null) return undefined;
    const tell = () => {
      updates.setMetered(isSavingData()).catch((error: unknown) => logFailure('connection', error));
    };
    tell();
    return onDataSaving(tell);
  }, [updates]);
}
