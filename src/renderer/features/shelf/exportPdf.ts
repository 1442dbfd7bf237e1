import { useCallback } from 'react';
import { api } from '../../../shared/api/index.ts';
import { AppError } from '../../../shared/errors.ts';
import type { ShelfDocument } from '../../../shared/model/library.ts';
import { logFailure } from '../../api/log.ts';
import { useServices } from '../../app/services.ts';
import { useTranslation } from '../../i18n/useTranslation.ts';
import { splitName } from '../../ui/fileKind.ts';
import { saveBlob } from '../../ui/saveBlob.ts';
import { notify, notifyDuring } from '../../ui/toast.ts';
import { useErrorText } from '../../ui/useErrorText.ts';

/** The name of a document's PDF: its own with another extension. */
function pdfName(base: string): string {
  return `${base.replace(/(?<=.)\.[^.]*$/u, '')}.pdf`;
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
      const refuse = (reason: string) => notify(reason, 'error', undefined, t('rules.notExported', { name: base }));
      const save = async () => {
        const { presignedUrl, error } = await client.call(api.pdfExport.current, { params: { id } });
        if (presignedUrl !== null) {
          saveBlob(pdfName(base), await download(presignedUrl));
          return;
        }
        logFailure('export', new AppError('unsupported', 'the server made no PDF'));
        refuse(error === null ? t('errors.internal') : t('rules.exportReason', { reason: error }));
      };
      const saving = save().catch((error: unknown) => {
        logFailure('export', error);
        refuse(errorText(error));
      });
      await notifyDuring(t('rules.exporting', { name: base }), saving);
    },
    [t, client, errorText],
  );
}
