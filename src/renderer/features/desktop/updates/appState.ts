import type { AppState } from '../../../../shared/model/update.ts';
import { leavePlace, panelPlace } from '../../../app/keptPlace.ts';

const DRAFT = 'comment.draft:';

/** Where the person is, and what was begun, as it is kept over an update (field.md row 85). */
export function currentAppState(store: Storage): AppState {
  const keys = Array.from({ length: store.length }, (_, at) => store.key(at) ?? '');
  const drafts = keys.filter((key) => key.startsWith(DRAFT)).map((key) => [key, store.getItem(key) ?? '']);
  return {
    path: location.pathname + location.search,
    scroll: scrollY,
    search: panelPlace(),
    drafts: Object.fromEntries(drafts),
  };
}

/** Takes up what was kept; the caller goes to the path. */
export function takeUpAppState({ search, drafts }: AppState, store: Storage): void {
  for (const [key, text] of Object.entries(drafts)) {
    if (key.startsWith(DRAFT)) store.setItem(key, text);
  }
  if (search !== null) leavePlace(search);
}
