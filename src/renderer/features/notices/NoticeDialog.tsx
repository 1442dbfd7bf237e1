import { useState } from 'react';
import type { ServiceNotice } from '../../../shared/model/notice.ts';
import { useTranslation } from '../../i18n/useTranslation.ts';
import { Dialog } from '../../ui/Dialog.tsx';
import { NoticeContent } from '../../ui/NoticeContent.tsx';
import './notice.css';

export interface NoticeDialogProps {
  readonly notice: ServiceNotice;
  readonly onConfirm: (isNotAgain: boolean) => void;
}

/** The service notice popup (web-and-phone.md §2): only its Confirm closes it. */
export function NoticeDialog({ notice, onConfirm }: NoticeDialogProps) {
  const { t } = useTranslation();
  const [isNotAgain, setNotAgain] = useState(false);
  const title = notice.title === '' ? t('talk.serviceNotice') : notice.title;
  const confirm = () => onConfirm(isNotAgain);
  return (
    <Dialog
      title={title}
      onClose={confirm}
      insistent
      actions={
        <>
          <label className="check notice-again">
            <input type="checkbox" checked={isNotAgain} onChange={(event) => setNotAgain(event.target.checked)} />
            {t('talk.dontShowAgain')}
          </label>
          <button type="button" className="button button--primary" onClick={confirm}>
            {t('common.confirm')}
          </button>
        </>
      }
    >
      <NoticeContent title={title} content={notice.content} contentType={notice.content_type} />
    </Dialog>
  );
}
