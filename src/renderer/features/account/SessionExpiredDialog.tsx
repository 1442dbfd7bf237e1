import { useSession } from '../../app/services.ts';
import { useTranslation } from '../../i18n/useTranslation.ts';
import { Dialog } from '../../ui/Dialog.tsx';

/** The Session Expired modal (web-and-phone.md §2): its Confirm clears the flag and signs out silently. */
export function SessionExpiredDialog() {
  const { t } = useTranslation();
  const expired = useSession((state) => state.expired);
  const confirmExpired = useSession((state) => state.confirmExpired);
  if (!expired) return null;
  return (
    <Dialog
      title={t('session.expiredTitle')}
      description={t('session.expiredText')}
      onClose={confirmExpired}
      insistent
      size="sm"
      actions={
        <button type="button" className="button button--primary" onClick={confirmExpired}>
          {t('common.confirm')}
        </button>
      }
    />
  );
}
