import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { History, TextSearch, X } from 'lucide-react';
import { type KeyboardEvent, useEffect, useRef } from 'react';
import type { SearchLogItem } from '../../../shared/model/search.ts';
import { type DateGroup, dateGroup } from '../../../shared/rules/format.ts';
import { useServices } from '../../app/services.ts';
import { useTranslation } from '../../i18n/useTranslation.ts';
import { IconButton } from '../../ui/IconButton.tsx';
import { moveFocus } from '../../ui/moveFocus.ts';
import { EmptyState, ErrorState, LoadingRows } from '../../ui/States.tsx';
import { notify } from '../../ui/toast.ts';
import { useErrorText } from '../../ui/useErrorText.ts';
import { useNow } from '../../ui/useFormats.ts';
import { When } from '../../ui/When.tsx';
import { longestQuery } from './longestQuery.ts';

const PAGE_SIZE = 50;
const GROUPS: readonly DateGroup[] = ['today', 'past7Days', 'past30Days', 'older'];

/** Past queries under their date labels; more load when the end comes into sight. */
export function PastSearches({ onChoose }: { readonly onChoose: (query: string) => void }) {
  const { t } = useTranslation();
  const { log } = useServices().platform.search;
  const queries = useQueryClient();
  const errorText = useErrorText();
  const now = useNow();
  const { data, error, isPending, isLoadingError, refetch, hasNextPage, fetchNextPage } = useInfiniteQuery({
    queryKey: ['search-log'],
    initialPageParam: 1,
    queryFn: ({ pageParam }) => log.page(pageParam, PAGE_SIZE),
    getNextPageParam: (last, pages) => (last.hasMore ? pages.length + 1 : undefined),
    staleTime: 0,
    gcTime: 0,
  });
  const end = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each page moves the end, which is then observed anew
  useEffect(() => {
    if (!hasNextPage || end.current === null) return;
    const observer = new IntersectionObserver(([entry]) => {
      if (entry?.isIntersecting === true) void fetchNextPage();
    });
    observer.observe(end.current);
    return () => observer.disconnect();
  }, [hasNextPage, fetchNextPage, data]);

  if (isPending) return <LoadingRows rows={4} />;
  if (isLoadingError) return <ErrorState error={error} onRetry={() => void refetch()} />;
  const items = data.pages.flatMap((page) => page.items);
  if (items.length === 0) {
    return (
      <EmptyState icon={TextSearch} title={t('search.start')} text={t('search.startHint', { max: longestQuery() })} />
    );
  }
  const groups = Map.groupBy(items, (item: SearchLogItem) => dateGroup(item.timestamp, now));
  const forget = (step: Promise<void>) => {
    step.then(
      () => queries.invalidateQueries({ queryKey: ['search-log'] }),
      (thrown: unknown) => notify(errorText(thrown), 'error'),
    );
  };
  const onItemKey = (event: KeyboardEvent<HTMLButtonElement>, id: string) => {
    if (event.key !== 'Delete') return;
    event.preventDefault();
    const row = event.currentTarget.closest('li');
    const beside = row?.nextElementSibling ?? row?.previousElementSibling;
    beside?.querySelector<HTMLElement>('[data-roving]')?.focus();
    forget(log.remove(id));
  };
  return (
    <section className="past" aria-label={t('search.past')} onKeyDown={moveFocus}>
      <p className="visually-hidden">{t('search.start')}</p>
      {GROUPS.map((group) => {
        const list = groups.get(group) ?? [];
        return list.length === 0 ? null : (
          <div key={group} className="past__group">
            <h2 className="past__label">{t(`search.${group}`)}</h2>
            <ul>
              {list.map((item) => (
                <li key={item.id} className="past__row">
                  <button
                    type="button"
                    className="past__item"
                    data-roving=""
                    onClick={() => onChoose(item.query)}
                    onKeyDown={(event) => onItemKey(event, item.id)}
                  >
                    <History aria-hidden="true" />
                    <span className="truncated">{item.query}</span>
                    <span className="muted past__when">
                      <When moment={item.timestamp} />
                    </span>
                  </button>
                  <IconButton
                    className="past__remove"
                    tabIndex={-1}
                    label={t('search.removePast', { query: item.query })}
                    onClick={() => forget(log.remove(item.id))}
                  >
                    <X />
                  </IconButton>
                </li>
              ))}
            </ul>
          </div>
        );
      })}
      <div ref={end} />
      <button
        type="button"
        className="button button--quiet button--small past__clear"
        onClick={() => forget(log.clear())}
      >
        {t('search.clearPast')}
      </button>
    </section>
  );
}
