import { useEffect } from 'react';
import { navigate, useSearch } from '../../app/place.ts';
import { paths, safeReturnPath } from '../../app/routes.ts';
import { useTranslation } from '../../i18n/useTranslation.ts';
import { useTitle } from '../../ui/useTitle.ts';

/** Goes on to the place of the application that the address names, and to the start without one. */
export function RedirectPage() {
  const { t } = useTranslation();
  const query = new URLSearchParams(useSearch());
  const to = safeReturnPath(query.get('to')) ?? paths.home;
  useTitle(t('pages.redirecting'));
  useEffect(() => navigate(to, { replace: true }), [to]);
  return (
    <div className="state" role="status">
      <span className="spinner" />
      <p className="state__text">{t('pages.redirecting')}</p>
    </div>
  );
}
