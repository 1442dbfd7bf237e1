import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createPeer } from '../../../src/core/rpc/rpc.ts';
import { SearchQuery, type SearchResult } from '../../../src/shared/model/search.ts';
import type { IndexEvents, IndexHostMethods, IndexMethods } from '../../../src/worker/indexProtocol.ts';

const FILES = 120;

let home: string;
let child: ChildProcess;

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'armarium-index-process-'));
  await mkdir(join(home, 'files'));
  for (let at = 0; at < FILES; at += 1) await writeFile(join(home, 'files', `${at}.txt`), `quick brown ${at}\n`);
  child = fork(join(import.meta.dirname, '..', '..', '..', 'src', 'worker', 'indexProcess.ts'), [], {
    serialization: 'advanced',
  });
});
afterEach(async () => {
  child.kill('SIGKILL');
  await rm(home, { recursive: true, force: true });
});

/** Speaks with the process as the main process does. */
function host(listed: IndexHostMethods['listed']) {
  const port = {
    post: (message: unknown) => void child.send(message as never),
    listen: (listener: (message: unknown) => void) => void child.on('message', listener),
  };
  return createPeer<IndexHostMethods, IndexMethods, Record<never, never>, IndexEvents>(
    port,
    { accessToken: async () => null, listed },
    { onUnexpected: (_method, error) => expect.unreachable(String(error)) },
  );
}

describe('the index process', () => {
  it('hands a list over in parts, the next when one was passed on, and ends when it is asked to', async () => {
    const parts: (readonly SearchResult[])[] = [];
    let underWay = 0;
    const index = host(async ({ results }) => {
      underWay += 1;
      expect(underWay).toBe(1);
      parts.push(results);
      await new Promise(setImmediate);
      underWay -= 1;
    });
    const found = new Set<string>();
    index.on('found', ({ results }) => {
      for (const { id } of results) found.add(id);
    });
    await index.call('open', { file: join(home, 'index.db') });
    await index.call('setRoots', { folders: [join(home, 'files')] });
    expect(await index.call('waitForIdle', { timeoutMs: 60_000 })).toBe(true);
    const query = SearchQuery.parse({ text: 'quick brown', scope: 'current', limit: 1000 });
    const summary = await index.call('search', { runId: 'run', query });
    expect(summary.files).toBe(FILES);
    const all = parts.flat().map(({ id }) => id);
    expect(new Set(all).size).toBe(FILES);
    expect(new Set(all)).toEqual(found);
    expect(Math.max(...parts.map(({ length }) => length))).toBeLessThan(FILES);

    const ended = once(child, 'exit');
    await index.call('close', null);
    expect(await ended).toEqual([0, null]);
  });
});
