import { useEffect, useState } from 'react';
import { api } from '../../../shared/api/index.ts';
import type { ApiClient } from '../../api/client.ts';
import { useConsent } from '../../app/consent.ts';
import { usePathname } from '../../app/place.ts';
import { matchRoute } from '../../app/routes.ts';
import { useServices } from '../../app/services.ts';
import type { Sink } from './sink.ts';

const NONE: readonly Sink[] = [];

/** Loads and starts the services that the server has keys of. */
async function startAll(client: ApiClient): Promise<readonly Sink[]> {
  const { posthog, sentry } = await client.call(api.insight.services, {});
  const started = await Promise.all([
    posthog === null ? null : import('./posthog.ts').then(({ startPosthog }) => startPosthog(posthog)),
    sentry === null ? null : import('./sentry.ts').then(({ startSentry }) => startSentry(sentry)),
  ]);
  return started.filter((sink) => sink !== null);
}

/**
 * Tells services of others what screens are opened and what fails: with consent only, before which not even their code is
 * loaded, and only those that the server has keys of (decisions.md §11). Taking the consent back ends it within the page.
 */
export function InsightWatch() {
  const { client } = useServices();
  const isAllowed = useConsent(({ analytics }) => analytics === true);
  const screen = matchRoute(usePathname()).name;
  const [sinks, setSinks] = useState(NONE);
  useEffect(() => {
    if (!isAllowed) return undefined;
    let isLeft = false;
    let running = NONE;
    const stop = () => {
      for (const sink of running) sink.stop();
    };
    startAll(client)
      .then((started) => {
        running = started;
        if (isLeft) stop();
        else setSinks(started);
      })
      // What is not told concerns nobody here.
      .catch(() => undefined);
    return () => {
      isLeft = true;
      stop();
      setSinks(NONE);
    };
  }, [client, isAllowed]);
  useEffect(() => {
    const leave = () => {
      for (const sink of sinks) sink.leave(screen);
    };
    for (const sink of sinks) sink.view(screen);
    // The last leave of a page comes as far as the browser still sends it.
    addEventListener('pagehide', leave);
    return () => {
      removeEventListener('pagehide', leave);
      leave();
    };
  }, [sinks, screen]);
  return null;
}
