import type { SavedSearch } from '../../../shared/model/update.ts';
import { NO_FILTERS, type SearchFilters } from './filters.ts';
import type { SearchState, SearchStore } from './searchStore.ts';

/** How the panel stands, as data. */
export function savedSearch(state: SearchState): SavedSearch {
  const { text, tab, showMatches, switches, filters, selectedId } = state;
  return { text, tab, showMatches, switches, filters: { ...filters }, selectedId };
}

/** Opens a panel as it stood, and searches again. */
export function openAs(store: SearchStore, saved: SavedSearch): void {
  const known = Object.entries(saved.filters).filter(([name]) => name in NO_FILTERS);
  const filters = { ...NO_FILTERS, ...Object.fromEntries(known) } as SearchFilters;
  const { tab, showMatches, switches, selectedId } = saved;
  store.setState({ tab, showMatches, switches, filters });
  store.getState().submit(saved.text);
  store.setState({ selectedId });
}
