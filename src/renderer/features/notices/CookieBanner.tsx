import { useState } from 'react';
import { useConsent } from '../../app/consent.ts';
import { useTranslation } from '../../i18n/useTranslation.ts';
import './cookies.css';

/** Asks once, above the page and in nobody's way. Either answer is one press away (desktop-shell.md §2). */
export function CookieBanner() {
  const { t } = useTranslation();
  const { analytics, choose } = useConsent();
  const [isCustom, setCustom] = useState(false);
  const [isAllowed, setAllowed] = useState(true);
  if (analytics !== null) return null;
  return (
    <section className="cookies" aria-label={t('cookies.title')}>
      <div className="cookies__text">
        <strong>{t('cookies.title')}</strong>
        <p>{t('cookies.text')}</p>
      </div>
      {isCustom ? (
        <div className="cookies__actions">
          <label className="check cookies__fixed">
            <input type="checkbox" role="switch" aria-checked="true" checked disabled />
            {t('cookies.essential')}
          </label>
          <label className="check">
            <input
              type="checkbox"
              role="switch"
              aria-checked={isAllowed}
              // biome-ignore lint/a11y/noAutofocus: it stands in the place of the button that was pressed
              autoFocus
              checked={isAllowed}
              onChange={(event) => setAllowed(event.target.checked)}
            />
            {t('cookies.analytics')}
          </label>
          <button type="button" className="button button--small" onClick={() => choose({ analytics: isAllowed })}>
            {t('cookies.save')}
          </button>
        </div>
      ) : (
        <div className="cookies__actions">
          <button type="button" className="button button--small" onClick={() => choose({ analytics: true })}>
            {t('cookies.accept')}
          </button>
          <button type="button" className="button button--small" onClick={() => choose({ analytics: false })}>
            {t('cookies.necessary')}
          </button>
          <button type="button" className="button button--small button--quiet" onClick={() => setCustom(true)}>
            {t('cookies.customize')}
          </button>
        </div>
      )}
    </section>
  );
}
