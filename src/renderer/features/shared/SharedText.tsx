import { useInfiniteQuery } from '@tanstack/react-query';
import { useVirtualizer } from '@tanstack/react-virtual';
import { ArrowDown, ArrowUp, FileQuestionMark } from 'lucide-react';
import { type KeyboardEvent, useEffect, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../../shared/api/index.ts';
import type { SharedDocument } from '../../../shared/model/shareLink.ts';
import { LIMITS } from '../../../shared/rules/limits.ts';
import { useServices } from '../../app/services.ts';
import { useDebounced } from '../../ui/nameCheck.ts';
import { splitByRanges } from '../../ui/ranges.ts';
import { EmptyState, ErrorState, LoadingRows } from '../../ui/States.tsx';
import { findInRows, MOST_MATCHES, rowsOf, type TextMatch, type TextRow } from './documentText.ts';
import { useLinkState } from './shared.ts';

const FIND_DEBOUNCE_MS = 150;
const ROW_HEIGHT = 24;
/** The next part of a long text is asked for when so many rows are left. */
const ROWS_AHEAD = 200;
const REASONS = ['password-protected', 'damaged', 'too-large', 'no-text', 'binary', 'unsupported'] as const;

function useText(link: string, { id, version_number }: SharedDocument) {
  const { client } = useServices();
  return useInfiniteQuery({
    queryKey: ['shared', link, 'text', id, version_number],
    staleTime: Number.POSITIVE_INFINITY,
    initialPageParam: 0,
    queryFn: ({ pageParam, signal }) =>
      client.call(api.sharing.text, { params: { link, id }, query: { from: pageParam } }, { signal }),
    getNextPageParam: ({ next }) => next ?? undefined,
  });
}

interface FindBarProps {
  readonly query: string;
  readonly onQuery: (query: string) => void;
  readonly count: number;
  readonly active: number;
  readonly isPartial: boolean;
  readonly onStep: (direction: 1 | -1) => void;
}

/** Finds in the document; Ctrl+F leads here, since the browser's own search knows only the rows in sight. */
function FindBar({ query, onQuery, count, active, isPartial, onStep }: FindBarProps) {
  const { t } = useTranslation();
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    const onKeyDown = (event: globalThis.KeyboardEvent) => {
      if (!(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey || event.key !== 'f') return;
      event.preventDefault();
      input.current?.select();
    };
    addEventListener('keydown', onKeyDown);
    return () => removeEventListener('keydown', onKeyDown);
  }, []);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter') return;
    event.preventDefault();
    onStep(event.shiftKey ? -1 : 1);
  };
  const isSearching = query.trim().length >= LIMITS.searchMinLength;
  const most = count === MOST_MATCHES ? `${count}+` : String(count);
  return (
    <search className="reader__find">
      <input
        ref={input}
        type="search"
        className="input"
        aria-label={t('sharing.findIn')}
        placeholder={t('sharing.findIn')}
        maxLength={LIMITS.searchMaxLength}
        value={query}
        onChange={({ target }) => onQuery(target.value)}
        onKeyDown={onKeyDown}
      />
      <span className="muted nowrap reader__count" role="status">
        {isSearching &&
          (isPartial
            ? t('sharing.reading')
            : count === 0
              ? t('sharing.noMatch')
              : t('sharing.matchOf', { number: active + 1, total: most }))}
      </span>
      <button
        type="button"
        className="icon-button"
        aria-label={t('version.previous')}
        disabled={count === 0}
        onClick={() => onStep(-1)}
      >
        <ArrowUp />
      </button>
      <button
        type="button"
        className="icon-button"
        aria-label={t('version.next')}
        disabled={count === 0}
        onClick={() => onStep(1)}
      >
        <ArrowDown />
      </button>
    </search>
  );
}

interface RowTextProps {
  readonly row: TextRow;
  readonly matches: readonly TextMatch[];
  /** Where the match begins that one is at, if it is in this row. */
  readonly activeStart: number | null;
}

function RowText({ row, matches, activeStart }: RowTextProps) {
  const ranges = matches.map(({ range }) => range);
  return splitByRanges(row.text, ranges).map(({ at, text, marked }) =>
    marked ? (
      <mark key={at} data-active={at === activeStart}>
        {text}
      </mark>
    ) : (
      <span key={at}>{text}</span>
    ),
  );
}

function Unreadable({ problem }: { readonly problem: string }) {
  const { t } = useTranslation();
  const reason = REASONS.find((each) => each === problem) ?? 'other';
  return (
    <EmptyState icon={FileQuestionMark} title={t('sharing.noText')} text={t(`sharing.noText_${reason}`)} level={2} />
  );
}

export interface SharedTextProps {
  readonly link: string;
  readonly document: SharedDocument;
}

/** The text of a shared document, with what is sought in it marked. */
export function SharedText({ link, document }: SharedTextProps) {
  const { t } = useTranslation();
  const {
    data,
    error,
    isPending,
    isLoadingError,
    refetch,
    hasNextPage,
    isFetching,
    fetchNextPage,
    isFetchNextPageError,
  } = useText(link, document);
  const isLeaving = useLinkState(error, link);
  const [query, setQuery] = useState('');
  const [active, setActive] = useState(0);
  const wanted = useDebounced(query.trim(), FIND_DEBOUNCE_MS);
  const rows = useMemo(() => rowsOf(data?.pages.flatMap(({ sections }) => sections) ?? []), [data]);
  const matches = useMemo(
    () => (wanted.length < LIMITS.searchMinLength ? [] : findInRows(rows, wanted)),
    [rows, wanted],
  );
  const byRow = useMemo(() => Map.groupBy(matches, ({ row }) => row), [matches]);
  const scroller = useRef<HTMLElement>(null);
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: 20,
  });
  const shown = virtualizer.getVirtualItems();
  const isNearEnd = (shown.at(-1)?.index ?? 0) > rows.length - ROWS_AHEAD;
  const isPartial = wanted.length >= LIMITS.searchMinLength && hasNextPage && matches.length < MOST_MATCHES;
  useEffect(() => {
    if ((isNearEnd || isPartial) && hasNextPage && !isFetching && !isFetchNextPageError) void fetchNextPage();
  }, [isNearEnd, isPartial, hasNextPage, isFetching, isFetchNextPageError, fetchNextPage]);
  const goTo = (index: number) => {
    setActive(index);
    const match = matches[index];
    if (match !== undefined) virtualizer.scrollToIndex(match.row, { align: 'center' });
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: only another search starts at its first match
  useEffect(() => goTo(0), [wanted, matches.length > 0]);
  const step = (direction: 1 | -1) => {
    if (matches.length > 0) goTo((active + direction + matches.length) % matches.length);
  };

  const current = matches[active];
  const problem = data?.pages[0]?.problem ?? null;
  if (isPending || isLeaving) return <LoadingRows rows={10} shape="text" />;
  if (isLoadingError) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (problem !== null) return <Unreadable problem={problem} />;
  if (rows.length === 0) return <EmptyState icon={FileQuestionMark} title={t('version.empty')} />;
  return (
    <>
      <FindBar
        query={query}
        onQuery={setQuery}
        count={matches.length}
        active={active}
        isPartial={isPartial}
        onStep={step}
      />
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolled region has to be reachable by keyboard */}
      <section className="reader__text" ref={scroller} tabIndex={0} aria-label={t('sharing.text')}>
        <div className="reader__rows" style={{ height: virtualizer.getTotalSize() }}>
          {shown.map(({ index, start }) => {
            const row = rows[index];
            return (
              row !== undefined && (
                <div
                  key={index}
                  ref={virtualizer.measureElement}
                  data-index={index}
                  className={`reader__row reader__row--${row.kind}`}
                  style={{ transform: `translateY(${start}px)` }}
                >
                  {row.text === '' ? (
                    '\u00a0'
                  ) : (
                    <RowText
                      row={row}
                      matches={byRow.get(index) ?? []}
                      activeStart={current?.row === index ? current.range[0] : null}
                    />
                  )}
                </div>
              )
            );
          })}
        </div>
      </section>
      {isFetchNextPageError && <ErrorState error={error} onRetry={() => void fetchNextPage()} />}
    </>
  );
}
