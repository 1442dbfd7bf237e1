import type { Logger } from 'pino';
import { insight } from '../shared/api/admin.ts';
import { readResponse } from '../shared/api/request.ts';
import type { ServerState } from '../shared/bridge/index.ts';
import { LIMITS } from '../shared/rules/limits.ts';
import { serviceSource } from './policy.ts';
import type { SettingsStore } from './settings.ts';

/** Where the page may send what its services of others are told (decisions/0016), by what the server in use names. */
export interface ServiceSources {
  /** Sources of the content policy. They come with a page, so that what is new holds from the next one on. */
  readonly list: () => readonly string[];
  /** Forgets those of another server, and asks the one in use, unless it is the embedded one. */
  readonly useServer: (state: ServerState) => Promise<void>;
}

async function ask(server: string): Promise<string[]> {
  const response = await fetch(server + insight.services.path, {
    redirect: 'error',
    signal: AbortSignal.timeout(LIMITS.requestTimeoutMs),
  });
  const { posthog, sentry } = readResponse(insight.services, response.status, await response.text());
  const sources = [posthog?.host, sentry?.dsn].map((url) => (url === undefined ? null : serviceSource(url, server)));
  return [...new Set(sources.filter((source) => source !== null))];
}

/** Makes them. The page is there before a server answers: what was named last is remembered between starts. */
export function createServiceSources(settings: Pick<SettingsStore, 'get' | 'set'>, log: Logger): ServiceSources {
  let current: string | null = null;
  return {
    list: () => settings.get('services')?.sources ?? [],
    async useServer({ mode, url }) {
      // The embedded server has no keys of any.
      const server = mode === 'remote' ? url : null;
      current = server;
      if (settings.get('services')?.server !== server) settings.set('services', null);
      if (server === null) return;
      try {
        const sources = await ask(server);
        if (current === server) settings.set('services', { server, sources });
      } catch (error) {
        // Those of before hold: a server that is out of reach has not changed its mind.
        log.warn({ err: error }, 'the server did not say which services it tells');
      }
    },
  };
}
