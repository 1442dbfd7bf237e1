import { useTranslation } from 'react-i18next';
import { useConsent } from '../../app/consent.ts';
import './cookies.css';

/** Asks once, above the page and in nobody's way. Either answer is one press away. */
export function CookieBanner() {
  const { t } = useTranslation();
  const { consent, choose } = useConsent();
  if (consent !== null) return null;
  return (
    <section className="cookies" aria-label={t('cookies.title')}>
      <p className="cookies__text">{t('cookies.text')}</p>
      <div className="cookies__actions">
        <button type="button" className="button button--small" onClick={() => choose('necessary')}>
          {t('cookies.necessary')}
        </button>
        <button type="button" className="button button--small" onClick={() => choose('all')}>
          {t('cookies.allow')}
        </button>
      </div>
    </section>
  );
}
