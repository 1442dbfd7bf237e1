import { useEffect, useRef, useState } from 'react';
import { useStore } from 'zustand';
import { navigate, useSearch } from '../../app/place.ts';
import { paths } from '../../app/routes.ts';
import { useServices } from '../../app/services.ts';
import { useTranslation } from '../../i18n/useTranslation.ts';
import { isPhoneLayout } from '../../ui/layoutKind.ts';
import { useTitle } from '../../ui/useTitle.ts';
import { FindInFiles } from './FindInFiles.tsx';
import { longestQuery } from './longestQuery.ts';
import { createSearchStore } from './searchStore.ts';

const nothing = () => undefined;

/** `/search?q=`: the Find in files panel as a page. The address follows the query, so that it can be kept and shared. */
export function SearchPage() {
  const { t } = useTranslation();
  const { platform } = useServices();
  const [store] = useState(() => createSearchStore(platform.search, longestQuery()));
  const input = useRef<HTMLInputElement>(null);
  const asked = new URLSearchParams(useSearch()).get('q') ?? '';
  const query = useStore(store, (state) => state.query);
  useTitle(query === '' ? t('search.title') : `${query} · ${t('search.title')}`);

  useEffect(() => {
    const { text, submit } = store.getState();
    if (asked !== '' && asked !== text.trim()) submit(asked);
  }, [asked, store]);
  useEffect(() => {
    const present = new URLSearchParams(location.search).get('q') ?? '';
    if (query !== '' && query !== present) navigate(paths.search(query), { replace: true });
  }, [query]);
  // A phone's keyboard would cover the results of a query that is there.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, as the page was opened
  useEffect(() => {
    if (!isPhoneLayout() || asked === '') input.current?.focus();
  }, []);

  return (
    <div className="page search-page">
      <h1 className="visually-hidden">{t('search.title')}</h1>
      <div className="search-page__panel card">
        <FindInFiles store={store} inputRef={input} onOpened={nothing} />
      </div>
    </div>
  );
}
