import { measureElement, useVirtualizer } from '@tanstack/react-virtual';
import { Copy, FileMinus, FolderOpen, GitCommitVertical } from 'lucide-react';
import { type KeyboardEvent, type RefObject, useCallback, useEffect, useMemo, useRef } from 'react';
import type { SearchResult } from '../../../shared/model/search.ts';
import { LIMITS } from '../../../shared/rules/limits.ts';
import { useTranslation } from '../../i18n/useTranslation.ts';
import { FileIcon } from '../../ui/FileIcon.tsx';
import { splitName } from '../../ui/fileKind.ts';
import { Highlight } from '../../ui/Highlight.tsx';
import { snippetOf } from '../../ui/ranges.ts';
import { useFormats } from '../../ui/useFormats.ts';
import type { ResultAction } from './openResult.ts';
import { useMatchType } from './useMatchType.ts';

const ROW_HEIGHT = 96;
const COMPACT_HEIGHT = 56;

/** Ranges of a document's name, for the part of it after its folders. */
function baseRanges(result: SearchResult): SearchResult['filenameRanges'] {
  const { folder } = splitName(result.filename);
  return result.filenameRanges
    .map(([from, to]): [number, number] => [Math.max(from - folder.length, 0), Math.max(to - folder.length, 0)])
    .filter(([from, to]) => to > from);
}

function Place({ result }: { readonly result: SearchResult }) {
  const { libraryName, shelfName, path, filename } = result;
  const inShelf = libraryName !== null && shelfName !== null;
  const { folder } = splitName(inShelf ? filename : path);
  const trimmed = folder.replace(/[/\\]$/u, '');
  const steps = inShelf ? [libraryName, shelfName, ...(trimmed === '' ? [] : [trimmed])] : [trimmed];
  return <span className="result__place truncated">{steps.join(' / ')}</span>;
}

function MatchCount({ result }: { readonly result: SearchResult }) {
  const { t } = useTranslation();
  return (
    <span className={result.matches > 0 ? 'badge badge--accent' : 'badge'}>
      {result.matches > 0 ? t('search.matches', { count: result.matches }) : t('search.nameOnly')}
    </span>
  );
}

/** The commit that a result comes from: its message and the first ten of its hash. */
export function CommitLine({ result }: { readonly result: SearchResult }) {
  const { t } = useTranslation();
  if (result.commitHash === null) return null;
  return (
    <span className="result__commit">
      <GitCommitVertical aria-hidden="true" />
      <span className="mono">{result.commitHash.slice(0, LIMITS.commitHashShown)}</span>
      <span className="truncated">{result.commitMessage || t('shelf.noMessage')}</span>
    </span>
  );
}

/** The version that no longer holds what was found, with what its commit says. */
function RemovalLine({ result: { removedIn } }: { readonly result: SearchResult }) {
  const { t } = useTranslation();
  if (removedIn === undefined) return null;
  return (
    <span className="result__commit">
      <FileMinus aria-hidden="true" />
      <span className="nowrap">{t('search.removedIn', { number: removedIn.versionNumber })}</span>
      <span className="truncated">{removedIn.commitMessage || t('shelf.noMessage')}</span>
    </span>
  );
}

interface RowProps {
  readonly result: SearchResult;
  /** The first of the versions that the row stands for. */
  readonly first: number | null;
  readonly compact: boolean;
  readonly withCommit: boolean;
  readonly action: ResultAction;
  readonly onCopy: (result: SearchResult) => void;
}

function Row({ result, first, compact, withCommit, action, onCopy }: RowProps) {
  const { t } = useTranslation();
  const formats = useFormats();
  const matchType = useMatchType();
  const item = result.items.find(({ type }) => type !== 'Filename') ?? null;
  const snippet = item === null ? null : snippetOf(item.text, item.ranges);
  return (
    <>
      <FileIcon name={result.filename} />
      <span className="result__body">
        <span className="result__line">
          <span className="result__name truncated">
            <Highlight text={splitName(result.filename).base} ranges={baseRanges(result)} />
          </span>
          {result.versionNumber !== null && (
            <span className="badge nowrap">
              {first === null || first === result.versionNumber
                ? t('common.version', { number: result.versionNumber })
                : t('search.versions', { first, last: result.versionNumber })}
            </span>
          )}
          <MatchCount result={result} />
        </span>
        {!compact && snippet !== null && item !== null && (
          <span className="result__snippet">
            {item.type !== 'Content' && <span className="result__type">{matchType(item.type)}</span>}
            <Highlight text={snippet.text} ranges={snippet.ranges} />
          </span>
        )}
        <span className="result__facts">
          <Place result={result} />
          {!compact && <span className="nowrap">{formats.longDate(result.lastModified)}</span>}
          {!compact && <span className="nowrap">{formats.size(result.size)}</span>}
          {!compact && (
            <span className="result__actions">
              {/* biome-ignore lint/a11y/noStaticElementInteractions: for the pointer; the list's own key is Ctrl+C */}
              {/* biome-ignore lint/a11y/useKeyWithClickEvents: the same */}
              <span
                className="result__action"
                title="Ctrl+C"
                onClick={(event) => {
                  event.stopPropagation();
                  onCopy(result);
                }}
              >
                <Copy aria-hidden="true" />
                {t('search.copyPath')}
              </span>
              {action === 'show-in-folder' && (
                <span className="result__action">
                  <FolderOpen aria-hidden="true" />
                  {t('search.showInFolder')}
                </span>
              )}
            </span>
          )}
        </span>
        {(withCommit || !compact) && <CommitLine result={result} />}
        <RemovalLine result={result} />
      </span>
    </>
  );
}

export interface ResultListProps {
  readonly label: string;
  readonly results: readonly SearchResult[];
  /** First versions of the rows that stand for several, by the results' ids. */
  readonly firstVersions?: ReadonlyMap<string, number | null>;
  readonly selectedId: string | null;
  readonly onSelect: (id: string) => void;
  readonly onOpen: (result: SearchResult) => void;
  /** The path of a result is wanted on the clipboard. */
  readonly onCopy: (result: SearchResult) => void;
  /** Left at the top, back to the input. */
  readonly onLeave: () => void;
  /** Right, where there is something beside the list. */
  readonly onForward?: () => void;
  /** A click selects instead of opening; a double click opens. */
  readonly compact?: boolean;
  readonly withCommit?: boolean;
  readonly actionOf: (result: SearchResult) => ResultAction;
  readonly listRef: RefObject<HTMLDivElement | null>;
}

/** The results, virtual, as one stop of the Tab key with arrow keys within. */
export function ResultList({
  label,
  results,
  firstVersions,
  selectedId,
  onSelect,
  onOpen,
  onCopy,
  onLeave,
  onForward,
  compact = false,
  withCommit = false,
  actionOf,
  listRef,
}: ResultListProps) {
  // A row that is as tall as was taken for it moves none of the hundred thousand after it; most are as tall as the first.
  const rowHeight = useRef<number | null>(null);
  // Another function has all of them laid out anew.
  const getItemKey = useCallback((index: number) => results[index]?.id ?? index, [results]);
  const virtualizer = useVirtualizer<HTMLDivElement, HTMLDivElement>({
    count: results.length,
    getScrollElement: () => listRef.current,
    estimateSize: () => rowHeight.current ?? (compact ? COMPACT_HEIGHT : ROW_HEIGHT),
    measureElement: (...measured) => {
      const height = measureElement(...measured);
      rowHeight.current ??= height;
      return height;
    },
    getItemKey,
    overscan: 6,
  });
  const at = useMemo(
    () => (selectedId === null ? -1 : results.findIndex(({ id }) => id === selectedId)),
    [results, selectedId],
  );
  const page = useRef(8);
  useEffect(() => {
    if (at >= 0) virtualizer.scrollToIndex(at, { align: 'auto' });
  }, [at, virtualizer]);

  const moveTo = (index: number) => {
    const result = results[Math.max(0, Math.min(index, results.length - 1))];
    if (result !== undefined) onSelect(result.id);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const keys: Readonly<Record<string, () => void>> = {
      ArrowDown: () => moveTo(at + 1),
      ArrowUp: () => (at <= 0 ? onLeave() : moveTo(at - 1)),
      PageDown: () => moveTo(at + page.current),
      PageUp: () => moveTo(at - page.current),
      Home: () => moveTo(0),
      End: () => moveTo(results.length - 1),
      Enter: () => {
        const result = results[at];
        if (result !== undefined) onOpen(result);
      },
      ...(onForward === undefined ? {} : { ArrowRight: onForward }),
    };
    const selected = results[at];
    const isCopy = event.key === 'c' && (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey;
    if (isCopy && selected !== undefined && getSelection()?.isCollapsed !== false) {
      event.preventDefault();
      onCopy(selected);
      return;
    }
    const act = keys[event.key];
    if (act === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    act();
  };

  return (
    <div
      role="listbox"
      tabIndex={0}
      ref={listRef}
      className={compact ? 'results results--compact' : 'results'}
      aria-label={label}
      aria-activedescendant={at < 0 ? undefined : `result-${at}`}
      onKeyDown={onKeyDown}
      onFocus={() => {
        if (at < 0) moveTo(0);
      }}
    >
      <div className="results__sizer" role="presentation" style={{ height: virtualizer.getTotalSize() }}>
        {virtualizer.getVirtualItems().map(({ index, start, key }) => {
          const result = results[index];
          if (result === undefined) return null;
          return (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the list handles the keys for its options
            // biome-ignore lint/a11y/useFocusableInteractive: the list holds the focus (aria-activedescendant)
            <div
              role="option"
              key={key}
              id={`result-${index}`}
              data-index={index}
              ref={virtualizer.measureElement}
              className="result"
              aria-selected={index === at}
              aria-posinset={index + 1}
              aria-setsize={results.length}
              style={{ transform: `translateY(${start}px)` }}
              onClick={() => (compact ? onSelect(result.id) : onOpen(result))}
              onDoubleClick={() => compact && onOpen(result)}
            >
              <Row
                result={result}
                first={firstVersions?.get(result.id) ?? null}
                compact={compact}
                withCommit={withCommit}
                action={actionOf(result)}
                onCopy={onCopy}
              />
            </div>
          );
        })}
      </div>
    </div>
  );
}
