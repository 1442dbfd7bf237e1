import type { PDFPageProxy } from 'pdfjs-dist';
import { type Destination, safeAddress } from './targets.ts';

/** What a place of a page does: leads to another site, to a page of this document, or shows a note. */
export type PageAction =
  | { readonly kind: 'address'; readonly address: string }
  | { readonly kind: 'destination'; readonly destination: Destination }
  | { readonly kind: 'step'; readonly step: PageStep }
  | { readonly kind: 'note'; readonly text: string };

/** Pages that links name by what they are to this one. */
export type PageStep = 'NextPage' | 'PrevPage' | 'FirstPage' | 'LastPage';

/** A place of a page that does something. */
export interface PageLink {
  readonly id: string;
  readonly action: PageAction;
  /** In the page's own points: two corners. */
  readonly corners: readonly [number, number, number, number];
}

/** The annotations of pdf.js, which has no types for them; nothing in them can be relied on. */
interface Annotation {
  readonly id?: unknown;
  readonly subtype?: unknown;
  readonly rect?: unknown;
  readonly url?: unknown;
  readonly dest?: unknown;
  readonly action?: unknown;
  readonly hidden?: unknown;
  readonly contentsObj?: { readonly str?: unknown };
}

const STEPS: ReadonlySet<unknown> = new Set(['NextPage', 'PrevPage', 'FirstPage', 'LastPage']);
const isStep = (value: unknown): value is PageStep => STEPS.has(value);

const isCorners = (value: unknown): value is [number, number, number, number] =>
  Array.isArray(value) && value.length === 4 && value.every(Number.isFinite);

const isDestination = (value: unknown): value is Destination =>
  Array.isArray(value) || (typeof value === 'string' && value !== '');

function actionOf({ subtype, url, dest, action, contentsObj }: Annotation): PageAction | null {
  if (subtype === 'Link') {
    const address = safeAddress(url);
    if (address !== null) return { kind: 'address', address };
    if (isDestination(dest)) return { kind: 'destination', destination: dest };
    return isStep(action) ? { kind: 'step', step: action } : null;
  }
  const text = typeof contentsObj?.str === 'string' ? contentsObj.str.trim() : '';
  return subtype !== 'Popup' && subtype !== 'Widget' && subtype !== 'FreeText' && text !== ''
    ? { kind: 'note', text }
    : null;
}

/**
 * The links and notes of a page. All that annotations can do besides is left out: scripts, attachments, other programs, forms
 * that are sent.
 */
export async function pageLinks(page: PDFPageProxy): Promise<readonly PageLink[]> {
  const annotations: readonly Annotation[] = await page.getAnnotations({ intent: 'display' });
  return annotations.flatMap((annotation, index) => {
    const action = actionOf(annotation);
    const { rect, hidden } = annotation;
    if (action === null || hidden === true || !isCorners(rect)) return [];
    return [{ id: `${index} ${String(annotation.id)}`, action, corners: rect }];
  });
}
