import { FileWarning, StickyNote } from 'lucide-react';
import { type PDFDocumentProxy, type PDFPageProxy, TextLayer } from 'pdfjs-dist';
import { type CSSProperties, memo, type RefObject, useEffect, useId, useRef, useState } from 'react';
import { useTranslation } from '../../../i18n/useTranslation.ts';
import { createDomMarks } from '../domMarks.ts';
import type { PageFound } from './found.ts';
import { createPageCanvas, type PageCanvas, viewportOf } from './pageCanvas.ts';
import { type PageBox, type PageSize, pixelsPerPoint } from './pageLayout.ts';
import { type PageLink, type PageStep, pageLinks } from './pageLinks.ts';
import { inReadingOrder } from './readingOrder.ts';
import type { Destination } from './targets.ts';

/** Pages that are flown over are not drawn. */
const PASSING_MS = 60;
/** Pages out of sight wait for those in it. */
const AHEAD_MS = 300;
/** While somebody zooms, the picture is only stretched. */
const ZOOMING_MS = 150;

export interface PdfPageProps {
  readonly pdf: PDFDocumentProxy;
  /** From 0. */
  readonly index: number;
  readonly box: PageBox;
  readonly zoom: number;
  readonly rotation: number;
  readonly isInSight: boolean;
  readonly isMoving: RefObject<boolean>;
  readonly found: PageFound | null;
  /** Whether the active match has yet to be brought into sight, which is then said to have been done. */
  readonly toReveal: RefObject<PageFound | null>;
  readonly onSize: (index: number, size: PageSize) => void;
  readonly onDestination: (destination: Destination) => void;
  readonly onStep: (step: PageStep) => void;
}

/** A page of the file; `failed` where the file is damaged at its place. */
function usePage(pdf: PDFDocumentProxy, index: number): PDFPageProxy | 'failed' | null {
  const [page, setPage] = useState<PDFPageProxy | 'failed' | null>(null);
  useEffect(() => {
    let isGone = false;
    const set = (value: PDFPageProxy | 'failed') => !isGone && setPage(value);
    pdf.getPage(index + 1).then(set, () => set('failed'));
    return () => {
      isGone = true;
    };
  }, [pdf, index]);
  return page;
}

type TextContent = Awaited<ReturnType<PDFPageProxy['getTextContent']>>;
type TextItem = Extract<TextContent['items'][number], { readonly str: string }>;

const isText = (item: TextContent['items'][number]): item is TextItem => 'str' in item;

interface TextOptions {
  readonly page: PDFPageProxy;
  readonly rotation: number;
  readonly found: PageFound | null;
  readonly toReveal: RefObject<PageFound | null>;
}

/** The text of a page over its picture: to be selected, to be read aloud, and with the marks of what was found. */
function PageText({ page, rotation, found, toReveal }: TextOptions) {
  const holder = useRef<HTMLDivElement>(null);
  const [isThere, setThere] = useState(false);
  useEffect(() => {
    const container = holder.current;
    if (container === null) return undefined;
    let layer: TextLayer | null = null;
    let isGone = false;
    const draw = async () => {
      const content = await page.getTextContent({ disableNormalization: true });
      if (isGone) return;
      const textContentSource = { ...content, items: inReadingOrder(content.items.filter(isText)) };
      layer = new TextLayer({ textContentSource, container, viewport: viewportOf(page, 1, rotation) });
      await layer.render();
      if (isGone) return;
      // A selection that leaves the lines ends here, and not in another column.
      container.append(Object.assign(document.createElement('div'), { className: 'pdf__text-end' }));
      setThere(true);
    };
    // The picture says that a page is damaged.
    draw().catch(() => undefined);
    return () => {
      isGone = true;
      layer?.cancel();
      container.replaceChildren();
      setThere(false);
    };
  }, [page, rotation]);

  useEffect(() => {
    const container = holder.current;
    if (container === null || found === null || !isThere) return undefined;
    const { section, matches, active } = found;
    const roots: HTMLElement[] = [];
    const marks = createDomMarks(container, roots);
    const reveals = toReveal.current === found;
    // What is drawn after it was shown is marked without being brought into sight: the reader may have gone on since.
    if (!reveals) marks.show({ matches, active }, [section]);
    roots.push(container);
    if (reveals) marks.show({ matches, active }, [section]);
    else marks.redraw();
    if (reveals) toReveal.current = null;
    return marks.close;
  }, [found, isThere, toReveal]);

  const select = (isSelecting: boolean) => () => holder.current?.classList.toggle('pdf__text--selecting', isSelecting);
  return (
    <div
      ref={holder}
      className="pdf__text"
      data-ready={isThere}
      onPointerDown={select(true)}
      onPointerUp={select(false)}
      onPointerCancel={select(false)}
    />
  );
}

function place({ corners }: PageLink, page: PDFPageProxy, rotation: number): CSSProperties {
  const viewport = viewportOf(page, 1, rotation);
  const corner = (x: number, y: number) => viewport.convertToViewportPoint(x, y).map(Number);
  const [x1, y1] = corner(corners[0], corners[1]);
  const [x2, y2] = corner(corners[2], corners[3]);
  const share = (value: number, whole: number) => `${(100 * value) / whole}%`;
  return {
    left: share(Math.min(x1 ?? 0, x2 ?? 0), viewport.width),
    top: share(Math.min(y1 ?? 0, y2 ?? 0), viewport.height),
    width: share(Math.abs((x2 ?? 0) - (x1 ?? 0)), viewport.width),
    height: share(Math.abs((y2 ?? 0) - (y1 ?? 0)), viewport.height),
  };
}

function Note({ text, style }: { readonly text: string; readonly style: CSSProperties }) {
  const { t } = useTranslation();
  const id = useId();
  return (
    <>
      <button type="button" className="pdf__note" style={style} popoverTarget={id} aria-label={t('pdf.note')}>
        <StickyNote />
      </button>
      <div id={id} popover="auto" className="pdf__note-text">
        {text}
      </div>
    </>
  );
}

interface PageLinksProps {
  readonly page: PDFPageProxy;
  readonly rotation: number;
  readonly onDestination: (destination: Destination) => void;
  readonly onStep: (step: PageStep) => void;
}

/** The links and notes of a page, over its text. */
function PageLinks({ page, rotation, onDestination, onStep }: PageLinksProps) {
  const { t } = useTranslation();
  const [links, setLinks] = useState<readonly PageLink[]>([]);
  useEffect(() => {
    let isGone = false;
    pageLinks(page).then(
      (found) => !isGone && setLinks(found),
      // A page whose annotations are damaged has none.
      () => undefined,
    );
    return () => {
      isGone = true;
    };
  }, [page]);
  return links.map((link) => {
    const { id, action } = link;
    const style = place(link, page, rotation);
    if (action.kind === 'note') return <Note key={id} text={action.text} style={style} />;
    if (action.kind === 'address') {
      const { address } = action;
      return (
        <a
          key={id}
          className="pdf__link"
          style={style}
          href={address}
          target="_blank"
          rel="noopener noreferrer"
          title={address}
        >
          <span className="visually-hidden">{t('pdf.linkTo', { address })}</span>
        </a>
      );
    }
    const follow = () => (action.kind === 'step' ? onStep(action.step) : onDestination(action.destination));
    return (
      <button
        key={id}
        type="button"
        className="pdf__link"
        style={style}
        aria-label={t('pdf.linkWithin')}
        onClick={follow}
      />
    );
  });
}

/** One page: its picture, its text, its links. */
export const PdfPage = memo(function PdfPage(props: PdfPageProps) {
  const { pdf, index, box, zoom, rotation, isInSight, isMoving, found, toReveal, onSize } = props;
  const { t } = useTranslation();
  const holder = useRef<HTMLDivElement>(null);
  const canvas = useRef<PageCanvas | null>(null);
  const page = usePage(pdf, index);
  const [isDrawn, setDrawn] = useState(false);
  const [isBroken, setBroken] = useState(false);

  useEffect(() => {
    if (page === null || page === 'failed') return;
    const { width, height } = page.getViewport({ scale: 1 });
    onSize(index, { width, height });
  }, [page, index, onSize]);

  useEffect(() => {
    if (holder.current === null || page === null || page === 'failed') return undefined;
    canvas.current = createPageCanvas({
      holder: holder.current,
      page,
      onDrawn: () => setDrawn(true),
      onFailed: () => setBroken(true),
    });
    return () => {
      canvas.current?.close();
      canvas.current = null;
      setDrawn(false);
    };
  }, [page]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: a page that has come is drawn
  useEffect(() => {
    const pause = isDrawn ? ZOOMING_MS : isInSight ? (isMoving.current ? PASSING_MS : 0) : AHEAD_MS;
    canvas.current?.draw({ zoom, rotation, pixelRatio: devicePixelRatio }, pause);
  }, [page, zoom, rotation, isInSight]);

  const style: CSSProperties & Record<'--total-scale-factor', number> = {
    left: box.left,
    top: box.top,
    width: box.width,
    height: box.height,
    '--total-scale-factor': pixelsPerPoint(zoom),
  };
  return (
    <section
      className="pdf__page"
      style={style}
      aria-label={t('pdf.page', { number: index + 1 })}
      data-page={index + 1}
      data-drawn={isDrawn}
    >
      <div className="pdf__canvas" ref={holder} />
      {(page === 'failed' || isBroken) && (
        <p className="pdf__broken">
          <FileWarning aria-hidden="true" />
          {t('pdf.pageBroken')}
        </p>
      )}
      {isDrawn && page !== null && page !== 'failed' && (
        <>
          <PageText page={page} rotation={rotation} found={found} toReveal={toReveal} />
          <PageLinks page={page} rotation={rotation} onDestination={props.onDestination} onStep={props.onStep} />
        </>
      )}
    </section>
  );
});
