import { useQuery } from '@tanstack/react-query';
import { useVirtualizer } from '@tanstack/react-virtual';
import { ArrowDown, ArrowUp, FileText } from 'lucide-react';
import { useEffect, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { AppError } from '../../../../shared/errors.ts';
import { Highlight } from '../../../ui/Highlight.tsx';
import { EmptyState, ErrorState, LoadingRows } from '../../../ui/States.tsx';
import { decodeText, findInLine, splitLines } from '../../../ui/textLines.ts';
import { useFormats } from '../../../ui/useFormats.ts';
import type { ViewProps } from '../view.ts';
import './text.css';

/** Shown of a text; the rest is for the viewer or the download. */
const MAX_BYTES = 2 * 1024 * 1024;
const LINE_HEIGHT = 20;

async function fetchText(
  url: string,
  signal: AbortSignal,
): Promise<{ readonly text: string | null; readonly isCut: boolean }> {
  const response = await fetch(url, {
    headers: { range: `bytes=0-${MAX_BYTES - 1}` },
    credentials: 'same-origin',
    signal,
  }).catch((error: unknown) => {
    throw new AppError('server-unreachable', 'the content got no answer', { cause: error });
  });
  // An empty content has no range that could be satisfied.
  if (response.status === 416) return { text: '', isCut: false };
  if (!response.ok) throw new AppError(response.status === 404 ? 'not-found' : 'internal', `status ${response.status}`);
  const bytes = new Uint8Array(await response.arrayBuffer());
  const isCut = response.status === 206 && bytes.byteLength === MAX_BYTES;
  return { text: decodeText(bytes, isCut), isCut };
}

/** A text with line numbers, and the marks of the search that led here. */
export function TextView({ content: { url, size }, place: { find, line } }: ViewProps) {
  const { t } = useTranslation();
  const formats = useFormats();
  const { data, error, isPending, isLoadingError, refetch } = useQuery({
    queryKey: ['content', url],
    queryFn: ({ signal }) => fetchText(url, signal),
    enabled: size > 0,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 60_000,
  });
  const lines = useMemo(() => splitLines(data?.text ?? ''), [data]);
  const hits = useMemo(
    () => (find === '' ? [] : lines.flatMap((each, index) => (findInLine(each, find).length > 0 ? [index] : []))),
    [lines, find],
  );
  const count = useMemo(
    () => hits.reduce((sum, index) => sum + findInLine(lines[index] ?? '', find).length, 0),
    [hits, lines, find],
  );
  const scroller = useRef<HTMLElement>(null);
  const virtualizer = useVirtualizer({
    count: lines.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => LINE_HEIGHT,
    overscan: 20,
  });
  const [active, setActive] = useState<number | null>(null);
  const wanted = line !== null && line <= lines.length ? line - 1 : (hits[0] ?? null);
  useEffect(() => {
    if (data === undefined || wanted === null) return;
    setActive(wanted);
    virtualizer.scrollToIndex(wanted, { align: 'center' });
  }, [data, wanted, virtualizer]);

  const step = (direction: 1 | -1) => {
    const at = active ?? -1;
    const next =
      direction === 1
        ? (hits.find((index) => index > at) ?? hits[0])
        : (hits.findLast((index) => index < at) ?? hits.at(-1));
    if (next === undefined) return;
    setActive(next);
    virtualizer.scrollToIndex(next, { align: 'center' });
  };

  if (size === 0) return <EmptyState icon={FileText} title={t('version.empty')} />;
  if (isPending) return <LoadingRows rows={10} shape="text" />;
  if (isLoadingError) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (data.text === null)
    return <EmptyState icon={FileText} title={t('version.notText')} text={t('version.noPreviewText')} />;
  return (
    <>
      {hits.length > 0 && (
        <div className="preview__bar">
          <span>{t('version.matchesOf', { count, text: find })}</span>
          <button type="button" className="icon-button" aria-label={t('version.previous')} onClick={() => step(-1)}>
            <ArrowUp />
          </button>
          <button type="button" className="icon-button" aria-label={t('version.next')} onClick={() => step(1)}>
            <ArrowDown />
          </button>
        </div>
      )}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolled region has to be reachable by keyboard */}
      <section className="preview__text" ref={scroller} tabIndex={0} aria-label={t('version.preview')}>
        <div className="preview__lines" style={{ height: virtualizer.getTotalSize() }}>
          {virtualizer.getVirtualItems().map(({ index, start }) => {
            const text = lines[index] ?? '';
            return (
              <div
                key={index}
                ref={virtualizer.measureElement}
                data-index={index}
                className={index === active ? 'preview__line preview__line--active' : 'preview__line'}
                style={{ transform: `translateY(${start}px)` }}
              >
                <span className="preview__number" aria-hidden="true">
                  {index + 1}
                </span>
                <span className="preview__content">
                  <Highlight text={text === '' ? ' ' : text} ranges={findInLine(text, find)} />
                </span>
              </div>
            );
          })}
        </div>
      </section>
      {data.isCut && <p className="notice preview__cut">{t('version.truncated', { size: formats.size(MAX_BYTES) })}</p>}
    </>
  );
}
