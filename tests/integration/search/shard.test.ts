import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MessageChannel } from 'node:worker_threads';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createPeer, type Port } from '../../../src/core/rpc/rpc.ts';
import { serveShard } from '../../../src/core/search/shard.ts';
import type { SeenFile, ShardEvents, ShardMethods } from '../../../src/core/search/shardProtocol.ts';
import { workerEntry } from '../../../src/worker/entries.ts';
import { queryOf } from './indexFixture.ts';

let folder: string;
let channel: MessageChannel;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'armarium-shard-'));
  channel = new MessageChannel();
});
afterEach(() => {
  channel.port1.close();
  rmSync(folder, { recursive: true, force: true });
});

function seen(name: string, content: string): SeenFile {
  const path = join(folder, name);
  writeFileSync(path, content);
  const { size, mtimeMs, ctimeMs, ino } = statSync(path);
  return { path, root: folder, size, mtimeMs, ctimeMs, inode: ino };
}

/** A shard in this very thread, so that what it is told comes between two stretches of its search for certain. */
function openShard() {
  const failures: string[] = [];
  const portOf = (port: MessageChannel['port1']): Port => ({
    post: (message) => port.postMessage(message),
    listen: (listener) => port.on('message', listener),
  });
  const extractEntry = workerEntry('extractThread').href;
  serveShard(portOf(channel.port1), { file: join(folder, 'index.db'), shard: 0, shards: 1, extractEntry });
  const shard = createPeer<Record<never, never>, ShardMethods, Record<never, never>, ShardEvents>(
    portOf(channel.port2),
    {},
    { onUnexpected: (method, error) => failures.push(`${method}: ${String(error)}`) },
  );
  shard.on('failed', ({ message }) => failures.push(message));
  return { shard, failures };
}

describe('a shard', () => {
  it.each(['close', 'clear'] as const)(
    'ends a search with a reason when told to %s in the midst of it',
    async (what) => {
      const { shard, failures } = openShard();
      const text = 'a word in words '.repeat(500);
      await shard.call('ingest', {
        files: Array.from({ length: 1000 }, (_, at) => seen(`${at}.txt`, `${at} ${text}`)),
      });
      const query = queryOf('word');
      const asked = {
        query,
        corpus: 'files',
        shelfIds: null,
        documentIds: null,
        missingRoots: [],
        stream: false,
      } as const;
      const ended = shard.call('search', { ...asked, runId: 1 }).catch((error: unknown) => error);
      await shard.call(what, null);
      expect(await ended).toMatchObject({ code: 'index-unavailable' });
      expect(failures).toEqual([]);
      if (what === 'clear') {
        expect(await shard.call('search', { ...asked, runId: 2 })).toMatchObject({ total: 0 });
        await shard.call('close', null);
      }
    },
  );
});
