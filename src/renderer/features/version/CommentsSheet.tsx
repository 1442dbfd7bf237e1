import { MessageSquare } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { useTranslation } from '../../i18n/useTranslation.ts';
import { Dialog } from '../../ui/Dialog.tsx';

export interface CommentsSheetProps {
  /** Whoever was sent to the comments begins there. */
  readonly opens: boolean;
  readonly children: ReactNode;
}

/** The button that opens what is said of a document, over it: where there is no room beside it. */
export function CommentsSheet({ opens, children }: CommentsSheetProps) {
  const { t } = useTranslation();
  const [isShown, setIsShown] = useState(opens);
  return (
    <>
      <button type="button" className="button" aria-haspopup="dialog" onClick={() => setIsShown(true)}>
        <MessageSquare />
        {t('talk.comments')}
      </button>
      {isShown && (
        <Dialog title={t('talk.comments')} onClose={() => setIsShown(false)}>
          {children}
        </Dialog>
      )}
    </>
  );
}
