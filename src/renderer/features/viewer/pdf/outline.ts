import type { PDFDocumentProxy } from 'pdfjs-dist';
import { type Destination, safeAddress } from './targets.ts';

/** A heading of a document's outline. */
export interface Heading {
  /** Where it stands in the outline: `2.0.1` is the second heading in the first of the third. */
  readonly path: string;
  readonly title: string;
  /** From 1. */
  readonly level: number;
  /** Place among its siblings, from 1, and how many they are. */
  readonly position: number;
  readonly siblings: number;
  readonly isParent: boolean;
  readonly opensAtFirst: boolean;
  readonly destination: Destination | null;
  readonly address: string | null;
}

type Node = Awaited<ReturnType<PDFDocumentProxy['getOutline']>>[number];

/** As deep as an outline goes; hostile files nest without end. */
const DEEPEST = 32;

function flatten(nodes: readonly Node[], level: number, parent: string): Heading[] {
  if (level > DEEPEST) return [];
  return nodes.flatMap((node, index) => {
    const path = parent === '' ? String(index) : `${parent}.${index}`;
    const items: readonly Node[] = node.items;
    const heading: Heading = {
      path,
      title: node.title.trim(),
      level,
      position: index + 1,
      siblings: nodes.length,
      isParent: items.length > 0,
      // A negative count says that it is closed.
      opensAtFirst: (node.count ?? 0) > 0,
      destination: node.dest,
      address: safeAddress(node.url),
    };
    return [heading, ...flatten(items, level + 1, path)];
  });
}

/** All headings in their order; none where the file has no outline or a damaged one. */
export async function readOutline(pdf: PDFDocumentProxy): Promise<readonly Heading[]> {
  try {
    const nodes: readonly Node[] | null = await pdf.getOutline();
    return flatten(nodes ?? [], 1, '');
  } catch {
    // It is a help beside the pages, which are read without it.
    return [];
  }
}

/** The headings whose parents are all open. */
export function visibleHeadings(headings: readonly Heading[], open: ReadonlySet<string>): readonly Heading[] {
  let closed: string | null = null;
  return headings.filter(({ path, isParent }) => {
    if (closed !== null && path.startsWith(closed)) return false;
    closed = isParent && !open.has(path) ? `${path}.` : null;
    return true;
  });
}
