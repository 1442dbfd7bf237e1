import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CallDefinition } from '../../../src/shared/api/call.ts';
import { fillPath } from '../../../src/shared/api/call.ts';
import { STREAM_ROUTES } from '../../../src/shared/api/documents.ts';
import { api } from '../../../src/shared/api/index.ts';
import type { Shelf } from '../../../src/shared/model/library.ts';
import { createAccount, startTestServer, TestClient, type TestServer, uploadFiles } from '../../helpers/server.ts';

const CALLS = Object.entries(api).flatMap(([area, calls]) =>
  Object.entries(calls).map(([name, call]) => [`${area}.${name}`, call as CallDefinition] as const),
);

let server: TestServer;
let eve: TestClient;
let shelf: Shelf;
let versionId = '';
let documentId = '';
beforeAll(async () => {
  server = await startTestServer();
  const ana = await createAccount(server.url);
  eve = await createAccount(server.url);
  shelf = await ana.call(api.shelves.create, { params: { lib: ana.account.library }, body: { name: 'Private' } });
  const commit = await uploadFiles(ana, shelf, [{ name: 'canary.txt', content: 'canary of ana' }]);
  versionId = commit?.changes[0]?.version_id ?? '';
  documentId = commit?.changes[0]?.document_id ?? '';
  await server.server.indexed();
}, 60_000);
afterAll(() => server.close());

function pathOf(call: CallDefinition, id: string): string {
  const others = [...call.path.matchAll(/\{(\w+)\}/gu)].map(([, name = '']) => [name, id] as const);
  const named = { lib: shelf.library, name: shelf.library, kind: 'shelf', b: 'accept' };
  return fillPath(call.path, { ...Object.fromEntries(others), ...named });
}

/** Calls that only take back what the caller has: there is nothing of others that they could tell. */
const OWN = new Set(['favorites.remove', 'notifications.unfollow']);

const send = (client: TestClient, call: CallDefinition, path: string) =>
  client.fetch(path, {
    method: call.method,
    ...(call.body === undefined ? {} : { headers: { 'content-type': 'application/json' }, body: '{}' }),
  });

describe('every call of the contract', () => {
  it.each(CALLS)('%s is mounted', async (_name, call) => {
    const answer = await send(new TestClient(server.url), call, pathOf(call, randomUUID()));
    const body = (await answer.json()) as { error?: { message: string } };
    expect(body.error?.message ?? '').not.toMatch(/nothing at/u);
  });
  it.each(CALLS.filter(([, call]) => call.access !== 'public'))('%s asks for a sign-in', async (_name, call) => {
    expect((await send(new TestClient(server.url), call, pathOf(call, shelf.id))).status).toBe(401);
  });
  it.each(CALLS.filter(([, call]) => call.method !== 'GET'))(
    '%s refuses a request from another origin',
    async (_name, call) => {
      const answer = await eve.fetch(pathOf(call, shelf.id), {
        method: call.method,
        headers: { origin: 'https://evil.example' },
      });
      expect(answer.status).toBe(403);
    },
  );
  it.each(CALLS.filter(([name, call]) => call.access === 'user' && call.path.includes('{') && !OWN.has(name)))(
    "%s knows nothing of others' things",
    async (name, call) => {
      const isVersion = name === 'documents.version' || name === 'documents.text';
      const id = name === 'documents.history' ? documentId : isVersion ? versionId : shelf.id;
      const query = call.query === undefined ? '' : '?name=x';
      const known = await send(eve, call, pathOf(call, id) + (name.endsWith('checkName') ? query : ''));
      const text = await known.text();
      expect(known.ok).toBe(false);
      expect(text).not.toContain('canary');
      // An answer that differed between another's and nobody's would tell that it is there. Bodies are checked first.
      if (call.body === undefined) expect(known.status).toBe(404);
    },
  );
  it('finds and streams nothing of others', async () => {
    const found = await eve.call(api.search.run, { query: { q: 'canary', scope: 'history' } });
    expect(found.results).toEqual([]);
    for (const path of [STREAM_ROUTES.versionContent, STREAM_ROUTES.versionDownload]) {
      expect((await eve.fetch(fillPath(path, { id: versionId }))).status).toBe(404);
      expect((await new TestClient(server.url).fetch(fillPath(path, { id: versionId }))).status).toBe(401);
    }
    expect((await eve.fetch(fillPath(STREAM_ROUTES.documentDownload, { id: documentId }))).status).toBe(404);
  });
  it('stands in the OpenAPI document', async () => {
    const document = (await (await fetch(`${server.url}/api/openapi.json`)).json()) as {
      paths: Record<string, Record<string, unknown>>;
    };
    for (const [, call] of CALLS) expect(document.paths[call.path]?.[call.method.toLowerCase()]).toBeDefined();
  });
});

describe('requests that nobody of ours sends', () => {
  it.each([
    ['fields that the contract does not name', { name: 'X', owner_id: 'y' }],
    ['another type', { name: 5 }],
    ['nothing', {}],
  ])('are refused: %s', async (_what, body) => {
    const answer = await eve.fetch('/api/v1/libraries/create/', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({ error: { code: 'bad-request' } });
  });
  it('are refused when they are no JSON, or too large', async () => {
    const post = (body: string) =>
      eve.fetch('/api/v1/libraries/create/', { method: 'POST', headers: { 'content-type': 'application/json' }, body });
    expect((await post('{')).status).toBe(400);
    expect((await post(`{"name":"${'x'.repeat(2 * 1024 * 1024)}"}`)).status).toBe(413);
  });
  it('are refused under another host name (DNS rebinding)', async () => {
    const { request } = await import('node:http');
    const status = await new Promise((done) => {
      request(`${server.url}/auth/v1/status/`, { headers: { host: 'evil.example' } }, (response) => {
        response.resume();
        done(response.statusCode);
      }).end();
    });
    expect(status).toBe(403);
  });
});
