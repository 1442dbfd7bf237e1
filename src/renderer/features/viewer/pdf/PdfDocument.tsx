import { normalizeUnicode, type PDFDocumentProxy } from 'pdfjs-dist';
import {
  type ClipboardEvent,
  type KeyboardEvent,
  lazy,
  Suspense,
  useCallback,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { loadCode } from '../../../api/loadCode.ts';
import { useTranslation } from '../../../i18n/useTranslation.ts';
import { DOUBLE_TAP_TIMES, useDoubleTap } from '../kit/useDoubleTap.ts';
import { ViewerTools } from '../toolbar.tsx';
import type { ViewProps } from '../view.ts';
import { resolveDestination } from './destinations.ts';
import { FIND_DEBOUNCE_MS, type FoundByPage, foundByPage, type PageFound, pageOfLabel } from './found.ts';
import { Panel } from './Panel.tsx';
import { PdfPage } from './PdfPage.tsx';
import type { PageSize } from './pageLayout.ts';
import { Toolbar } from './Toolbar.tsx';
import type { Destination } from './targets.ts';
import { usePages } from './usePages.ts';
import { usePinch } from './usePinch.ts';
import { stepZoom } from './zoom.ts';

const PrintDialog = lazy(async () => ({
  default: await loadCode(async () => (await import('./PrintDialog.tsx')).PrintDialog),
}));

const NOTHING: FoundByPage = { pages: new Map(), active: null };

export interface PdfDocumentProps extends ViewProps {
  readonly pdf: PDFDocumentProxy;
  readonly firstSize: PageSize;
}

/** Text as it is read: ligatures are their letters, as in the text that is searched. */
function copyAsRead(event: ClipboardEvent): void {
  const text = getSelection()?.toString() ?? '';
  if (text === '') return;
  event.clipboardData.setData('text/plain', normalizeUnicode(text.replaceAll('\0', '')));
  event.preventDefault();
}

/** An open PDF: its tools, the panel beside it, and its pages. */
export function PdfDocument({ content, place, onFindable, pdf, firstSize }: PdfDocumentProps) {
  const { t } = useTranslation();
  const scroller = useRef<HTMLElement>(null);
  const panelButton = useRef<HTMLButtonElement>(null);
  const [startPage] = useState(() => Math.min(pageOfLabel(place.section) ?? 0, pdf.numPages - 1));
  const pages = usePages({ pdf, firstSize, startPage, scroller });
  const { layout, shown, zoom, factor, rotation, goTo, step, zoomTo, zoomBy, turn, isInSight } = pages;
  const [isPanelOpen, setPanelOpen] = useState(false);
  const [isPrinting, setPrinting] = useState(false);
  const [found, setFound] = useState<FoundByPage>(NOTHING);
  const toReveal = useRef<PageFound | null>(null);

  const goToPage = useCallback((page: number) => void goTo({ page }), [goTo]);
  const onDestination = useCallback(
    async (destination: Destination) => {
      const point = await resolveDestination(pdf, destination, rotation);
      if (point === null) return;
      await goTo(point);
      // Whoever followed a link by keyboard reads on from there.
      scroller.current?.focus({ preventScroll: true });
    },
    [pdf, rotation, goTo],
  );
  const section = pageOfLabel(place.section);
  const opened = useRef(section);
  useEffect(() => {
    // The place that it opened at is where it is already.
    if (opened.current === section) return;
    opened.current = section;
    if (section !== null) goToPage(section);
  }, [section, goToPage]);

  const shows = useRef(0);
  useEffect(() => {
    onFindable({
      sections: null,
      debounceMs: FIND_DEBOUNCE_MS,
      async show(now, sections) {
        shows.current += 1;
        const turnOf = shows.current;
        const dealt = now === null ? NOTHING : foundByPage(now, sections);
        // First the page, then the match on it: its exact place is known when its text is there.
        if (dealt.active !== null && !isInSight(dealt.active)) await goTo({ page: dealt.active });
        if (shows.current !== turnOf) return;
        toReveal.current = dealt.active === null ? null : (dealt.pages.get(dealt.active) ?? null);
        setFound(dealt);
      },
    });
    return () => onFindable(null);
  }, [onFindable, goTo, isInSight]);

  usePinch(scroller, zoomBy);
  useDoubleTap(scroller, (x, y) => {
    const box = scroller.current?.getBoundingClientRect();
    if (typeof zoom === 'number' || box === undefined) zoomTo('width');
    else zoomBy(DOUBLE_TAP_TIMES, { left: x - box.left, top: y - box.top });
  });

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.altKey || event.target !== event.currentTarget) return;
    const keys: Readonly<Record<string, () => void>> = {
      '+': () => zoomTo(stepZoom(factor, 1)),
      '=': () => zoomTo(stepZoom(factor, 1)),
      '-': () => zoomTo(stepZoom(factor, -1)),
      '0': () => zoomTo('width'),
    };
    const plain: Readonly<Record<string, () => void>> = {
      ...keys,
      r: turn,
      n: () => step('NextPage'),
      p: () => step('PrevPage'),
      Home: () => step('FirstPage'),
      End: () => step('LastPage'),
    };
    const act = (event.ctrlKey || event.metaKey ? keys : plain)[event.key];
    if (act === undefined) return;
    event.preventDefault();
    act();
  };

  const closePanel = () => {
    setPanelOpen(false);
    panelButton.current?.focus();
  };
  const inDom = useMemo(
    () => Array.from({ length: shown.last - shown.first + 1 }, (_, index) => shown.first + index),
    [shown],
  );
  return (
    <>
      <ViewerTools>
        <Toolbar
          page={shown.current}
          pages={pdf.numPages}
          zoom={zoom}
          factor={factor}
          isPanelOpen={isPanelOpen}
          panelButton={panelButton}
          onPanel={() => setPanelOpen((open) => !open)}
          onPage={goToPage}
          onZoom={zoomTo}
          onTurn={turn}
          onPrint={content.downloadUrl === null ? null : () => setPrinting(true)}
        />
      </ViewerTools>
      <div className="pdf">
        {isPanelOpen && (
          <Panel
            pdf={pdf}
            boxes={layout.boxes}
            rotation={rotation}
            current={shown.current}
            onPage={goToPage}
            onDestination={onDestination}
            onClose={closePanel}
          />
        )}
        <section
          ref={scroller}
          className="pdf__room"
          // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolled region has to be reachable by keyboard
          tabIndex={0}
          aria-label={t('pdf.document')}
          onKeyDown={onKeyDown}
          onCopy={copyAsRead}
        >
          <div className="pdf__all" style={{ width: layout.width, height: layout.height }}>
            {inDom.map((index) => {
              const box = layout.boxes[index];
              return (
                box !== undefined && (
                  <PdfPage
                    key={index}
                    pdf={pdf}
                    index={index}
                    box={box}
                    zoom={factor}
                    rotation={rotation}
                    isInSight={index >= shown.firstInSight && index <= shown.lastInSight}
                    isMoving={pages.isMoving}
                    found={found.pages.get(index) ?? null}
                    toReveal={toReveal}
                    onSize={pages.learn}
                    onDestination={onDestination}
                    onStep={step}
                  />
                )
              );
            })}
          </div>
        </section>
      </div>
      {isPrinting && (
        <Suspense>
          <PrintDialog pdf={pdf} onClose={() => setPrinting(false)} />
        </Suspense>
      )}
    </>
  );
}
