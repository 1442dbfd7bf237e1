import type { DeletedDocument } from '../../../shared/api/trash.ts';
import { useTranslation } from '../../i18n/useTranslation.ts';
import { Dialog } from '../../ui/Dialog.tsx';
import { splitName } from '../../ui/fileKind.ts';
import { useFormats } from '../../ui/useFormats.ts';

export interface RemoveDialogProps {
  readonly documents: readonly DeletedDocument[];
  readonly onConfirm: () => void;
  readonly onClose: () => void;
}

/** Asks before what cannot be undone. */
export function RemoveDialog({ documents, onConfirm, onClose }: RemoveDialogProps) {
  const { t } = useTranslation();
  const formats = useFormats();
  const count = documents.length;
  const versions = documents.reduce((sum, { version_count }) => sum + version_count, 0);
  return (
    <Dialog
      title={t('files.removeTitle', { count, name: splitName(documents[0]?.name ?? '').base })}
      description={t('files.removeText', { count: versions, number: formats.number(versions) })}
      onClose={onClose}
      actions={
        <>
          <button type="button" className="button" onClick={onClose}>
            {t('common.cancel')}
          </button>
          <button type="button" className="button button--danger" onClick={onConfirm}>
            {t('files.removeMany', { count })}
          </button>
        </>
      }
    />
  );
}
