import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { api } from '../../../src/shared/api/index.ts';
import { createAccount, startTestServer, type TestServer } from '../../helpers/server.ts';

let server: TestServer;
let ana: Awaited<ReturnType<typeof createAccount>>;
beforeAll(async () => {
  server = await startTestServer();
  ana = await createAccount(server.url);
});
afterAll(() => server.close());

function create(name: string, key: string, by = ana): Promise<Response> {
  return by.fetch('/api/v1/libraries/create/', {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'idempotency-key': key },
    body: JSON.stringify({ name }),
  });
}

describe('a request with an idempotency key', () => {
  it('is done once, and answered the same each time', async () => {
    const key = randomUUID();
    const first = await (await create('Once', key)).json();
    const again = await create('Once', key);
    expect([again.status, await again.json()]).toEqual([200, first]);
    const { libraries } = await ana.call(api.libraries.list, {});
    expect(libraries.filter(({ name }) => name === 'Once')).toHaveLength(1);
  });
  it('is done once also when its repetitions overtake each other', async () => {
    const key = randomUUID();
    const answers = await Promise.all(Array.from({ length: 8 }, () => create('Together', key)));
    expect(answers.every(({ status }) => status === 200 || status === 409)).toBe(true);
    expect((await create('Together', key)).status).toBe(200);
  });
  it('that was refused may be tried again', async () => {
    const key = randomUUID();
    expect((await create('Once', key)).status).toBe(409);
    expect((await create('Once', key)).status).toBe(409);
  });
  it('is not taken for another request, and keys are no secrets between people', async () => {
    const key = randomUUID();
    await create('Mine', key);
    expect((await create('Other', key)).status).toBe(400);
    expect((await create('Short', 'x')).status).toBe(400);
    const eve = await createAccount(server.url);
    expect((await create('Theirs', key, eve)).status).toBe(403);
  });
});
