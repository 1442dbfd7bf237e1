import type { PDFDocumentProxy } from 'pdfjs-dist';
import { useCallback, useEffect, useState } from 'react';
import type { ViewedContent } from '../../../api/viewer.ts';
import { useServices } from '../../../app/services.ts';
import { openPdf } from '../../../ui/pdf/pdfjs.ts';
import { createRangeFetch } from '../../../ui/pdf/rangeFetch.ts';
import type { PageSize } from './pageLayout.ts';

/** How far the opening of a file has come. */
export type PdfState =
  | { readonly state: 'opening' }
  | { readonly state: 'password'; readonly wasWrong: boolean; readonly answer: (password: string) => void }
  | { readonly state: 'open'; readonly pdf: PDFDocumentProxy; readonly firstSize: PageSize }
  | { readonly state: 'failed'; readonly error: unknown };

/** Opens a file for as long as it is looked at. */
export function usePdf({ url, size }: ViewedContent): readonly [PdfState, retry: () => void] {
  const { client } = useServices();
  const [attempt, setAttempt] = useState(0);
  const [state, setState] = useState<PdfState>({ state: 'opening' });
  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt opens the same file again
  useEffect(() => {
    let isGone = false;
    const set = (next: PdfState) => {
      if (!isGone) setState(next);
    };
    const fail = (error: unknown) => set({ state: 'failed', error });
    const opened = openPdf({
      size,
      fetchRange: createRangeFetch({ url, resume: client.resume }),
      onPassword: (give, wasWrong) =>
        set({
          state: 'password',
          wasWrong,
          answer(password) {
            set({ state: 'opening' });
            give(password);
          },
        }),
      onFailed: fail,
    });
    opened.document
      .then(async (pdf) => {
        const { width, height } = (await pdf.getPage(1)).getViewport({ scale: 1 });
        set({ state: 'open', pdf, firstSize: { width, height } });
      })
      .catch(fail);
    return () => {
      isGone = true;
      opened.close();
    };
  }, [url, size, client, attempt]);
  const retry = useCallback(() => {
    setState({ state: 'opening' });
    setAttempt((count) => count + 1);
  }, []);
  return [state, retry];
}
