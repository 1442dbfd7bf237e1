import { useVirtualizer } from '@tanstack/react-virtual';
import type { PDFDocumentProxy } from 'pdfjs-dist';
import { useEffect, useRef } from 'react';
import { useTranslation } from '../../../i18n/useTranslation.ts';
import { moveFocus } from '../../../ui/moveFocus.ts';
import { createPageCanvas } from './pageCanvas.ts';
import { type PageBox, pixelsPerPoint } from './pageLayout.ts';

const WIDTH = 112;
/** Number and space around a small page. */
const AROUND = 40;
/** The pages themselves come first. */
const PAUSE_MS = 250;

export interface ThumbnailsProps {
  readonly pdf: PDFDocumentProxy;
  /** For their shapes. */
  readonly boxes: readonly PageBox[];
  readonly rotation: number;
  readonly current: number;
  readonly onPage: (page: number) => void;
}

interface PictureProps {
  readonly pdf: PDFDocumentProxy;
  readonly index: number;
  readonly rotation: number;
}

/** A page, small. */
function Picture({ pdf, index, rotation }: PictureProps) {
  const holder = useRef<HTMLSpanElement>(null);
  useEffect(() => {
    const closing = new AbortController();
    const draw = async () => {
      const page = await pdf.getPage(index + 1);
      if (closing.signal.aborted || holder.current === null) return;
      const ignore = () => undefined;
      const canvas = createPageCanvas({ holder: holder.current, page, onDrawn: ignore, onFailed: ignore });
      closing.signal.addEventListener('abort', canvas.close);
      const turned = page.getViewport({ scale: pixelsPerPoint(1), rotation: (page.rotate + rotation) % 360 });
      canvas.draw({ zoom: WIDTH / turned.width, rotation, pixelRatio: devicePixelRatio }, PAUSE_MS);
    };
    // Of a damaged page there is no picture; the page itself says why.
    draw().catch(() => undefined);
    return () => closing.abort();
  }, [pdf, index, rotation]);
  return <span ref={holder} className="pdf__canvas" />;
}

/** All pages, small; only those in sight are drawn. */
export function Thumbnails({ pdf, boxes, rotation, current, onPage }: ThumbnailsProps) {
  const { t } = useTranslation();
  const scroller = useRef<HTMLDivElement>(null);
  const heightOf = (index: number) => {
    const box = boxes[index];
    return box === undefined || box.width === 0 ? WIDTH : (WIDTH * box.height) / box.width;
  };
  const virtualizer = useVirtualizer({
    count: boxes.length,
    getScrollElement: () => scroller.current,
    estimateSize: (index) => heightOf(index) + AROUND,
    overscan: 2,
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: other boxes have other heights
  useEffect(() => virtualizer.measure(), [virtualizer, boxes]);
  useEffect(() => virtualizer.scrollToIndex(current), [virtualizer, current]);
  return (
    <div className="pdf__list" ref={scroller}>
      <ol className="pdf__thumbs" style={{ height: virtualizer.getTotalSize() }} onKeyDown={moveFocus}>
        {virtualizer.getVirtualItems().map(({ index, start }) => (
          <li key={index} className="pdf__thumb" style={{ transform: `translateY(${start}px)` }}>
            <button
              type="button"
              data-roving=""
              tabIndex={index === current ? 0 : -1}
              aria-current={index === current ? 'page' : undefined}
              aria-label={t('pdf.page', { number: index + 1 })}
              onClick={() => onPage(index)}
            >
              <span className="pdf__thumb-page" style={{ width: WIDTH, height: heightOf(index) }}>
                <Picture pdf={pdf} index={index} rotation={rotation} />
              </span>
              <span aria-hidden="true">{index + 1}</span>
            </button>
          </li>
        ))}
      </ol>
    </div>
  );
}
