import type { ErrorCode } from '../../shared/errors.ts';
import type { AppState, UpdatePreference, UpdateState } from '../../shared/model/update.ts';

/** What is known of a version that a feed offers. */
export interface OfferedUpdate {
  readonly version: string;
  readonly releaseDate: string | null;
}

/** What happens to an update: done by the person, by the clock, or told by the feed and the installer. */
export type UpdateEvent =
  | { readonly type: 'check'; readonly isManual: boolean }
  | { readonly type: 'found'; readonly update: OfferedUpdate }
  | { readonly type: 'none' }
  | { readonly type: 'download'; readonly isManual: boolean }
  | { readonly type: 'progress'; readonly percent: number }
  | { readonly type: 'stop' }
  | { readonly type: 'downloaded' }
  | { readonly type: 'ready' }
  | { readonly type: 'install' }
  | { readonly type: 'fail'; readonly code: ErrorCode }
  | { readonly type: 'dismiss' }
  | { readonly type: 'start'; readonly version: string; readonly appState: AppState; readonly isUpdated: boolean }
  | { readonly type: 'restored' }
  | { readonly type: 'prefer'; readonly preference: UpdatePreference };

/** The state before anything was asked. */
export function firstState(unsupported: UpdateState['unsupported'], preference: UpdatePreference): UpdateState {
  return {
    unsupported,
    preference,
    status: 'idle',
    isManual: false,
    isDismissed: false,
    version: null,
    releaseDate: null,
    percent: 0,
    error: null,
    appState: null,
  };
}

/** Where nothing is under way that another check would disturb. */
const AT_REST: ReadonlySet<UpdateState['status']> = new Set([
  'idle',
  'update-available-prompt',
  'update-not-available',
  'update-error',
]);

/**
 * The update flow (desktop-shell.md §4, §5): the state after an event. An event that has no place in a state changes nothing,
 * so that one state object stays the same one.
 */
export function nextState(state: UpdateState, event: UpdateEvent): UpdateState {
  const { status } = state;
  switch (event.type) {
    case 'check':
      // An offer stands until the clock has found another one in its place.
      if (status === 'update-available-prompt' && !event.isManual) return state;
      if (state.unsupported !== null || !AT_REST.has(status)) {
        // What was closed comes back when it is asked for.
        return event.isManual && state.isDismissed ? { ...state, isDismissed: false } : state;
      }
      return {
        ...firstState(null, state.preference),
        status: 'checking',
        isManual: event.isManual,
        // The clock does not bring back what the person closed.
        isDismissed: !event.isManual && state.isDismissed,
        version: state.version,
      };
    case 'found':
      if (status !== 'checking' && status !== 'update-available-prompt') return state;
      return {
        ...state,
        ...event.update,
        status: 'update-available-prompt',
        isDismissed: state.isDismissed && state.version === event.update.version,
      };
    case 'none':
      return status === 'checking' || status === 'update-available-prompt'
        ? { ...state, status: 'update-not-available', version: null }
        : state;
    case 'download':
      return status === 'update-available-prompt'
        ? { ...state, status: 'download-progress', percent: 0, isManual: event.isManual }
        : state;
    case 'progress': {
      // Tens of events a second say the same percent.
      const percent = Math.min(100, Math.floor(event.percent));
      return status === 'download-progress' && percent > state.percent ? { ...state, percent } : state;
    }
    case 'stop':
      // It can still be had, and is not pressed upon whoever did not want it.
      return status === 'download-progress'
        ? { ...state, status: 'update-available-prompt', percent: 0, isManual: false, isDismissed: true }
        : state;
    case 'downloaded':
      return status === 'download-progress' ? { ...state, status: 'update-downloaded', percent: 100 } : state;
    case 'ready':
      // News of its own: whoever closed the offer is told once that it is there.
      return status === 'update-downloaded' ? { ...state, status: 'update-ready', isDismissed: false } : state;
    case 'install':
      return status === 'update-ready' ? { ...state, status: 'installing', isDismissed: false } : state;
    case 'fail':
      return { ...state, status: 'update-error', error: event.code, percent: 0, isDismissed: false };
    case 'dismiss':
      return state.isDismissed ? state : { ...state, isDismissed: true };
    case 'start': {
      const begun = { ...state, version: event.version, appState: event.appState };
      return event.isUpdated
        ? { ...begun, status: 'restore-app-state' }
        : { ...begun, status: 'update-error', error: 'internal', isManual: true };
    }
    case 'restored':
      return status === 'restore-app-state'
        ? firstState(state.unsupported, state.preference)
        : state.appState === null
          ? state
          : { ...state, appState: null };
    case 'prefer':
      return { ...state, preference: event.preference };
  }
}
