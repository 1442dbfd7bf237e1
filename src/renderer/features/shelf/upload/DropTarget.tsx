import { UploadCloud } from 'lucide-react';
import { useTranslation } from '../../../i18n/useTranslation.ts';

/** Says where files go that hover above the page. */
export function DropTarget({ shelf }: { readonly shelf: string }) {
  const { t } = useTranslation();
  return (
    <div className="drop-target">
      <UploadCloud aria-hidden="true" />
      <p className="drop-target__title">{t('shelf.dropTitle', { shelf })}</p>
      <p>{t('shelf.dropText')}</p>
    </div>
  );
}
