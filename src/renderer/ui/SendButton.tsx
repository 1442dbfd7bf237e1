import { Send } from 'lucide-react';
import { useTranslation } from '../i18n/useTranslation.ts';

/** Whether the browser has the system's sheet for sending something to somebody: phones do. */
export const canSend = () => typeof navigator.share === 'function';

export interface SendButtonProps {
  /** What the address leads to. */
  readonly title: string;
  /** Of the page itself when it is left out. */
  readonly url?: string;
  /** Tells it from others of a list. */
  readonly label?: string;
  readonly small?: boolean;
}

/** The address of this page as it is good on any device: phones have theirs below `/m`. */
const ownAddress = () => location.href.replace(`${location.origin}/m/`, `${location.origin}/`);

/** Hands an address to the system's own sheet; not there where the system has none. */
export function SendButton({ title, url, label, small = false }: SendButtonProps) {
  const { t } = useTranslation();
  if (!canSend()) return null;
  const send = () => {
    // Given up by the person: nothing to say.
    navigator.share({ title, url: url ?? ownAddress() }).catch(() => undefined);
  };
  return (
    <button type="button" className={small ? 'button button--small' : 'button'} aria-label={label} onClick={send}>
      <Send />
      {small ? t('sharing.sendOne') : t('sharing.send')}
    </button>
  );
}
