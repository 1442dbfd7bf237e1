import { FileArchive } from 'lucide-react';
import { useEffect, useState } from 'react';
import brand from '../../../../resources/brand.json';
import { LIMITS } from '../../../shared/rules/limits.ts';
import { useTranslation } from '../../i18n/useTranslation.ts';
import type { ShellInfo, ShellServices, WindowControls } from '../../platform/types.ts';
import { Dialog } from '../../ui/Dialog.tsx';
import { Logo } from '../../ui/Logo.tsx';
import { useSaveReport } from '../../ui/useSaveReport.ts';

export interface AboutDialogProps {
  readonly controls: WindowControls;
  readonly shell: ShellServices | null;
  readonly onClose: () => void;
}

/** About: name, the shell's version, company, website, copyright, the open-source notices, and the way to report a problem. */
export function AboutDialog({ controls, shell, onClose }: AboutDialogProps) {
  const { t } = useTranslation();
  const [info, setInfo] = useState<ShellInfo | null>(null);
  const [isUnknown, setUnknown] = useState(false);
  const saveReport = useSaveReport(shell);
  useEffect(() => {
    controls.info().then(setInfo, () => setUnknown(true));
  }, [controls]);
  return (
    <Dialog
      title={t('desktop.aboutTitle')}
      onClose={onClose}
      actions={
        <>
          {shell !== null && (
            <button type="button" className="button button--quiet" onClick={saveReport}>
              <FileArchive />
              {t('desktop.report')}
            </button>
          )}
          <a className="button" href={brand.openSourcePage} target="_blank" rel="noreferrer" onClick={onClose}>
            {t('desktop.openSource')}
          </a>
        </>
      }
    >
      <div className="about">
        <Logo large />
        <div>
          <p className="about__name serif">{brand.name}</p>
          <p>
            {t('desktop.aboutVersion', {
              version: isUnknown ? t('desktop.aboutUnknown') : (info?.version ?? LIMITS.defaultAppVersion),
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
      {info?.platform === 'linux' && <p className="muted about__packages">{t('desktop.aboutLinux')}</p>}
    </Dialog>
  );
}
