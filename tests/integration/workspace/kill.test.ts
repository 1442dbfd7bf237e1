import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createAccount, startTestServer, type TestServer, uploadFiles } from '../../helpers/server.ts';
import { makeShelf, openComputer } from './workspaceFixture.ts';

const DOCUMENTS = 24;
const KILLS = 12;
const RUN = join(import.meta.dirname, '..', '..', 'fixtures', 'workspaceRun.ts');

/** Stands before the server, and tells when a content has been sent. */
async function gate(to: string, onContent: () => void): Promise<{ url: string; server: Server }> {
  const server = createServer(async (request, response) => {
    const headers = { authorization: request.headers.authorization ?? '' };
    const answer = await fetch(to + (request.url ?? ''), { headers });
    response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? '' });
    response.end(Buffer.from(await answer.arrayBuffer()));
    if (request.url?.endsWith('/content/')) onContent();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, server };
}

describe('a workspace that is killed while versions come', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer();
  });
  afterAll(() => server.close());

  it('has lost nothing that was written here, and is in step after the next start', async () => {
    const client = await createAccount(server.url, undefined, { source: 'electron' });
    const here = await openComputer(server.url, { client });
    const shelf = await makeShelf(here);
    const names = Array.from({ length: DOCUMENTS }, (_, at) => `folder ${at % 3}/${at}.txt`);
    const contentsOf = (state: number) => names.map((name) => ({ name, content: `${name} of state ${state}\n` }));
    await uploadFiles(client, shelf, contentsOf(0));
    const copy = await here.keep(shelf);
    await here.workspace.close();
    let left = 0;
    let reached = Promise.withResolvers<void>();
    const { url, server: before } = await gate(server.url, () => {
      left -= 1;
      if (left === 0) reached.resolve();
    });
    for (let round = 1; round <= KILLS; round += 1) {
      // One document is edited on both sides, another only here: neither may go.
      await copy.write(names[0] ?? '', `mine of round ${round}\n`);
      await copy.write('mine.txt', `new of round ${round}\n`);
      await uploadFiles(client, shelf, contentsOf(round));
      left = (round * 7) % (DOCUMENTS - 1) || 1;
      reached = Promise.withResolvers<void>();
      const args = [RUN, url, server.url, client.token ?? '', here.home];
      const child = spawn(process.execPath, args, { stdio: 'inherit' });
      const gone = once(child, 'exit');
      await reached.promise;
      child.kill('SIGKILL');
      await gone;
    }
    before.close();
    const again = await openComputer(server.url, { client, home: here.home });
    try {
      const back = await again.keep(shelf);
      expect(await back.codes()).toEqual({ [names[0] ?? '']: 'C', 'mine.txt': 'A' });
      const last = Object.fromEntries(contentsOf(KILLS).map(({ name, content }) => [name, content]));
      expect(await back.contents()).toEqual({
        ...last,
        [names[0] ?? '']: `mine of round ${KILLS}\n`,
        'mine.txt': `new of round ${KILLS}\n`,
      });
      expect(readdirSync(join(copy.folder, '.armarium')).sort()).not.toContain('documents.json.new');
      expect(again.warnings).toEqual([]);
    } finally {
      await again.close();
      await rm(here.home, { recursive: true, force: true });
    }
  }, 120_000);
});
