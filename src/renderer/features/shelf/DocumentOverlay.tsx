import type { ShelfDocument } from '../../../shared/model/library.ts';
import { useTranslation } from '../../i18n/useTranslation.ts';
import { Dialog } from '../../ui/Dialog.tsx';
import { splitName } from '../../ui/fileKind.ts';
import { type ItemOutcome, OutcomeDialog } from '../../ui/OutcomeDialog.tsx';
import type { DocumentActions } from './documentActions.ts';
import { VersionsDialog } from './VersionsDialog.tsx';

/** What stands over the list of documents: one at a time. */
export type Overlay =
  | { readonly kind: 'versions' | 'break-lock'; readonly document: ShelfDocument }
  | { readonly kind: 'report'; readonly title: string; readonly outcomes: readonly ItemOutcome[] };

interface BreakLockProps {
  readonly document: ShelfDocument;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
}

function BreakLockDialog({ document, onConfirm, onClose }: BreakLockProps) {
  const { t } = useTranslation();
  return (
    <Dialog
      title={t('files.breakLockTitle', { name: splitName(document.name).base })}
      description={t('files.breakLockText', { name: document.lock?.by ?? '' })}
      onClose={onClose}
      actions={
        <>
          <button type="button" className="button" onClick={onClose}>
            {t('common.cancel')}
          </button>
          <button type="button" className="button button--danger" onClick={onConfirm}>
            {t('files.breakLock')}
          </button>
        </>
      }
    />
  );
}

export interface DocumentOverlayProps {
  readonly overlay: Overlay;
  readonly library: string;
  readonly shelfId: string;
  readonly canWrite: boolean;
  readonly actions: DocumentActions;
  readonly onClose: () => void;
}

/** The dialog that was asked for. */
export function DocumentOverlay({ overlay, library, shelfId, canWrite, actions, onClose }: DocumentOverlayProps) {
  if (overlay.kind === 'report') {
    return <OutcomeDialog title={overlay.title} outcomes={overlay.outcomes} onClose={onClose} />;
  }
  const { document } = overlay;
  if (overlay.kind === 'break-lock') {
    const onConfirm = () => {
      onClose();
      void actions.giveBack(document);
    };
    return <BreakLockDialog document={document} onConfirm={onConfirm} onClose={onClose} />;
  }
  return (
    <VersionsDialog
      document={document}
      library={library}
      shelfId={shelfId}
      canWrite={canWrite}
      actions={actions}
      onClose={onClose}
    />
  );
}
