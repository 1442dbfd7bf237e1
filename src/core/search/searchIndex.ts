import { existsSync, mkdirSync } from 'node:fs';
import { dirname, resolve, sep } from 'node:path';
import { AppError } from '../../shared/errors.ts';
import type { IndexStatus, SearchResult } from '../../shared/model/search.ts';
import { LIMITS } from '../../shared/rules/limits.ts';
import { type FolderWatcher, watchFolder } from '../watch/folderWatcher.ts';
import { createIgnoreRules, type IgnoreRules } from '../watch/ignoreRules.ts';
import { scanFolder, seeFile } from '../watch/scan.ts';
import { createIngestQueue } from './ingestQueue.ts';
import { createMatcher } from './matcher.ts';
import { openShardPool, type Shard } from './shardPool.ts';
import { ownerOf, type ShardCounts, type ShardHit } from './shardProtocol.ts';
import type { OpenOptions, SearchIndex, VersionRecord } from './types.ts';

const STATUS_EVERY_MS = 100;
const LOOK_FOR_ROOTS_MS = 2000;
const RECONCILE_EVERY_MS = 10 * 60_000;
/** A burst larger than this is followed by a look at everything: watchers lose events in such. */
const BURST = 1000;
/** After so many new files the trigram index is worth merging into one segment. */
const OPTIMIZE_AFTER = 5000;
/** Blobs of the history that are fetched at the same time. */
const FETCHES = 4;

interface Root {
  readonly folder: string;
  readonly rules: IgnoreRules;
  watcher: FolderWatcher | null;
  missing: boolean;
  /** The scan under way, which a further one follows rather than doubles. */
  scanning: Promise<void> | null;
}

function order(a: ShardHit, b: ShardHit): number {
  if (a.nameHit !== b.nameHit) return a.nameHit ? -1 : 1;
  const [first, second] = [a.result, b.result];
  if (first.lastModified !== second.lastModified) return first.lastModified > second.lastModified ? -1 : 1;
  return first.path < second.path ? -1 : first.path > second.path ? 1 : 0;
}

/** Opens an index, making it where there is none; see {@link SearchIndex} for what it does. */
export async function openSearchIndex(options: OpenOptions): Promise<SearchIndex> {
  mkdirSync(dirname(resolve(options.file)), { recursive: true });
  let failure: string | null = null;
  const warn = (message: string) => options.onWarning?.(message);
  const pool = await openShardPool(options, (message) => {
    failure = message;
    warn(message);
  });
  const { shards } = pool;
  const queue = createIngestQueue({ shards, onProgress: () => refresh(), onWarning: warn });
  const listeners = new Set<(status: IndexStatus) => void>();
  const runs = new Map<number, (results: readonly SearchResult[]) => void>();
  let roots: Root[] = [];
  let watching = false;
  let closed = false;
  let nextRun = 1;
  let pendingVersions = 0;
  let newFiles = 0;
  let counts: ShardCounts = { files: 0, indexed: 0, skipped: 0, versions: 0, bytes: 0 };

  const all = <T>(work: (shard: Shard) => Promise<T>) => Promise.all(shards.map(work));
  const isScanning = () => roots.some((root) => root.scanning !== null);

  for (const shard of shards) {
    shard.on('hits', ({ runId, hits }) => runs.get(runId)?.(hits.map((hit) => hit.result)));
    shard.on('stale', ({ paths }) => void look(paths));
  }

  function status(): IndexStatus {
    const { pending, secondsLeft } = queue.progress();
    const missing = roots.filter((root) => root.missing).map((root) => root.folder);
    const state = isScanning() ? 'scanning' : pending + pendingVersions > 0 ? 'indexing' : 'ready';
    return {
      state: closed ? 'off' : state,
      files: counts.files,
      indexed: counts.indexed,
      pending,
      skipped: counts.skipped,
      versions: counts.versions,
      pendingVersions,
      indexBytes: counts.bytes,
      secondsLeft: state === 'scanning' ? null : secondsLeft,
      message: missing.length > 0 ? `Not there at present: ${missing.join(', ')}` : failure,
    };
  }

  /** Counts anew and tells the listeners. */
  async function recount(): Promise<void> {
    try {
      const parts = await all((shard) => shard.call('counts', null));
      const sum = (key: keyof ShardCounts) => parts.reduce((total, part) => total + part[key], 0);
      counts = {
        files: sum('files'),
        indexed: sum('indexed'),
        skipped: sum('skipped'),
        versions: sum('versions'),
        bytes: sum('bytes'),
      };
    } catch (error) {
      if (!closed) warn(`counting: ${String(error)}`);
    }
    for (const listener of listeners) listener(status());
  }

  let refreshing = false;
  let refreshAgain = false;
  /** Something moved: counts soon, at most once in a while. */
  function refresh(): void {
    refreshAgain = true;
    if (refreshing) return;
    refreshing = true;
    void (async () => {
      while (refreshAgain && !closed) {
        refreshAgain = false;
        await recount();
        await new Promise((done) => setTimeout(done, STATUS_EVERY_MS).unref());
      }
      refreshing = false;
    })();
  }

  function rootOf(path: string): Root | undefined {
    return roots.find(({ folder }) => path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep));
  }

  async function remove(path: string): Promise<void> {
    await queue.drop(path);
    if (seeFile(path, path) === null) await all((shard) => shard.call('removeBelow', { path }));
  }

  /** Looks at paths that something may have happened to. */
  async function look(paths: readonly string[]): Promise<void> {
    for (const path of paths) {
      const root = rootOf(path);
      if (root === undefined || closed) continue;
      if (!existsSync(root.folder)) {
        root.missing = true;
        continue;
      }
      if (root.rules.isRulesFile(path)) {
        root.rules.reload();
        void scan(root);
        continue;
      }
      const seen = seeFile(path, root.folder);
      if (seen === null) await remove(path);
      else if (seen === 'folder') {
        if (path === root.folder || root.rules.isIgnored(path, true)) continue;
        for await (const file of scanFolder(path, root.folder, root.rules)) {
          if (!queue.holds(file)) queue.add(file, false);
        }
      } else if (!root.rules.isIgnored(path, false) && !queue.holds(seen)) queue.add(seen, false);
    }
    refresh();
    if (paths.length > BURST) for (const root of roots) void scan(root);
  }

  async function scanOnce(root: Root): Promise<void> {
    root.missing = !existsSync(root.folder);
    if (root.missing || closed) return;
    const known = new Map<string, { size: number; mtimeMs: number }>();
    for (const files of await all((shard) => shard.call('listFiles', { root: root.folder }))) {
      for (const file of files) known.set(file.path, file);
    }
    for await (const file of scanFolder(root.folder, root.folder, root.rules)) {
      if (closed || !roots.includes(root)) return;
      const before = known.get(file.path);
      known.delete(file.path);
      if (before !== undefined && before.size === file.size && before.mtimeMs === file.mtimeMs) continue;
      if (queue.holds(file)) continue;
      if (before === undefined) newFiles += 1;
      queue.add(file, before === undefined);
    }
    if (known.size === 0 || !existsSync(root.folder)) return;
    const paths = [...known.keys()];
    await all((shard) => shard.call('removeFiles', { paths }));
  }

  function scan(root: Root): Promise<void> {
    const next = (root.scanning ?? Promise.resolve())
      .then(() => scanOnce(root))
      .catch((error: unknown) => {
        if (!closed) warn(`scan: ${String(error)}`);
      })
      .finally(() => {
        if (root.scanning === next) root.scanning = null;
        refresh();
      });
    root.scanning = next;
    refresh();
    return next;
  }

  /** Follows a root; what happened before the watcher was ready is found by one more look. */
  async function follow(root: Root): Promise<void> {
    if (root.watcher !== null || root.missing) return;
    root.watcher = await watchFolder({
      root: root.folder,
      rules: root.rules,
      onPaths: (paths) => void look(paths),
      onDoubt: (reason) => {
        warn(`watching: ${reason}`);
        void scan(root);
      },
    });
    await scan(root);
  }

  async function settle(): Promise<void> {
    do {
      await Promise.all(roots.map((root) => root.scanning));
      await queue.idle();
    } while (isScanning() || queue.progress().pending > 0);
    if (newFiles < OPTIMIZE_AFTER || closed) return;
    newFiles = 0;
    await all((shard) => shard.call('optimize', null));
  }

  const findRoots = setInterval(() => {
    for (const root of roots) {
      if (root.missing !== existsSync(root.folder)) continue;
      root.missing = !root.missing;
      if (root.missing) {
        void root.watcher?.close();
        root.watcher = null;
        refresh();
      } else void scan(root).then(() => (watching ? follow(root) : undefined));
    }
  }, LOOK_FOR_ROOTS_MS);
  const reconcileTimer = setInterval(() => {
    if (watching) for (const root of roots) void scan(root);
  }, RECONCILE_EVERY_MS);
  findRoots.unref();
  reconcileTimer.unref();

  async function fetchBlobs(
    wanted: ReadonlyMap<string, VersionRecord>,
    readBlob: (sha256: string, record: VersionRecord) => Promise<Uint8Array>,
  ): Promise<void> {
    const waiting = [...wanted];
    const failures: unknown[] = [];
    await Promise.all(
      Array.from({ length: FETCHES }, async () => {
        for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
          const [sha256, record] = next;
          try {
            const bytes = await readBlob(sha256, record);
            const owner = shards[ownerOf(Buffer.from(sha256, 'hex'), shards.length)] as Shard;
            await owner.call('putBlob', { sha256, name: record.documentName, bytes });
          } catch (error) {
            failures.push(error);
          }
          pendingVersions -= 1;
          refresh();
        }
      }),
    );
    if (failures.length > 0) throw failures[0];
  }

  await recount();
  const index: SearchIndex = {
    async setRoots(folders) {
      const wanted = new Set(folders.map((folder) => resolve(folder)));
      const left = roots.filter((root) => !wanted.has(root.folder));
      roots = roots.filter((root) => wanted.has(root.folder));
      await Promise.all(left.map((root) => root.watcher?.close()));
      for (const { folder } of left) await queue.drop(folder);
      await all((shard) => shard.call('removeRootsExcept', { roots: [...wanted] }));
      const added = [...wanted]
        .filter((folder) => !roots.some((root) => root.folder === folder))
        .map(
          (folder): Root => ({
            folder,
            rules: createIgnoreRules(folder, options.ignore),
            watcher: null,
            missing: !existsSync(folder),
            scanning: null,
          }),
        );
      roots.push(...added);
      await Promise.all(added.map(scan));
      if (watching) await Promise.all(added.map(follow));
    },
    async reconcile() {
      for (const root of roots) root.rules.reload();
      await Promise.all(roots.map(scan));
      await settle();
      await recount();
    },
    async watch() {
      watching = true;
      await Promise.all(roots.map(follow));
    },
    async putVersions(records, readBlob) {
      const byShard = new Map<number, VersionRecord[]>();
      for (const record of records) {
        const owner = ownerOf(Buffer.from(record.sha256, 'hex'), shards.length);
        byShard.set(owner, [...(byShard.get(owner) ?? []), record]);
      }
      const wanted = new Map<string, VersionRecord>();
      for (const [owner, own] of byShard) {
        const hashes = [...new Set(own.map((record) => record.sha256))];
        const missing = new Set(await (shards[owner] as Shard).call('missingTexts', { hashes }));
        for (const record of own) if (missing.has(record.sha256)) wanted.set(record.sha256, record);
      }
      pendingVersions += wanted.size;
      try {
        await fetchBlobs(wanted, readBlob);
      } finally {
        await Promise.all(
          [...byShard].map(([owner, own]) => (shards[owner] as Shard).call('putVersions', { records: own })),
        );
        refresh();
      }
    },
    async versionIds() {
      return new Set((await all((shard) => shard.call('versionIds', null))).flat());
    },
    async removeVersions(versionIds) {
      await all((shard) => shard.call('removeVersions', { versionIds }));
      refresh();
    },
    async renameShelf(shelfId, libraryName, shelfName) {
      await all((shard) => shard.call('renameShelf', { shelfId, libraryName, shelfName }));
    },
    async search(query, { corpus, shelfIds, signal, onResults }) {
      const started = performance.now();
      const length = [...query.text].length;
      if (length < LIMITS.searchMinLength || length > LIMITS.searchMaxLength) {
        throw new AppError(
          'query-invalid',
          `a query has ${LIMITS.searchMinLength} to ${LIMITS.searchMaxLength} characters`,
        );
      }
      createMatcher(query);
      const runId = nextRun++;
      const failed = new AbortController();
      const ends = signal === undefined ? failed.signal : AbortSignal.any([signal, failed.signal]);
      if (onResults !== undefined) runs.set(runId, onResults);
      try {
        const missingRoots = roots.filter((root) => root.missing).map((root) => root.folder);
        const asked = { runId, query, corpus, shelfIds: shelfIds ?? null, missingRoots };
        const answers = await all((shard) => shard.call('search', asked, ends));
        const seen = new Set<string>();
        const hits = answers
          .flatMap((answer) => answer.hits)
          .sort(order)
          .filter(({ result }) => !seen.has(result.id) && seen.add(result.id));
        const files = answers.reduce((sum, answer) => sum + answer.files, 0);
        return {
          results: hits.slice(0, query.limit).map((hit) => hit.result),
          total: answers.reduce((sum, answer) => sum + answer.total, 0),
          files,
          limitHit: files > query.limit,
          notSearched: answers.reduce((sum, answer) => sum + answer.notSearched, 0),
          milliseconds: performance.now() - started,
        };
      } catch (error) {
        failed.abort();
        throw error;
      } finally {
        runs.delete(runId);
      }
    },
    status,
    onStatus(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    async skipped() {
      const parts = await all((shard) => shard.call('skipped', null));
      return parts.flat().sort((a, b) => (a.path < b.path ? -1 : 1));
    },
    async indexedBytes() {
      return (await all((shard) => shard.call('indexedBytes', null))).reduce((sum, bytes) => sum + bytes, 0);
    },
    async hasFile(path) {
      return (await all((shard) => shard.call('hasFile', { path }))).includes(true);
    },
    async waitForIdle(timeoutMs) {
      let timer: NodeJS.Timeout | undefined;
      const timeout = new Promise<boolean>((done) => {
        timer = setTimeout(done, timeoutMs, false);
      });
      const idle = settle().then(async () => {
        await recount();
        return true;
      });
      return Promise.race([idle, timeout]).finally(() => clearTimeout(timer));
    },
    async rebuild() {
      await all((shard) => shard.call('clear', null));
      await recount();
      await Promise.all(roots.map(scan));
    },
    async close() {
      if (closed) return;
      closed = true;
      clearInterval(findRoots);
      clearInterval(reconcileTimer);
      await Promise.all(roots.map((root) => root.watcher?.close()));
      await queue.close();
      await pool.close();
    },
  };
  return index;
}
