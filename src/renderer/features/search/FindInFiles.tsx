import {
  CaseSensitive,
  Download,
  Regex,
  Search,
  SearchX,
  SlidersHorizontal,
  TextSearch,
  WholeWord,
  X,
} from 'lucide-react';
import { Tabs } from 'radix-ui';
import { type KeyboardEvent, type RefObject, useEffect, useId, useMemo, useRef, useState } from 'react';
import { useStore } from 'zustand';
import type { SearchScope } from '../../../shared/model/search.ts';
import { useServices } from '../../app/services.ts';
import { useIndexStatus } from '../../app/shellState.ts';
import { useTranslation } from '../../i18n/useTranslation.ts';
import { IconButton } from '../../ui/IconButton.tsx';
import { IndexProgress, isIndexBusy } from '../../ui/IndexProgress.tsx';
import { SkippedFilesDialog } from '../../ui/SkippedFilesDialog.tsx';
import { EmptyState, ErrorState } from '../../ui/States.tsx';
import { saveBlob } from '../../ui/saveBlob.ts';
import { notify } from '../../ui/toast.ts';
import { useErrorText } from '../../ui/useErrorText.ts';
import { useFormats } from '../../ui/useFormats.ts';
import { Filters } from './Filters.tsx';
import { countFilters } from './filters.ts';
import { intervalsOf } from './intervals.ts';
import { longestQuery } from './longestQuery.ts';
import { MatchPanes } from './MatchPanes.tsx';
import { useOpenResult } from './openResult.ts';
import { PastSearches } from './PastSearches.tsx';
import { ResultList } from './ResultList.tsx';
import { isSearchable, type SearchStore, type SwitchName, type TabState } from './searchStore.ts';
import './search.css';

const SWITCHES = [
  { name: 'matchCase', icon: CaseSensitive },
  { name: 'wholeWord', icon: WholeWord },
  { name: 'regex', icon: Regex },
] as const satisfies readonly { name: SwitchName; icon: typeof Regex }[];

interface SearchBarProps {
  readonly store: SearchStore;
  readonly inputRef: RefObject<HTMLInputElement | null>;
  readonly onDown: () => void;
  /** Whether the filters are open, and which element they are. */
  readonly filtersId: string;
  readonly hasFilters: boolean;
  readonly onFilters: () => void;
}

function SearchBar({ store, inputRef, onDown, filtersId, hasFilters, onFilters }: SearchBarProps) {
  const { t } = useTranslation();
  const { text, switches, filters, type, submit, clear, toggle } = useStore(store);
  const filterCount = countFilters(filters);
  const onKeyDown = (event: KeyboardEvent) => {
    // While an input method composes, Enter chooses a character.
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'Enter') submit();
    else if (event.key === 'ArrowDown') {
      event.preventDefault();
      onDown();
    }
  };
  return (
    <search className="find__bar">
      <Search aria-hidden="true" />
      <input
        ref={inputRef}
        type="search"
        className="find__input"
        aria-label={t('search.title')}
        placeholder={t('search.placeholder')}
        value={text}
        maxLength={longestQuery() * 2}
        onChange={(event) => type(event.target.value)}
        onKeyDown={onKeyDown}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        enterKeyHint="search"
      />
      {text !== '' && (
        <IconButton
          label={t('search.clear')}
          onClick={() => {
            clear();
            inputRef.current?.focus();
          }}
        >
          <X />
        </IconButton>
      )}
      <span className="find__switches">
        {SWITCHES.map(({ name, icon: Icon }) => (
          <IconButton key={name} aria-pressed={switches[name]} label={t(`search.${name}`)} onClick={() => toggle(name)}>
            <Icon />
          </IconButton>
        ))}
        <button
          type="button"
          className="icon-button find__filters"
          aria-expanded={hasFilters}
          aria-controls={filtersId}
          aria-label={filterCount === 0 ? t('filters.title') : t('filters.titleCount', { count: filterCount })}
          title={t('filters.title')}
          onClick={onFilters}
        >
          <SlidersHorizontal />
          {filterCount > 0 && <span className="find__badge">{filterCount}</span>}
        </button>
      </span>
    </search>
  );
}

interface SummaryProps {
  readonly store: SearchStore;
  readonly tab: TabState;
  readonly scope: SearchScope;
}

function Summary({ store, tab, scope }: SummaryProps) {
  const { t } = useTranslation();
  const formats = useFormats();
  const { index, search } = useServices().platform;
  const [isAsking, setAsking] = useState(false);
  const { summary } = tab;
  return (
    <div className="find__summary" role="status">
      {tab.phase === 'running' ? (
        <span className="find__running">
          <span className="spinner" aria-hidden="true" />
          {t('search.searching')}
        </span>
      ) : (
        summary !== null && (
          <>
            <span>
              {t('search.summaryMatches', { count: summary.total })}{' '}
              {scope === 'history'
                ? t('search.summaryVersions', { count: summary.files })
                : t('search.summaryFiles', { count: summary.files })}
            </span>
            {summary.limitHit && (
              <span className="find__limit">
                {t('search.limitHit', {
                  shown: formats.number(tab.results.length),
                  total: formats.number(summary.files),
                })}
                {tab.results.length < search.mostResults && (
                  <>
                    {' '}
                    <button type="button" className="text-button text-link" onClick={() => store.getState().showAll()}>
                      {t('search.showAll')}
                    </button>
                  </>
                )}
              </span>
            )}
            {!summary.complete && index === null && tab.results.length > 0 && <span>{t('search.incomplete')}</span>}
            {summary.notSearched > 0 && (
              <span>
                {t('search.notSearched', { count: summary.notSearched })}
                {index !== null && (
                  <>
                    {' '}
                    <button type="button" className="text-button text-link" onClick={() => setAsking(true)}>
                      {t('search.whyNot')}
                    </button>
                  </>
                )}
              </span>
            )}
          </>
        )
      )}
      {isAsking && index !== null && <SkippedFilesDialog index={index} onClose={() => setAsking(false)} />}
    </div>
  );
}

/** What is missing from the results as long as the index has files to read. */
function Unfinished() {
  const { index } = useServices().platform;
  const { value: status } = useIndexStatus();
  if (index === null || status === null || status.pending === 0 || !isIndexBusy(status)) return null;
  return (
    <div className="find__unfinished">
      <IndexProgress index={index} status={status} />
    </div>
  );
}

interface TabBodyProps {
  readonly store: SearchStore;
  readonly scope: SearchScope;
  readonly onLeave: () => void;
  readonly onOpened: () => void;
  readonly listRef: RefObject<HTMLDivElement | null>;
}

function TabBody({ store, scope, onLeave, onOpened, listRef }: TabBodyProps) {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const { query, switches, tabs, showMatches, selectedId, select, rerun } = useStore(store);
  const opener = useOpenResult(switches.regex ? '' : query, onOpened);
  const tab = tabs[scope];
  // In the workspace a document stands once; only its history has versions to put together.
  const intervals = useMemo(() => (scope === 'history' ? intervalsOf(tab.results) : null), [scope, tab.results]);
  const results = useMemo(() => intervals?.map(({ result }) => result) ?? tab.results, [intervals, tab.results]);
  const firstVersions = useMemo(() => new Map(intervals?.map(({ result, first }) => [result.id, first])), [intervals]);
  if (tab.phase === 'failed' && tab.error !== null) {
    const isQueryFault = tab.error.code === 'query-invalid' || tab.error.code === 'query-too-slow';
    return isQueryFault ? (
      <div role="alert">
        <EmptyState icon={Regex} title={t('search.queryError')} text={errorText(tab.error)} />
      </div>
    ) : (
      <ErrorState error={tab.error} onRetry={rerun} title={t('search.queryError')} />
    );
  }
  if (tab.results.length === 0) {
    return tab.phase === 'done' ? (
      <EmptyState
        icon={SearchX}
        title={t('search.noResults', { query })}
        {...(tab.summary?.complete === false ? { text: t('search.incomplete') } : {})}
      />
    ) : (
      <div className="state">
        <span className="spinner" role="status" aria-label={t('search.searching')} />
      </div>
    );
  }
  return showMatches ? (
    <MatchPanes
      results={results}
      firstVersions={firstVersions}
      selectedId={selectedId}
      onSelect={select}
      onLeave={onLeave}
      withCommit={scope === 'history'}
      opener={opener}
      listRef={listRef}
    />
  ) : (
    <ResultList
      label={t('search.results')}
      results={results}
      firstVersions={firstVersions}
      selectedId={selectedId}
      onSelect={select}
      onOpen={opener.openRow}
      onCopy={opener.copyPath}
      onLeave={onLeave}
      actionOf={opener.action}
      listRef={listRef}
    />
  );
}

export interface FindInFilesProps {
  readonly store: SearchStore;
  readonly inputRef: RefObject<HTMLInputElement | null>;
  /** Told when a result was opened, so that an overlay can give way. */
  readonly onOpened: () => void;
}

/** The Find in files panel: the same over the local index and over the server. */
export function FindInFiles({ store, inputRef, onOpened }: FindInFilesProps) {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const formats = useFormats();
  const { text, query, tab, tabs, showMatches, setTab, setShowMatches, submit, select } = useStore(store);
  const listRef = useRef<HTMLDivElement>(null);
  const body = useRef<HTMLDivElement>(null);
  const filtersId = useId();
  const [hasFilters, setFilters] = useState(false);
  useEffect(() => () => store.getState().stop(), [store]);

  const exportList = () => {
    const { results } = tabs[tab];
    const name = query.replace(/[^\p{L}\p{N}]+/gu, ' ').trim();
    import('./resultsTable.ts')
      .then(({ resultsTable }) => new Blob([resultsTable(results)], { type: 'text/csv' }))
      .then((table) => saveBlob(`${name === '' ? 'results' : name}.csv`, table))
      .catch((error: unknown) => notify(errorText(error), 'error'));
  };
  const focusInput = () => {
    select(null);
    inputRef.current?.focus();
  };
  const focusList = () => {
    if (listRef.current !== null) listRef.current.focus();
    else body.current?.querySelector<HTMLElement>('[data-roving]')?.focus();
  };
  const isWaiting = query === '' && isSearchable(text);
  const countOf = (scope: SearchScope) => {
    const { phase, summary, results } = tabs[scope];
    if (summary !== null) return formats.number(summary.files);
    if (phase === 'failed') return '–';
    return results.length > 0 ? `${formats.number(results.length)}+` : '…';
  };

  return (
    <div className="find">
      <SearchBar
        store={store}
        inputRef={inputRef}
        onDown={focusList}
        filtersId={filtersId}
        hasFilters={hasFilters}
        onFilters={() => setFilters(!hasFilters)}
      />
      {hasFilters && <Filters store={store} id={filtersId} />}
      {query === '' ? (
        <div className="find__body" ref={body}>
          {isWaiting ? (
            <div className="state">
              <span className="spinner" role="status" aria-label={t('search.searching')} />
            </div>
          ) : text.trim() === '' ? (
            <PastSearches onChoose={submit} />
          ) : (
            <EmptyState
              icon={TextSearch}
              title={t('search.start')}
              text={t('search.startHint', { max: longestQuery() })}
            />
          )}
        </div>
      ) : (
        <Tabs.Root
          className="find__tabs"
          value={tab}
          onValueChange={(value) => setTab(value === 'history' ? 'history' : 'current')}
        >
          <div className="find__tools">
            <Tabs.List className="find__tablist" aria-label={t('search.results')}>
              {(['current', 'history'] as const).map((scope) => (
                <Tabs.Trigger key={scope} value={scope} className="find__tab">
                  {t(`search.${scope}`)} <span className="find__count">{countOf(scope)}</span>
                </Tabs.Trigger>
              ))}
            </Tabs.List>
            <span className="find__aside">
              <label className="check find__matches">
                <input
                  type="checkbox"
                  checked={showMatches}
                  onChange={(event) => setShowMatches(event.target.checked)}
                />
                {t('search.showMatches')}
              </label>
              {tabs[tab].phase === 'done' && tabs[tab].results.length > 0 && (
                <button type="button" className="text-button text-link find__export" onClick={exportList}>
                  <Download aria-hidden="true" />
                  {t('filters.export')}
                </button>
              )}
            </span>
          </div>
          {(['current', 'history'] as const).map((scope) => (
            <Tabs.Content key={scope} value={scope} className="find__panel" tabIndex={-1}>
              <Summary store={store} tab={tabs[scope]} scope={scope} />
              {scope === 'current' && <Unfinished />}
              <div className="find__body">
                <TabBody store={store} scope={scope} onLeave={focusInput} onOpened={onOpened} listRef={listRef} />
              </div>
            </Tabs.Content>
          ))}
        </Tabs.Root>
      )}
    </div>
  );
}
