import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import { api } from '../../../shared/api/index.ts';
import { AppError } from '../../../shared/errors.ts';
import type { ShelfDocument } from '../../../shared/model/library.ts';
import { logFailure } from '../../api/log.ts';
import { useServices } from '../../app/services.ts';
import { splitName } from '../../ui/fileKind.ts';
import { saveBlob } from '../../ui/saveBlob.ts';
import { notify } from '../../ui/toast.ts';
import { useErrorText } from '../../ui/useErrorText.ts';

/** The name of a document's PDF. */
export function pdfName(name: string): string {
  return `${splitName(name).base.replace(/(?<=.)\.[^.]*$/u, '')}.pdf`;
}

async function download(url: string): Promise<Blob> {
  try {
    const answer = await fetch(url);
    if (answer.ok) return await answer.blob();
    throw new AppError('storage-unavailable', `the exported file answered ${answer.status}`);
  } catch (error) {
    throw error instanceof AppError
      ? error
      : new AppError('server-unreachable', 'the export broke off', { cause: error });
  }
}

/** Saves the newest version of a document as PDF, or says why there is none (web-and-phone.md §8, decisions.md §11). */
export function useExportPdf(): (document: ShelfDocument) => Promise<void> {
  const { t } = useTranslation();
  const { client } = useServices();
  const errorText = useErrorText();
  return useCallback(
    async ({ id, name }) => {
      const { base } = splitName(name);
      notify(t('rules.exporting', { name: base }), 'info');
      try {
        const { presignedUrl, error } = await client.call(api.pdfExport.current, { params: { id } });
        if (presignedUrl === null) {
          logFailure('export', new AppError('unsupported', 'no PDF of this document'));
          notify(error ?? t('errors.internal'), 'error', undefined, t('rules.notExported', { name: base }));
          return;
        }
        saveBlob(pdfName(name), await download(presignedUrl));
      } catch (error) {
        logFailure('export', error);
        notify(errorText(error), 'error', undefined, t('rules.notExported', { name: base }));
      }
    },
    [t, client, errorText],
  );
}
