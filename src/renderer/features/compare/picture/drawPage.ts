import { AnnotationMode, type PDFDocumentProxy } from 'pdfjs-dist';
import type { PictureSize } from './difference.ts';

/** Draws a page so that its longer side has so many pixels, on a canvas of its own. @throws when the page is damaged */
export async function drawPage(
  pdf: PDFDocumentProxy,
  number: number,
  longestSide: number,
  signal: AbortSignal,
): Promise<HTMLCanvasElement> {
  const page = await pdf.getPage(number);
  signal.throwIfAborted();
  const { width, height } = page.getViewport({ scale: 1 });
  const viewport = page.getViewport({ scale: longestSide / Math.max(width, height) });
  const size: PictureSize = {
    width: Math.max(1, Math.round(viewport.width)),
    height: Math.max(1, Math.round(viewport.height)),
  };
  const canvas = Object.assign(document.createElement('canvas'), size);
  const task = page.render({ canvas, viewport, annotationMode: AnnotationMode.ENABLE });
  const stop = () => task.cancel();
  signal.addEventListener('abort', stop);
  try {
    await task.promise;
  } finally {
    signal.removeEventListener('abort', stop);
    page.cleanup();
  }
  return canvas;
}
