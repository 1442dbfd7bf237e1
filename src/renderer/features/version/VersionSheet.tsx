import { type ReactNode, useEffect } from 'react';
import { usePathname } from '../../app/place.ts';
import { useVersionHistory } from '../../app/versionHistory.ts';
import { useTranslation } from '../../i18n/useTranslation.ts';
import { Dialog } from '../../ui/Dialog.tsx';

/** The versions of a document over it, where they have no room beside it. Opened from the top bar, closed by going to one. */
export function VersionSheet({ children }: { readonly children: ReactNode }) {
  const { t } = useTranslation();
  const { isShown, show } = useVersionHistory();
  const pathname = usePathname();
  // biome-ignore lint/correctness/useExhaustiveDependencies: whichever version is gone to, and with the page
  useEffect(() => () => show(false), [show, pathname]);
  if (!isShown) return null;
  return (
    <Dialog title={t('phone.versionHistory')} onClose={() => show(false)}>
      {children}
    </Dialog>
  );
}
