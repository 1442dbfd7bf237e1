import { AnnotationMode, type PDFPageProxy, RenderingCancelledException, type RenderTask } from 'pdfjs-dist';
import { pixelsPerPoint } from './pageLayout.ts';

/** Pixels of a canvas, at 4 bytes each: what all browsers give, and as sharp as a page four times its size on paper. */
const MOST_PIXELS = 2 ** 24;
const LONGEST_SIDE = 8192;

/** How a page is drawn. */
export interface PageLook {
  readonly zoom: number;
  /** By the reader, on top of the page's own. */
  readonly rotation: number;
  /** Pixels of the device for one of the screen. */
  readonly pixelRatio: number;
}

/** Pixels of the device for one of the screen that a page may have at most, to stay within what a canvas can be. */
export function allowedRatio(width: number, height: number, wanted: number): number {
  return Math.min(wanted, Math.sqrt(MOST_PIXELS / (width * height)), LONGEST_SIDE / Math.max(width, height));
}

/** A page as the reader sees it, in pixels of the screen. */
export function viewportOf(page: PDFPageProxy, zoom: number, rotation: number) {
  return page.getViewport({ scale: pixelsPerPoint(zoom), rotation: (page.rotate + rotation) % 360 });
}

/** Gives the memory of a canvas back at once, not when it is collected. */
export function freeCanvas(canvas: HTMLCanvasElement): void {
  canvas.width = 0;
  canvas.height = 0;
  canvas.remove();
}

/** Draws a page on a canvas. Forms and notes are part of the picture: they show what they hold, and nothing in them acts. */
export function renderPage(
  page: PDFPageProxy,
  canvas: HTMLCanvasElement,
  { zoom, rotation, pixelRatio }: PageLook,
  intent: 'display' | 'print' = 'display',
): RenderTask {
  const viewport = viewportOf(page, zoom, rotation);
  const ratio = allowedRatio(viewport.width, viewport.height, pixelRatio);
  canvas.width = Math.max(1, Math.floor(viewport.width * ratio));
  canvas.height = Math.max(1, Math.floor(viewport.height * ratio));
  const [across, down] = [canvas.width / viewport.width, canvas.height / viewport.height];
  return page.render({
    canvas,
    viewport,
    intent,
    annotationMode: AnnotationMode.ENABLE,
    transform: [across, 0, 0, down, 0, 0],
  });
}

export interface PageCanvasOptions {
  /** Gets the canvas. */
  readonly holder: HTMLElement;
  readonly page: PDFPageProxy;
  readonly onDrawn: () => void;
  readonly onFailed: (error: unknown) => void;
}

/** The picture of a page, which is always that of its latest look; the one before stays until the next is there. */
export interface PageCanvas {
  /** Draws after a pause, in which another look may be asked for; what was drawn or begun already is not drawn again. */
  draw(look: PageLook, pauseMs: number): void;
  close(): void;
}

/** A picture that is there or under way. */
interface Picture {
  readonly canvas: HTMLCanvasElement;
  readonly look: PageLook;
}

const isSame = (a: PageLook | undefined, b: PageLook) =>
  a !== undefined && a.zoom === b.zoom && a.rotation === b.rotation && a.pixelRatio === b.pixelRatio;

export function createPageCanvas({ holder, page, onDrawn, onFailed }: PageCanvasOptions): PageCanvas {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let task: RenderTask | null = null;
  let shown: Picture | null = null;
  let drawing: Picture | null = null;

  function stop(): void {
    clearTimeout(timer);
    task?.cancel();
    if (drawing !== null) freeCanvas(drawing.canvas);
    drawing = null;
  }

  function drop(): void {
    if (shown !== null) freeCanvas(shown.canvas);
    shown = null;
  }

  async function start(look: PageLook): Promise<void> {
    const canvas = document.createElement('canvas');
    canvas.setAttribute('aria-hidden', 'true');
    const picture = { canvas, look };
    drawing = picture;
    // The first picture is seen while it is made; later ones take the place of another.
    if (shown === null) holder.append(canvas);
    task = renderPage(page, canvas, look);
    try {
      await task.promise;
    } catch (error) {
      if (!(error instanceof RenderingCancelledException)) onFailed(error);
      return;
    }
    if (drawing !== picture) return;
    holder.append(canvas);
    drop();
    shown = picture;
    drawing = null;
    onDrawn();
  }

  return {
    draw(look, pauseMs) {
      if (isSame(drawing?.look, look)) return;
      stop();
      if (isSame(shown?.look, look)) return;
      const isTurned = shown !== null && shown.look.rotation !== look.rotation;
      if (isTurned) drop();
      timer = setTimeout(() => void start(look), isTurned ? 0 : pauseMs);
    },
    close() {
      stop();
      drop();
      page.cleanup();
    },
  };
}
