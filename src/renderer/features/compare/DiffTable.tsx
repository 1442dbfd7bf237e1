import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { type ReactNode, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import type { ComparedLine, Comparison } from '../../../shared/model/compare.ts';
import type { Range } from '../../../shared/model/search.ts';
import { findSteps } from '../../../shared/rules/find.ts';
import { useTranslation } from '../../i18n/useTranslation.ts';
import { Highlight } from '../../ui/Highlight.tsx';
import { splitByRanges } from '../../ui/ranges.ts';
import { ChangeMoves } from './ChangeMoves.tsx';
import { changeStarts, type DiffRow, type DiffView, diffRows, pageRow, rowWith } from './diffRows.ts';

const LINE_HEIGHT = 22;
const OVERSCAN = 30;
const MARGIN_ABOVE = 160;

/** Where a line has what was looked for; nowhere where nothing was. */
function foundIn(text: string, find: string): readonly Range[] {
  return [...findSteps([text], find)].flatMap((matches) => matches ?? []).map(({ start, end }) => [start, end]);
}

/** A line with the words that changed marked, and what was looked for. Never parsed as HTML. */
function LineText({ line, find }: { readonly line: ComparedLine; readonly find: string }): ReactNode {
  if (line.text === '') return '\u00a0';
  const found = foundIn(line.text, find);
  const changed = line.kind === 'equal' ? [] : (line.changed ?? []);
  return splitByRanges(line.text, changed).map(({ text, marked, at }) => {
    const Part = !marked ? 'span' : line.kind === 'added' ? 'ins' : 'del';
    return (
      <Part key={at}>
        <Highlight text={text} ranges={found.map(([from, to]) => [from - at, to - at])} />
      </Part>
    );
  });
}

interface CellProps {
  readonly line: ComparedLine | null;
  readonly side: 'base' | 'other';
  readonly find: string;
}

function Side({ line, side, find }: CellProps) {
  const { t } = useTranslation();
  const kind = line?.kind ?? 'none';
  return (
    <>
      <td className="diff__number" data-kind={kind}>
        {side === 'base' ? line?.base_line : line?.other_line}
      </td>
      <td className="diff__text" data-kind={kind}>
        {kind === 'added' && <span className="visually-hidden">{t('files.added')}: </span>}
        {kind === 'removed' && <span className="visually-hidden">{t('files.removed')}: </span>}
        {line !== null && <LineText line={line} find={find} />}
      </td>
    </>
  );
}

interface InlineProps {
  readonly base: ComparedLine | null;
  readonly other: ComparedLine | null;
  readonly find: string;
}

function Inline({ base, other, find }: InlineProps) {
  const line = other ?? base;
  const kind = line?.kind ?? 'none';
  return (
    <>
      <td className="diff__number" data-kind={kind}>
        {base?.base_line}
      </td>
      <Side line={line} side="other" find={find} />
    </>
  );
}

interface RowProps {
  readonly row: DiffRow;
  readonly view: DiffView;
  readonly find: string;
}

function Row({ row, view, find }: RowProps) {
  const { t } = useTranslation();
  if (row.kind === 'lines') {
    if (view === 'inline') return <Inline base={row.base} other={row.other} find={find} />;
    return (
      <>
        <Side line={row.base} side="base" find={find} />
        <Side line={row.other} side="other" find={find} />
      </>
    );
  }
  return (
    <td className={`diff__wide diff__${row.kind}`} colSpan={view === 'inline' ? 3 : 4}>
      {row.kind === 'page' ? row.name : t('files.line', { line: row.line })}
    </td>
  );
}

/** What the pages are called on which something changed, in either version. */
function changedPages({ base_pages, other_pages, base_pages_changed, pages_changed }: Comparison): readonly string[] {
  const names = (pages: readonly string[], changed: readonly number[]) =>
    changed.flatMap((page) => pages[page - 1] ?? []);
  return [...new Set([...names(other_pages, pages_changed), ...names(base_pages, base_pages_changed)])];
}

export interface DiffTableProps {
  readonly comparison: Comparison;
  readonly view: DiffView;
  /** What to show first, as a search found it; empty for the beginning. */
  readonly find: string;
  /** Stands before the buttons that go from change to change. */
  readonly children: ReactNode;
}

/** What two texts differ in, line by line; virtual, since whole books are compared. */
export function DiffTable({ comparison, view, find, children }: DiffTableProps) {
  const { t } = useTranslation();
  const rows = useMemo(() => diffRows(comparison, view), [comparison, view]);
  const starts = useMemo(() => changeStarts(rows), [rows]);
  const body = useRef<HTMLTableSectionElement>(null);
  const [offset, setOffset] = useState(0);
  const [active, setActive] = useState<number | null>(null);
  const virtualizer = useWindowVirtualizer({
    count: rows.length,
    estimateSize: () => LINE_HEIGHT,
    overscan: OVERSCAN,
    scrollMargin: offset,
    scrollPaddingStart: MARGIN_ABOVE,
  });
  useLayoutEffect(() => {
    const top = (body.current?.getBoundingClientRect().top ?? 0) + window.scrollY;
    setOffset((before) => (Math.abs(before - top) < 1 ? before : top));
  });
  const go = (to: number | undefined) => {
    if (to === undefined) return;
    setActive(to);
    virtualizer.scrollToIndex(to, { align: 'center' });
  };
  const isPlaced = offset > 0;
  // biome-ignore lint/correctness/useExhaustiveDependencies: where to begin is decided once, when the table has its place
  useEffect(() => {
    const found = rowWith(rows, find);
    if (isPlaced && found !== null) go(found);
  }, [isPlaced, find]);
  const pages = changedPages(comparison);
  return (
    <>
      {pages.length > 0 && (
        <ul className="compare__pages" aria-label={t('files.pagesChanged')}>
          {pages.map((page) => (
            <li key={page}>
              <button
                type="button"
                className="badge badge--info compare__page"
                aria-label={t('compare.goToPage', { page })}
                onClick={() => go(pageRow(rows, page) ?? undefined)}
              >
                {page}
              </button>
            </li>
          ))}
        </ul>
      )}
      <div className="compare__bar card">
        {children}
        <ChangeMoves
          count={starts.length}
          at={active === null ? -1 : starts.findLastIndex((start) => start <= active)}
          onGo={(to) => go(starts[to])}
        />
      </div>
      <table className="diff card" data-view={view} aria-label={t('files.compare')}>
        <tbody ref={body} className="diff__body" style={{ height: virtualizer.getTotalSize() }}>
          {virtualizer.getVirtualItems().map(({ index, start }) => {
            const row = rows[index];
            return row === undefined ? null : (
              <tr
                key={index}
                data-index={index}
                ref={virtualizer.measureElement}
                className="diff__row"
                data-active={index === active}
                style={{ transform: `translateY(${start - offset}px)` }}
              >
                <Row row={row} view={view} find={find} />
              </tr>
            );
          })}
        </tbody>
      </table>
    </>
  );
}
