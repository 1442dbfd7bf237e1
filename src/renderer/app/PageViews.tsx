import { useEffect } from 'react';
import { api } from '../../shared/api/index.ts';
import { useConsent } from './consent.ts';
import { usePathname } from './place.ts';
import { matchRoute } from './routes.ts';
import { useServices } from './services.ts';

/** Counts which kind of screen is opened, by nothing but its kind, and only with consent (decisions.md §11). */
export function PageViews() {
  const { client } = useServices();
  const isAllowed = useConsent(({ analytics }) => analytics === true);
  const screen = matchRoute(usePathname()).name;
  useEffect(() => {
    // A view that is not counted concerns nobody.
    if (isAllowed) client.call(api.insight.pageView, { body: { screen } }).catch(() => undefined);
  }, [client, isAllowed, screen]);
  return null;
}
