import type { PDFDocumentProxy } from 'pdfjs-dist';
import { AppError } from '../../../../shared/errors.ts';
import { freeCanvas, renderPage } from './pageCanvas.ts';
import { type PageSize, pixelsPerPoint } from './pageLayout.ts';

/** Dots per inch: what office printers show, at a quarter of the memory of twice as many. */
const RESOLUTION = 150;
const POINTS_PER_INCH = 72;

export interface PrintOptions {
  readonly pdf: PDFDocumentProxy;
  /** From 0, both printed. */
  readonly first: number;
  readonly last: number;
  readonly onProgress: (pages: number) => void;
  readonly signal: AbortSignal;
}

/** Pages as pictures, ready for the printer. */
export interface PrintJob {
  /** Opens the browser's own dialog and takes the pictures away when it is done. */
  print(): void;
}

function throwIfCancelled(signal: AbortSignal): void {
  if (signal.aborted) throw new AppError('cancelled', 'the printing was given up');
}

interface Sheet {
  readonly image: HTMLImageElement;
  readonly size: PageSize;
}

async function makeSheet(pdf: PDFDocumentProxy, index: number): Promise<Sheet> {
  const page = await pdf.getPage(index + 1);
  const { width, height } = page.getViewport({ scale: 1 });
  const canvas = document.createElement('canvas');
  const zoom = RESOLUTION / POINTS_PER_INCH / pixelsPerPoint(1);
  await renderPage(page, canvas, { zoom, rotation: 0, pixelRatio: 1 }, 'print').promise;
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve));
  freeCanvas(canvas);
  page.cleanup();
  if (blob === null) throw new AppError('internal', 'the page is too large to be printed');
  const image = new Image();
  image.src = URL.createObjectURL(blob);
  await image.decode();
  return { image, size: { width, height } };
}

/** Every size of page gets sheets of its own, so that what lies across is printed across. */
function sheetRules(sizes: readonly PageSize[]): string {
  return sizes
    .map(
      ({ width, height }, index) => `
        @page pdf-${index} { size: ${width}pt ${height}pt; margin: 0; }
        .pdf-print > [data-sheet="${index}"] { page: pdf-${index}; width: ${width}pt; height: ${height}pt; }`,
    )
    .join('');
}

/**
 * Draws the pages for the printer, beside what the page shows, where only the printer sees them. There is no frame and no
 * window, which the content policy and pop-up blockers would be in the way of.
 */
export async function preparePrint({ pdf, first, last, onProgress, signal }: PrintOptions): Promise<PrintJob> {
  const holder = Object.assign(document.createElement('div'), { className: 'pdf-print' });
  holder.setAttribute('aria-hidden', 'true');
  const sizes: PageSize[] = [];
  const images: HTMLImageElement[] = [];
  const release = () => {
    holder.remove();
    for (const { src } of images) URL.revokeObjectURL(src);
  };
  try {
    for (let index = first; index <= last; index += 1) {
      throwIfCancelled(signal);
      const { image, size } = await makeSheet(pdf, index);
      images.push(image);
      let sheet = sizes.findIndex(({ width, height }) => width === size.width && height === size.height);
      if (sheet < 0) sheet = sizes.push(size) - 1;
      image.alt = '';
      image.dataset.sheet = String(sheet);
      holder.append(image);
      onProgress(index - first + 1);
    }
    throwIfCancelled(signal);
  } catch (error) {
    release();
    throw error;
  }

  return {
    print() {
      const rules = new CSSStyleSheet();
      rules.replaceSync(sheetRules(sizes));
      document.body.append(holder);
      document.adoptedStyleSheets.push(rules);
      const done = () => {
        document.adoptedStyleSheets = document.adoptedStyleSheets.filter((each) => each !== rules);
        release();
      };
      addEventListener('afterprint', done, { once: true });
      window.print();
    },
  };
}
