import type { PDFDocumentProxy } from 'pdfjs-dist';
import { useEffect, useState } from 'react';
import { fillPath } from '../../../../shared/api/call.ts';
import { STREAM_ROUTES } from '../../../../shared/api/documents.ts';
import type { Version } from '../../../../shared/model/library.ts';
import { useServices } from '../../../app/services.ts';
import { openPdf } from '../../../ui/pdf/pdfjs.ts';
import { createRangeFetch } from '../../../ui/pdf/rangeFetch.ts';
import type { VersionPair } from '../comparisons.ts';

/** Two files that are being opened, or are open. */
export type PdfPair =
  | { readonly state: 'opening' | 'locked' }
  | { readonly state: 'failed'; readonly error: unknown }
  | { readonly state: 'open'; readonly base: PDFDocumentProxy; readonly other: PDFDocumentProxy };

/** Opens both files for as long as they are looked at. */
export function usePdfPair({ base, other }: VersionPair): readonly [PdfPair, retry: () => void] {
  const { client } = useServices();
  const [attempt, setAttempt] = useState(0);
  const [pair, setPair] = useState<PdfPair>({ state: 'opening' });
  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt opens the same files again
  useEffect(() => {
    let isGone = false;
    const set = (next: PdfPair) => {
      if (!isGone) setPair(next);
    };
    const fail = (error: unknown) => set({ state: 'failed', error });
    const open = ({ id, size }: Version) =>
      openPdf({
        size,
        fetchRange: createRangeFetch({
          url: fillPath(STREAM_ROUTES.versionContent, { id }),
          resume: client.resume,
        }),
        onPassword: () => set({ state: 'locked' }),
        onFailed: fail,
      });
    const opened = [open(base), open(other)] as const;
    Promise.all([opened[0].document, opened[1].document])
      .then(([older, newer]) => set({ state: 'open', base: older, other: newer }))
      .catch(fail);
    return () => {
      isGone = true;
      for (const each of opened) each.close();
    };
  }, [base.id, other.id, client, attempt]);
  const retry = () => {
    setPair({ state: 'opening' });
    setAttempt((count) => count + 1);
  };
  return [pair, retry];
}
