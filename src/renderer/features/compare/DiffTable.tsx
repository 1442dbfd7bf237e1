import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { ArrowDown, ArrowUp } from 'lucide-react';
import { type ReactNode, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ComparedLine, Comparison } from '../../../shared/model/compare.ts';
import { splitByRanges } from '../../ui/ranges.ts';
import { changeStarts, type DiffRow, type DiffView, diffRows, rowWith } from './diffRows.ts';

const LINE_HEIGHT = 22;
const OVERSCAN = 30;
const MARGIN_ABOVE = 160;

/** A line with the words that changed marked. Never parsed as HTML. */
function LineText({ line }: { readonly line: ComparedLine }): ReactNode {
  if (line.text === '') return '\u00a0';
  if (line.kind === 'equal' || line.changed === null) return line.text;
  return splitByRanges(line.text, line.changed).map(({ text, marked, at }) => {
    if (!marked) return <span key={at}>{text}</span>;
    return line.kind === 'added' ? <ins key={at}>{text}</ins> : <del key={at}>{text}</del>;
  });
}

interface CellProps {
  readonly line: ComparedLine | null;
  readonly side: 'base' | 'other';
}

function Side({ line, side }: CellProps) {
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
        {line !== null && <LineText line={line} />}
      </td>
    </>
  );
}

function Inline({ base, other }: { readonly base: ComparedLine | null; readonly other: ComparedLine | null }) {
  const line = other ?? base;
  const kind = line?.kind ?? 'none';
  return (
    <>
      <td className="diff__number" data-kind={kind}>
        {base?.base_line}
      </td>
      <Side line={line} side="other" />
    </>
  );
}

function Row({ row, view }: { readonly row: DiffRow; readonly view: DiffView }) {
  const { t } = useTranslation();
  if (row.kind === 'lines') {
    if (view === 'inline') return <Inline base={row.base} other={row.other} />;
    return (
      <>
        <Side line={row.base} side="base" />
        <Side line={row.other} side="other" />
      </>
    );
  }
  return (
    <td className={`diff__wide diff__${row.kind}`} colSpan={view === 'inline' ? 3 : 4}>
      {row.kind === 'page' ? row.name : t('files.line', { line: row.line })}
    </td>
  );
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
  const at = active ?? -1;
  const next = () => go(starts.find((start) => start > at) ?? starts[0]);
  const previous = () => go(starts.findLast((start) => start < at) ?? starts.at(-1));
  return (
    <>
      <div className="compare__bar card">
        {children}
        <span className="compare__moves">
          <button
            type="button"
            className="icon-button"
            aria-label={t('files.previousChange')}
            title={t('files.previousChange')}
            onClick={previous}
          >
            <ArrowUp />
          </button>
          <button
            type="button"
            className="icon-button"
            aria-label={t('files.nextChange')}
            title={t('files.nextChange')}
            onClick={next}
          >
            <ArrowDown />
          </button>
        </span>
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
                <Row row={row} view={view} />
              </tr>
            );
          })}
        </tbody>
      </table>
    </>
  );
}
