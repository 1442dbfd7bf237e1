import { useVirtualizer } from '@tanstack/react-virtual';
import { Copy, FileMinus, FolderOpen, SquareArrowOutUpRight, TextSelect } from 'lucide-react';
import { type KeyboardEvent, type RefObject, useEffect, useRef, useState } from 'react';
import type { MatchItem, SearchResult } from '../../../shared/model/search.ts';
import { useTranslation } from '../../i18n/useTranslation.ts';
import { splitName } from '../../ui/fileKind.ts';
import { Highlight } from '../../ui/Highlight.tsx';
import { snippetOf } from '../../ui/ranges.ts';
import { useFormats } from '../../ui/useFormats.ts';
import { LocalPreview } from './LocalPreview.tsx';
import type { OpenResult } from './openResult.ts';
import { CommitLine, ResultList } from './ResultList.tsx';
import { useMatchType } from './useMatchType.ts';

const ITEM_HEIGHT = 56;

interface MatchListProps {
  readonly result: SearchResult;
  readonly onOpen: (item: MatchItem) => void;
  readonly onBack: () => void;
  readonly listRef: RefObject<HTMLDivElement | null>;
}

function MatchList({ result, onOpen, onBack, listRef }: MatchListProps) {
  const { t } = useTranslation();
  const matchType = useMatchType();
  const formats = useFormats();
  const [at, setAt] = useState(0);
  const { items } = result;
  const virtualizer = useVirtualizer({
    count: items.length,
    getScrollElement: () => listRef.current,
    estimateSize: () => ITEM_HEIGHT,
    overscan: 8,
  });
  useEffect(() => {
    virtualizer.scrollToIndex(at, { align: 'auto' });
  }, [at, virtualizer]);
  const listed = items.reduce(
    (sum, { type, ranges }) => sum + (type === 'Filename' || type === 'Message' ? 0 : ranges.length),
    0,
  );

  const onKeyDown = (event: KeyboardEvent) => {
    const moves: Readonly<Record<string, number>> = {
      ArrowDown: at + 1,
      ArrowUp: at - 1,
      Home: 0,
      End: items.length - 1,
    };
    const next = moves[event.key];
    if (next !== undefined) {
      event.preventDefault();
      setAt(Math.max(0, Math.min(next, items.length - 1)));
    } else if (event.key === 'ArrowLeft') {
      event.preventDefault();
      onBack();
    } else if (event.key === 'Enter') {
      const item = items[at];
      if (item !== undefined) onOpen(item);
    }
  };

  return (
    <>
      <div
        role="listbox"
        tabIndex={0}
        ref={listRef}
        className="matches"
        aria-label={t('search.matchesIn', { name: splitName(result.filename).base })}
        aria-activedescendant={items.length === 0 ? undefined : `match-${at}`}
        onKeyDown={onKeyDown}
      >
        <div className="results__sizer" role="presentation" style={{ height: virtualizer.getTotalSize() }}>
          {virtualizer.getVirtualItems().map(({ index, start }) => {
            const item = items[index];
            if (item === undefined) return null;
            const snippet = snippetOf(item.text, item.ranges, 80, 600);
            return (
              // biome-ignore lint/a11y/useKeyWithClickEvents: the list handles the keys for its options
              // biome-ignore lint/a11y/useFocusableInteractive: the list holds the focus (aria-activedescendant)
              <div
                role="option"
                key={index}
                id={`match-${index}`}
                data-index={index}
                ref={virtualizer.measureElement}
                className="match"
                aria-selected={index === at}
                aria-posinset={index + 1}
                aria-setsize={items.length}
                style={{ transform: `translateY(${start}px)` }}
                onClick={() => {
                  setAt(index);
                  onOpen(item);
                }}
              >
                <span className="match__head">
                  <span>
                    {t('search.matchNumber', { type: matchType(item.type), number: formats.number(item.number) })}
                  </span>
                  {item.line !== null && <span>{t('search.line', { line: formats.number(item.line) })}</span>}
                </span>
                <span className="match__text">
                  <Highlight text={snippet.text} ranges={snippet.ranges} />
                </span>
              </div>
            );
          })}
        </div>
      </div>
      {listed < result.matches && (
        <p className="matches__more muted">
          {t('search.firstOf', { shown: formats.number(listed), total: formats.number(result.matches) })}
        </p>
      )}
    </>
  );
}

export interface MatchPanesProps {
  readonly results: readonly SearchResult[];
  readonly firstVersions: ReadonlyMap<string, number | null>;
  readonly selectedId: string | null;
  readonly onSelect: (id: string) => void;
  readonly onLeave: () => void;
  readonly withCommit: boolean;
  readonly opener: OpenResult;
  readonly listRef: RefObject<HTMLDivElement | null>;
}

/** Show matches: files on the left, the matches of the selected one on the right. */
export function MatchPanes({
  results,
  firstVersions,
  selectedId,
  onSelect,
  onLeave,
  withCommit,
  opener,
  listRef,
}: MatchPanesProps) {
  const { t } = useTranslation();
  const matchesRef = useRef<HTMLDivElement>(null);
  const selected = results.find(({ id }) => id === selectedId);
  const action = selected === undefined ? 'none' : opener.action(selected);
  return (
    <div className="panes">
      <div className="panes__files">
        <ResultList
          label={t('search.files')}
          results={results}
          firstVersions={firstVersions}
          selectedId={selectedId}
          onSelect={onSelect}
          onOpen={opener.openRow}
          onCopy={opener.copyPath}
          onLeave={onLeave}
          onForward={() => matchesRef.current?.focus()}
          compact
          withCommit={withCommit}
          actionOf={opener.action}
          listRef={listRef}
        />
      </div>
      <div className="panes__matches">
        {selected === undefined ? (
          <div className="state">
            <span className="state__icon" aria-hidden="true">
              <TextSelect />
            </span>
            <p className="state__text">{t('search.selectFile')}</p>
          </div>
        ) : (
          <>
            <header className="panes__head">
              <span className="panes__title">
                <strong className="truncated">{splitName(selected.filename).base}</strong>
                {withCommit && <CommitLine result={selected} />}
              </span>
              <button type="button" className="button button--small" onClick={() => opener.copyPath(selected)}>
                <Copy />
                {t('search.copyPath')}
              </button>
              {selected.removedIn !== undefined && (
                <button type="button" className="button button--small" onClick={() => opener.openRemoval(selected)}>
                  <FileMinus />
                  {t('search.removedIn', { number: selected.removedIn.versionNumber })}
                </button>
              )}
              {action !== 'none' && (
                <button type="button" className="button button--small" onClick={() => opener.open(selected)}>
                  {action === 'open' ? <SquareArrowOutUpRight /> : <FolderOpen />}
                  {action === 'open' ? t('search.open') : t('search.showInFolder')}
                </button>
              )}
            </header>
            <LocalPreview result={selected} />
            <MatchList
              key={selected.id}
              result={selected}
              onOpen={(item) => opener.open(selected, item)}
              onBack={() => listRef.current?.focus()}
              listRef={matchesRef}
            />
          </>
        )}
      </div>
    </div>
  );
}
