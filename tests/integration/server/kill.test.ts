import { type ChildProcess, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import SqliteDatabase from 'better-sqlite3';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { api } from '../../../src/shared/api/index.ts';
import type { Shelf } from '../../../src/shared/model/library.ts';
import { createAccount, type TestClient, uploadFiles } from '../../helpers/server.ts';

/** Kills in one run; a release is tried with many more. */
const KILLS = Number(process.env.ARMARIUM_TEST_KILLS ?? 25);

let dataDir = '';
let port = 0;
let child: ChildProcess | null = null;
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'armarium-kill-'));
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const address = probe.address();
  port = address !== null && typeof address === 'object' ? address.port : 0;
  probe.close();
  await once(probe, 'close');
});
afterAll(async () => {
  await kill();
  await rm(dataDir, { recursive: true, force: true });
});

async function start(): Promise<void> {
  const entry = join(import.meta.dirname, '..', '..', '..', 'src', 'cli', 'main.ts');
  const args = [entry, 'serve', '--data', dataDir, '--port', String(port)];
  const process_ = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  child = process_;
  await once(createInterface({ input: process_.stdout }), 'line');
}

async function kill(signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
  const running = child;
  child = null;
  if (running === null || running.exitCode !== null) return;
  running.kill(signal);
  await once(running, 'exit');
}

/** What must hold whatever happened: nothing half-made stands in the database. */
function brokenRules(): string[] {
  const database = new SqliteDatabase(join(dataDir, 'armarium.db'), { readonly: true });
  const rules: Readonly<Record<string, string>> = {
    'a document whose current version is not there': `SELECT d.id FROM documents d LEFT JOIN versions v
      ON v.document_id = d.id AND v.number = d.current_version WHERE v.id IS NULL`,
    'version numbers with gaps': `SELECT document_id FROM versions GROUP BY document_id HAVING COUNT(*) <> MAX(number)`,
    'a commit without changes': `SELECT hash FROM commits WHERE hash NOT IN (SELECT commit_hash FROM commit_changes)`,
    'a history that is not one line': `SELECT c.hash FROM commits c LEFT JOIN commits p ON p.hash = c.parent
      WHERE (c.sequence > 1 AND p.sequence IS NOT c.sequence - 1)`,
    'a head that is not the newest commit': `SELECT s.id FROM shelves s WHERE s.head_commit IS NOT
      (SELECT hash FROM commits WHERE shelf_id = s.id ORDER BY sequence DESC LIMIT 1)`,
    'a count that is not right': `SELECT s.id FROM shelves s WHERE s.document_count <>
      (SELECT COUNT(*) FROM documents WHERE shelf_id = s.id AND deleted = 0)`,
    'a reported upload without its commit': `SELECT id FROM uploads WHERE reported = 1 AND commit_hash IS NULL`,
    'a version without its content': `SELECT id FROM versions WHERE sha256 NOT IN (SELECT sha256 FROM blobs)`,
  };
  const broken = Object.entries(rules).filter(([, query]) => database.prepare(query).all().length > 0);
  const integrity = database.pragma('integrity_check', { simple: true });
  database.close();
  return [...broken.map(([rule]) => rule), ...(integrity === 'ok' ? [] : [String(integrity)])];
}

const hashOf = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

async function contentHash(client: TestClient, versionId: string): Promise<string> {
  const response = await client.fetch(`/api/v1/version/${versionId}/content/`);
  return response.ok ? hashOf(Buffer.from(await response.arrayBuffer())) : `status ${response.status}`;
}

describe('a server that is killed at any moment', () => {
  it(`loses no commit that it answered, and leaves nothing half-made (${KILLS} kills)`, async () => {
    await start();
    const ana = await createAccount(`http://127.0.0.1:${port}`);
    const shelf: Shelf = await ana.call(api.shelves.create, {
      params: { lib: ana.account.library },
      body: { name: 'Shelf' },
    });
    const answered = new Map<string, string>();
    // Ended in order, it leaves what it compiled to those that come after it.
    await kill('SIGTERM');
    await start();
    const began = performance.now();
    await uploadFiles(ana, shelf, [{ name: 'first.txt', content: 'first' }], 'how long the first one takes here');
    const firstMs = performance.now() - began;
    const moments = fc.sample(fc.double({ min: 0, max: 2, noNaN: true }), KILLS).map((share) => share * firstMs);
    let round = 0;
    for (const moment of moments) {
      round += 1;
      let isKilled = false;
      const killed = new Promise<void>((done) => {
        setTimeout(() => {
          isKilled = true;
          void kill().then(done);
        }, moment);
      });
      for (let turn = 0; !isKilled; turn += 1) {
        const content = Buffer.alloc(1 + ((turn * 7919) % 200_000), `${round} ${turn} `);
        const files = [
          { name: `document ${turn % 3}.txt`, content },
          { name: `round ${round}, turn ${turn}.txt`, content: `${round}.${turn}` },
        ];
        try {
          const commit = await uploadFiles(ana, shelf, files, `round ${round}`);
          for (const { version_id, sha256 } of commit?.changes ?? []) answered.set(version_id ?? '', sha256 ?? '');
        } catch {
          // The server is gone: whether this commit was made is for the checks below to find consistent.
          break;
        }
      }
      await killed;
      expect(brokenRules()).toEqual([]);
      await start();
    }
    for (const [versionId, sha256] of answered) expect(await contentHash(ana, versionId)).toBe(sha256);
    const { commits } = await ana.call(api.documents.commits, {
      params: { lib: shelf.library, id: shelf.id },
      query: { page_size: 500 },
    });
    const known = new Set(commits.flatMap(({ changes }) => changes.map(({ version_id }) => version_id)));
    for (const versionId of answered.keys()) expect(known.has(versionId)).toBe(true);
    expect(answered.size).toBeGreaterThan(0);
  }, 300_000);
});
