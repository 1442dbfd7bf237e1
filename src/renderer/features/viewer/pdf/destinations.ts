import type { PDFDocumentProxy } from 'pdfjs-dist';
import { viewportOf } from './pageCanvas.ts';
import type { Destination } from './targets.ts';
import type { PagePoint } from './usePages.ts';

const isReference = (value: unknown): value is { num: number; gen: number } =>
  typeof value === 'object' && value !== null && 'num' in value && 'gen' in value;

const isKind = (value: unknown): value is { name: string } =>
  typeof value === 'object' && value !== null && 'name' in value && typeof value.name === 'string';

/** The height that a destination names, in the page's own points from its foot; null for the whole page. */
function heightOf([, kind, ...values]: readonly unknown[]): number | null {
  const at = { XYZ: 1, FitH: 0, FitBH: 0, FitR: 3 }[isKind(kind) ? kind.name : ''];
  const height = at === undefined ? null : values[at];
  return typeof height === 'number' ? height : null;
}

async function pageOf(pdf: PDFDocumentProxy, target: unknown): Promise<number | null> {
  if (typeof target === 'number' && Number.isInteger(target)) return target;
  return isReference(target) ? pdf.getPageIndex(target) : null;
}

/** Where a destination is among the pages; null for one that leads nowhere, as those of damaged files do. */
export async function resolveDestination(
  pdf: PDFDocumentProxy,
  destination: Destination,
  rotation: number,
): Promise<PagePoint | null> {
  try {
    const spelled = typeof destination === 'string' ? await pdf.getDestination(destination) : destination;
    const page = spelled === null ? null : await pageOf(pdf, spelled[0]);
    if (spelled === null || page === null || page < 0 || page >= pdf.numPages) return null;
    const height = heightOf(spelled);
    if (height === null) return { page };
    const viewport = viewportOf(await pdf.getPage(page + 1), 1, rotation);
    const [, top] = viewport.convertToViewportPoint(0, height);
    return { page, y: Math.min(1, Math.max(0, Number(top) / viewport.height)) };
  } catch {
    // The reference is to something that is no page.
    return null;
  }
}
