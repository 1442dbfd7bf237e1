import type { Remote } from 'comlink';
import { FileText, WrapText } from 'lucide-react';
import { type KeyboardEvent, useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { AppError } from '../../../../shared/errors.ts';
import { useTranslation } from '../../../i18n/useTranslation.ts';
import { IconButton } from '../../../ui/IconButton.tsx';
import { EmptyState, ErrorState, LoadingRows } from '../../../ui/States.tsx';
import { ViewerTools } from '../toolbar.tsx';
import type { Found, FoundMatch, ViewProps } from '../view.ts';
import type { Token } from './highlighter.ts';
import { RowList, type RowListHandle } from './RowList.tsx';
import { NO_MATCHES, RowText, rowMatches } from './RowText.tsx';
import type { TextRow } from './textStore.ts';
import type { TextStatus, TextWorker } from './textWorker.ts';
import { useText } from './useText.ts';
import './text.css';

const ROW_HEIGHT = 20;
/** Rows that the worker is asked for at once. */
const BLOCK = 200;
const BLOCKS_KEPT = 30;

interface Block {
  readonly rows: readonly TextRow[];
  readonly colours: readonly (readonly Token[])[];
}

/** Rows in sight and around, as the worker gives them: first their text, then their colours. */
function useRows(worker: Remote<TextWorker>, { rows: count, isWhole }: TextStatus) {
  const [blocks, setBlocks] = useState<ReadonlyMap<number, Block>>(new Map());
  const asked = useRef(new Map<number, number>());
  const put = useCallback((number: number, block: Block) => {
    setBlocks((before) => {
      const next = new Map(before).set(number, block);
      for (const [oldest] of next) {
        if (next.size <= BLOCKS_KEPT) break;
        next.delete(oldest);
        asked.current.delete(oldest);
      }
      return next;
    });
  }, []);
  const ask = useCallback(
    async (number: number) => {
      const [from, to] = [number * BLOCK, Math.min(count, (number + 1) * BLOCK)];
      // The last rows of a text that is still coming in grow.
      const wanted = to === count && !isWhole ? count : Number.POSITIVE_INFINITY;
      if ((asked.current.get(number) ?? 0) >= wanted) return;
      asked.current.set(number, wanted);
      const rows = await worker.rows(from, to);
      put(number, { rows, colours: [] });
      const colours = await worker.colours(from, to);
      if (colours.length > 0) put(number, { rows, colours });
    },
    [worker, count, isWhole, put],
  );
  const onRange = useCallback(
    (from: number, to: number) => {
      for (let number = Math.floor(from / BLOCK); number * BLOCK < to; number += 1) void ask(number);
    },
    [ask],
  );
  const rowAt = (row: number) => {
    const block = blocks.get(Math.floor(row / BLOCK));
    const known = block?.rows[row % BLOCK];
    return known === undefined ? null : { ...known, colours: block?.colours[row % BLOCK] ?? [] };
  };
  return { rowAt, onRange };
}

function GoToLine({ lines, onGo }: { readonly lines: number; readonly onGo: (line: number) => void }) {
  const { t } = useTranslation();
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    const line = Number(event.currentTarget.value);
    if (event.key === 'Enter' && Number.isInteger(line) && line > 0) onGo(Math.min(line, lines));
  };
  return (
    <input
      className="input text-view__line"
      inputMode="numeric"
      pattern="[0-9]*"
      aria-label={t('viewer.goToLine')}
      placeholder={t('viewer.goToLine')}
      onKeyDown={onKeyDown}
    />
  );
}

interface TextRowsProps extends Omit<ViewProps, 'content'> {
  readonly worker: Remote<TextWorker>;
  readonly status: TextStatus;
}

function TextRows({ worker, status, place: { line: placeLine, find }, onFindable }: TextRowsProps) {
  const { t } = useTranslation();
  const list = useRef<RowListHandle>(null);
  const box = useRef<HTMLDivElement>(null);
  const [isWrapped, setIsWrapped] = useState(true);
  const [found, setFound] = useState<Found | null>(null);
  const [target, setTarget] = useState<number | null>(null);
  const { rowAt, onRange } = useRows(worker, status);
  const { lines, isWhole } = status;

  const findable = useMemo(
    () => ({
      sections: null,
      engine: {
        search: (run: number, query: string, limit: number) => worker.search(run, query, limit),
        locate: (label: string | null, line: number | null) => worker.locate(label, line),
      },
      show: setFound,
    }),
    [worker],
  );
  useEffect(() => {
    onFindable(findable);
    return () => onFindable(null);
  }, [findable, onFindable]);

  const goTo = useCallback(
    async (line: number) => {
      const row = await worker.rowOfLine(line);
      setTarget(line);
      list.current?.reveal(row);
    },
    [worker],
  );
  const isThere = placeLine !== null && (isWhole || lines > placeLine);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another search at the same line goes there again
  useEffect(() => {
    if (placeLine !== null && isThere) void goTo(placeLine);
  }, [placeLine, isThere, goTo, find]);

  const active = found?.matches[found.active];
  const marks = useMemo(() => (found === null ? NO_MATCHES : rowMatches(found.matches, active)), [found, active]);
  useEffect(() => {
    if (active === undefined) return;
    let isWanted = true;
    void Promise.resolve(worker.rowAt(active.start)).then((row) => {
      if (isWanted) list.current?.reveal(row);
    });
    return () => {
      isWanted = false;
    };
  }, [worker, active]);
  // A match far out in a long row is brought in from the side, once it is drawn.
  const seen = useRef<FoundMatch | null>(null);
  useLayoutEffect(() => {
    if (active === undefined) seen.current = null;
    if (active === undefined || seen.current === active) return;
    const mark = box.current?.querySelector('mark[data-active="true"]');
    if (mark == null) return;
    seen.current = active;
    mark.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  });

  const renderRow = (index: number) => {
    const row = rowAt(index);
    const isTarget = row !== null && row.line === target;
    return (
      <div
        key={index}
        data-row={index}
        className={isTarget ? 'text-view__row text-view__row--target' : 'text-view__row'}
      >
        <span className="text-view__number" aria-hidden="true">
          {row?.line}
        </span>
        <span className="text-view__text">{row !== null && <RowText {...row} found={marks} />}</span>
      </div>
    );
  };
  const digits = String(lines).length;
  return (
    <div className={`text-view text-view--digits-${Math.min(9, Math.max(3, digits))}`} ref={box}>
      <ViewerTools>
        <span className="muted nowrap text-view__count">{t('viewer.lines', { count: lines })}</span>
        <GoToLine lines={lines} onGo={(line) => void goTo(line)} />
        <IconButton label={t('viewer.wrap')} aria-pressed={isWrapped} onClick={() => setIsWrapped((before) => !before)}>
          <WrapText />
        </IconButton>
      </ViewerTools>
      <RowList
        ref={list}
        count={status.rows}
        rowHeight={ROW_HEIGHT}
        isWrapped={isWrapped}
        label={t('viewer.text')}
        className={isWrapped ? 'row-list row-list--wrapped' : 'row-list'}
        renderRow={renderRow}
        onRange={onRange}
      />
    </div>
  );
}

/** A text with line numbers, in colours where it is in a language that is known. */
export function TextView({ content: { url, name, size }, ...props }: ViewProps) {
  const { t } = useTranslation();
  const [attempt, setAttempt] = useState(0);
  const text = useText(url, name, attempt);
  if (size === 0) return <EmptyState icon={FileText} title={t('version.empty')} />;
  if (text === null) return <LoadingRows rows={10} shape="text" />;
  const { problem } = text.status;
  if (problem === 'not-text') {
    return <EmptyState icon={FileText} title={t('version.notText')} text={t('version.noPreviewText')} />;
  }
  if (problem !== null) {
    const error = new AppError(problem === 'not-found' ? 'not-found' : 'server-unreachable', 'the text did not come');
    return <ErrorState error={error} onRetry={() => setAttempt((before) => before + 1)} />;
  }
  return <TextRows worker={text.worker} status={text.status} {...props} />;
}
