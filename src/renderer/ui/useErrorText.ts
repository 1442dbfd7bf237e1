import { useCallback } from 'react';
import { isAppError } from '../../shared/errors.ts';
import { formatDateTime } from '../../shared/rules/format.ts';
import { useTranslation } from '../i18n/useTranslation.ts';

/** The user-facing text of an error: a table from its code, and the reference under which the log has the rest. */
export function useErrorText(): (error: unknown) => string {
  const { t } = useTranslation();
  return useCallback(
    (error) => {
      if (!isAppError(error)) return t('errors.internal');
      const { by, since } = error.details ?? {};
      if (error.code === 'locked' && typeof by === 'string' && typeof since === 'string') {
        return t('errors.lockedSince', { name: by, when: formatDateTime(since) });
      }
      const text = t(`errors.${error.code}`);
      return error.errorId === undefined ? text : `${text} ${t('errors.reference', { id: error.errorId })}`;
    },
    [t],
  );
}
