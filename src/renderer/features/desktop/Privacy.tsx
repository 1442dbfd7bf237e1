import { FileArchive, History } from 'lucide-react';
import { useId } from 'react';
import { useConsent } from '../../app/consent.ts';
import { useServices } from '../../app/services.ts';
import { useTranslation } from '../../i18n/useTranslation.ts';
import { Section } from '../../ui/Section.tsx';
import { notify } from '../../ui/toast.ts';
import { useErrorText } from '../../ui/useErrorText.ts';
import { useSaveReport } from '../../ui/useSaveReport.ts';

/** What is counted, what is remembered, and what a report of a problem tells. */
export function Privacy() {
  const id = useId();
  const { t } = useTranslation();
  const errorText = useErrorText();
  const { platform } = useServices();
  const saveReport = useSaveReport(platform.shell);
  const { analytics, choose } = useConsent();
  const forget = () =>
    platform.search.log.clear().then(
      () => notify(t('settings.searchesForgotten')),
      (error: unknown) => notify(errorText(error), 'error'),
    );
  return (
    <Section title={t('settings.privacy')}>
      <label className="check">
        <input
          type="checkbox"
          checked={analytics === true}
          aria-describedby={`${id}-counting`}
          onChange={(event) => choose({ analytics: event.target.checked })}
        />
        {t('settings.counting')}
      </label>
      <p id={`${id}-counting`} className="muted">
        {t('settings.countingText')}
      </p>
      <div className="section__row">
        <span className="muted rows__main">{t('settings.searchesText')}</span>
        <button type="button" className="button" onClick={() => void forget()}>
          <History />
          {t('settings.forgetSearches')}
        </button>
      </div>
      <div className="section__row">
        <span className="muted rows__main">{t('settings.reportText')}</span>
        <button type="button" className="button" onClick={saveReport}>
          <FileArchive />
          {t('desktop.report')}
        </button>
      </div>
    </Section>
  );
}
