import { useEffect, useRef, useState } from 'react';
import { navigate } from 'wouter/use-browser-location';
import type { AppState } from '../../../../shared/model/update.ts';
import { LIMITS } from '../../../../shared/rules/limits.ts';
import { scrollWhenThere } from '../../../app/scrollPlace.ts';
import { useServices, useSession } from '../../../app/services.ts';
import { useShellState } from '../../../app/shellState.ts';
import { takeUpAppState } from './appState.ts';

/**
 * After an update: goes to where the person was, once who that is is known, and opens what was open. Before the splash is
 * over nobody sees anything of it.
 * @returns whether the end of the update is to be told (desktop-shell.md §4)
 */
export function useRestoredState(openSearch: () => void, isSplash: boolean): boolean {
  const { updates } = useServices().platform;
  const isSignedIn = useSession(({ status }) => status === 'signed-in');
  const { value: state } = useShellState(updates);
  const [isComplete, setComplete] = useState(false);
  const kept = useRef<AppState | null>(null);

  useEffect(() => {
    if (updates === null || state === null || state.appState === null) return;
    kept.current = state.appState;
    if (state.status === 'restore-app-state') setComplete(true);
    // Where the shell does not hear of it, it hands the same over at the next start of the page.
    updates.restored().catch(() => undefined);
  }, [updates, state]);

  useEffect(() => {
    if (!isComplete || isSplash) return undefined;
    const timer = setTimeout(() => setComplete(false), LIMITS.updateCompleteMs);
    return () => clearTimeout(timer);
  }, [isComplete, isSplash]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: the state tells that something was kept
  useEffect(() => {
    const appState = kept.current;
    if (!isSignedIn || appState === null) return undefined;
    kept.current = null;
    takeUpAppState(appState, sessionStorage);
    navigate(appState.path, { replace: true });
    if (appState.search !== null) openSearch();
    return appState.scroll > 0 ? scrollWhenThere(appState.scroll) : undefined;
  }, [isSignedIn, state, openSearch]);
  return isComplete;
}
