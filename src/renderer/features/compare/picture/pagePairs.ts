import type { PDFDocumentProxy } from 'pdfjs-dist';
import { useEffect, useState } from 'react';
import type { Comparison, PagePair } from '../../../../shared/model/compare.ts';
import { type PageMark, pageMark } from '../../../../shared/rules/changedPages.ts';
import { shareThatDiffers } from './difference.ts';
import { drawPage } from './drawPage.ts';

/** Two pages that belong together, and what is known of them. */
export interface ComparedPages extends PagePair {
  readonly mark: PageMark;
}

/** Pages that are looked at beforehand for changes that are not of the text. */
const MOST_SCANNED = 300;
const SCANNED_SIDE = 320;

/** Which pages belong together: by their texts, or where there are none by their numbers. */
function pairsOf({ page_pairs }: Comparison, base: number, other: number): readonly PagePair[] {
  const isWhole =
    page_pairs.filter((pair) => pair.base !== null).length === base &&
    page_pairs.filter((pair) => pair.other !== null).length === other;
  if (isWhole) return page_pairs;
  return Array.from({ length: Math.max(base, other) }, (_, at) => ({
    base: at < base ? at + 1 : null,
    other: at < other ? at + 1 : null,
  }));
}

/** All pages of both files with what is known of them from their texts. */
export function markedPages(comparison: Comparison, base: number, other: number): readonly ComparedPages[] {
  return pairsOf(comparison, base, other).map((pair) => ({ ...pair, mark: pageMark(comparison, pair) }));
}

/** Looks at the pictures of the pages whose texts are the same, one after the other, for which of them changed too. */
export function useScannedPages(
  pages: readonly ComparedPages[],
  base: PDFDocumentProxy,
  other: PDFDocumentProxy,
): readonly ComparedPages[] {
  const [changed, setChanged] = useState<ReadonlySet<number>>(new Set());
  useEffect(() => {
    const left = new AbortController();
    const { signal } = left;
    const scan = async () => {
      for (const [index, pair] of pages.slice(0, MOST_SCANNED).entries()) {
        if (pair.mark !== null || pair.base === null || pair.other === null) continue;
        const older = await drawPage(base, pair.base, SCANNED_SIDE, signal);
        const newer = await drawPage(other, pair.other, SCANNED_SIDE, signal);
        if (signal.aborted) return;
        if (shareThatDiffers(older, newer) > 0) setChanged((before) => new Set([...before, index]));
      }
    };
    // A page that is damaged says so when it is looked at, and one that is left no longer matters.
    scan().catch(() => undefined);
    return () => left.abort();
  }, [pages, base, other]);
  return pages.map((pair, index) => (changed.has(index) ? { ...pair, mark: 'changed' } : pair));
}
