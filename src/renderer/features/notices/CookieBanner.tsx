import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { useConsent } from '../../app/consent.ts';
import { useTranslation } from '../../i18n/useTranslation.ts';
import { isPhoneLayout } from '../../ui/layoutKind.ts';
import './cookies.css';

/** Tells style sheets how much of the screen's lower end an element covers, for what else stands there to stay above it. */
function useCovering(isThere: boolean) {
  const covering = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    const element = covering.current;
    if (!isThere || element === null) return;
    const { style } = document.documentElement;
    const observer = new ResizeObserver(() => style.setProperty('--covered-bottom', `${element.offsetHeight}px`));
    observer.observe(element);
    return () => {
      observer.disconnect();
      style.removeProperty('--covered-bottom');
    };
  }, [isThere]);
  return covering;
}

/** Whether the font of the texts has come, or will not. */
function useFontSettled(): boolean {
  const [isSettled, setSettled] = useState(false);
  useEffect(() => {
    const settle = () => setSettled(true);
    document.fonts.load(getComputedStyle(document.body).font).then(settle, settle);
  }, []);
  return isSettled;
}

/** Asks once, above the page and in nobody's way. Either answer is one press away (desktop-shell.md §2). */
export function CookieBanner() {
  const { t } = useTranslation();
  const { analytics, choose } = useConsent();
  const [isCustom, setCustom] = useState(false);
  const [isAllowed, setAllowed] = useState(true);
  const isPhone = isPhoneLayout();
  const covering = useCovering(isPhone && analytics === null);
  // Over the end of a narrow screen it would be seen to grow with every line that the font breaks elsewhere.
  const isShown = useFontSettled() || !isPhone;
  if (analytics !== null) return null;
  return (
    <section
      ref={covering}
      className={isShown ? 'cookies' : 'cookies cookies--waiting'}
      aria-label={t('cookies.title')}
    >
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
