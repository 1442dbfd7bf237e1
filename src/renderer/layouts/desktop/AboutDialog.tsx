import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import brand from '../../../../resources/brand.json';
import type { ShellInfo, WindowControls } from '../../platform/types.ts';
import { Dialog } from '../../ui/Dialog.tsx';
import { Logo } from '../../ui/Logo.tsx';

export interface AboutDialogProps {
  readonly controls: WindowControls;
  readonly onClose: () => void;
}

/** About: name, the shell's version, company, website, copyright, and the open-source notices. */
export function AboutDialog({ controls, onClose }: AboutDialogProps) {
  const { t } = useTranslation();
  const [info, setInfo] = useState<ShellInfo | null>(null);
  const [isUnknown, setUnknown] = useState(false);
  useEffect(() => {
    controls.info().then(setInfo, () => setUnknown(true));
  }, [controls]);
  return (
    <Dialog
      title={t('desktop.aboutTitle')}
      onClose={onClose}
      actions={
        <a className="button" href={brand.openSourcePage} target="_blank" rel="noreferrer" onClick={onClose}>
          {t('desktop.openSource')}
        </a>
      }
    >
      <div className="about">
        <Logo large />
        <div>
          <p className="about__name serif">{brand.name}</p>
          <p>
            {t('desktop.aboutVersion', {
              version: isUnknown ? t('desktop.aboutUnknown') : (info?.version ?? '…'),
            })}
          </p>
        </div>
      </div>
      <p className="muted">{brand.company}</p>
      <p>
        <a className="text-link" href={brand.website} target="_blank" rel="noreferrer">
          {t('desktop.aboutWebsite')}
        </a>
      </p>
      <p className="muted">
        {t('desktop.aboutCopyright', { year: String(new Date().getFullYear()), company: brand.company })}
      </p>
    </Dialog>
  );
}
