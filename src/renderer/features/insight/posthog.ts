import posthog from 'posthog-js/dist/module.slim.no-external';
import type { InsightServices } from '../../../shared/model/insight.ts';
import type { Sink } from './sink.ts';

/** A screen is told by its kind, in the place of its address, in which names stand. */
const addressOf = (screen: string) => `${location.origin}/${screen}`;

/** Starts PostHog: page views and page leaves, and nothing that it would gather by itself. */
export function startPosthog({ key, host }: NonNullable<InsightServices['posthog']>): Sink {
  posthog.init(key, {
    api_host: host,
    autocapture: false,
    // At once: nothing waits that would be sent after the consent was taken back.
    request_batching: false,
    capture_pageview: false,
    capture_pageleave: false,
    capture_performance: false,
    disable_session_recording: true,
    disable_surveys: true,
    disable_external_dependency_loading: true,
    advanced_disable_flags: true,
    persistence: 'localStorage',
    person_profiles: 'identified_only',
    before_send: (event) => {
      if (event === null) return null;
      const { $current_url, $pathname } = event.properties;
      const known = Object.entries(event.properties).filter(([name]) => !/url|referr|host|path|title/iu.test(name));
      return { ...event, properties: { ...Object.fromEntries(known), $current_url, $pathname } };
    },
  });
  posthog.opt_in_capturing({ captureEventName: false });
  const about = (screen: string) => ({ $current_url: addressOf(screen), $pathname: `/${screen}` });
  return {
    view: (screen) => posthog.capture('$pageview', about(screen)),
    leave: (screen) => posthog.capture('$pageleave', about(screen)),
    stop: () => posthog.opt_out_capturing(),
  };
}
