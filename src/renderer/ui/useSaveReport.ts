import { useCallback } from 'react';
import { useTranslation } from '../i18n/useTranslation.ts';
import type { ShellServices } from '../platform/types.ts';
import { notify } from './toast.ts';
import { useErrorText } from './useErrorText.ts';

/** Report a problem: the shell asks where to and writes the report; it is said when it is there. */
export function useSaveReport(shell: ShellServices | null): () => void {
  const { t } = useTranslation();
  const errorText = useErrorText();
  return useCallback(() => {
    shell?.saveReport().then(
      (isSaved) => isSaved && notify(t('desktop.reportSaved')),
      (error: unknown) => notify(errorText(error), 'error'),
    );
  }, [shell, t, errorText]);
}
