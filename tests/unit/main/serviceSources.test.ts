import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createServiceSources } from '../../../src/main/serviceSources.ts';
import type { Settings } from '../../../src/main/settings.ts';
import type { ServerState } from '../../../src/shared/bridge/index.ts';
import type { InsightServices } from '../../../src/shared/model/insight.ts';

const NONE: InsightServices = { posthog: null, sentry: null };
const POSTHOG = { key: 'phc_1', host: 'https://counts.example' };
const remote = (url: string): ServerState => ({ mode: 'remote', url, status: 'ready', message: null });
const CHOOSING: ServerState = { mode: 'none', url: null, status: 'stopped', message: null };

let kept: Settings['services'];
/** What the servers answer, by their origins; one that is missing is out of reach. */
let servers: Record<string, unknown>;

const open = () =>
  createServiceSources(
    {
      get: (() => kept) as never,
      set: (_key, value) => {
        kept = value as Settings['services'];
      },
    },
    pino({ level: 'silent' }),
  );

beforeEach(() => {
  kept = null;
  servers = {};
  vi.stubGlobal('fetch', async (url: string) => {
    const answer = servers[new URL(url).origin];
    if (answer === undefined) throw new TypeError('fetch failed');
    return Response.json(answer);
  });
});
afterEach(() => vi.unstubAllGlobals());

describe('where the page may tell services of others (desktop-shell.md §7)', () => {
  it('is what the server in use names, each once', async () => {
    servers = {
      'https://papers.example': { posthog: POSTHOG, sentry: { dsn: 'https://key@counts.example/1' } },
      'https://quiet.example': NONE,
    };
    const services = open();
    await services.useServer(remote('https://papers.example'));
    expect(services.list()).toEqual(['https://counts.example']);
    await services.useServer(remote('https://quiet.example'));
    expect(services.list()).toEqual([]);
  });
  it('is nothing of what a server names that would open more', async () => {
    servers = {
      'https://papers.example': {
        posthog: { key: 'phc_1', host: 'https://*' },
        sentry: { dsn: 'http://127.0.0.1:9000/1' },
      },
    };
    const services = open();
    await services.useServer(remote('https://papers.example'));
    expect(services.list()).toEqual([]);
  });
  it('is remembered for the next start, of the same server, also while that is out of reach', async () => {
    servers = { 'https://papers.example': { ...NONE, posthog: POSTHOG } };
    await open().useServer(remote('https://papers.example'));
    servers = {};
    const services = open();
    expect(services.list()).toEqual(['https://counts.example']);
    await services.useServer(remote('https://papers.example'));
    expect(services.list()).toEqual(['https://counts.example']);
    await services.useServer(remote('https://other.example'));
    expect(services.list()).toEqual([]);
  });
  it('is nothing with the embedded server, which is not even asked', async () => {
    servers = { 'http://127.0.0.1:5000': { ...NONE, posthog: POSTHOG } };
    const services = open();
    await services.useServer({ mode: 'local', url: 'http://127.0.0.1:5000', status: 'ready', message: null });
    expect(services.list()).toEqual([]);
  });
  it('is not what a server answers that was left meanwhile', async () => {
    servers = { 'https://papers.example': { ...NONE, posthog: POSTHOG } };
    const services = open();
    const asked = services.useServer(remote('https://papers.example'));
    await services.useServer(CHOOSING);
    await asked;
    expect(services.list()).toEqual([]);
  });
});
