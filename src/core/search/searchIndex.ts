import { mkdirSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { AppError, isAppError } from '../../shared/errors.ts';
import { type IndexStatus, SearchQuery, type SearchResult, type SearchSummary } from '../../shared/model/search.ts';
import { LIMITS } from '../../shared/rules/limits.ts';
import { watchFolder } from '../watch/folderWatcher.ts';
import { createPace } from '../watch/pace.ts';
import { createFolders } from './folders.ts';
import { createIngestQueue } from './ingestQueue.ts';
import { createMatcher } from './matcher.ts';
import { openShardPool, type Shard } from './shardPool.ts';
import { FIRST_RESULTS, type ShardCounts, type ShardHit } from './shardProtocol.ts';
import type { OpenOptions, RunOptions, SearchIndex } from './types.ts';
import { createVersionFeed } from './versionFeed.ts';

const STATUS_EVERY_MS = 100;
/** After so many new files and versions, and so large a share of all, the trigram index is worth merging into fewer segments. */
const OPTIMIZE_AFTER = 1000;
const OPTIMIZE_SHARE = 0.1;
/** An index that stays open is checked for damage once, when the start is over. */
const CHECK_AFTER_MS = 10_000;

function order(a: ShardHit, b: ShardHit): number {
  if (a.rank !== b.rank) return b.rank - a.rank;
  const [first, second] = [a.result, b.result];
  if (first.lastModified !== second.lastModified) return first.lastModified > second.lastModified ? -1 : 1;
  return first.path < second.path ? -1 : first.path > second.path ? 1 : 0;
}

/** Rejects as soon as the caller cancels, whatever the shards are busy with. */
function whenCancelled(signal: AbortSignal): Promise<never> {
  return new Promise<never>((_, reject) => {
    const cancel = () => reject(new AppError('cancelled', 'the search was cancelled'));
    if (signal.aborted) cancel();
    else signal.addEventListener('abort', cancel, { once: true });
  });
}

const NOTHING: ShardCounts = { files: 0, indexed: 0, skipped: 0, versions: 0, bytes: 0 };

/** What most texts in most languages hold something of. */
const WARMING = ['the', 'ation', 'er', 'ing', 'version', 'in', 'ent', 'con'];
/** So often each, which takes some tenths of a second, once a start. */
const WARMING_ROUNDS = 4;

/** Opens an index, making it where there is none; see {@link SearchIndex} for what it does. */
export async function openSearchIndex(options: OpenOptions): Promise<SearchIndex> {
  mkdirSync(dirname(resolve(options.file)), { recursive: true });
  let failure: string | null = null;
  const onWarning = (message: string) => options.onWarning?.(message);
  const pool = await openShardPool(options, (message) => {
    failure = message;
    onWarning(message);
  });
  const { shards } = pool;
  const all = <T>(work: (shard: Shard) => Promise<T>) => Promise.all(shards.map(work));
  const pace = createPace();
  const queue = createIngestQueue({ shards, pace, onProgress: () => refresh(), onWarning });
  const folders = createFolders({
    shards,
    queue,
    pace,
    ignore: options.ignore ?? [],
    watchFolder: options.watchFolder ?? watchFolder,
    onChange: () => refresh(),
    onWarning,
  });
  const feed = createVersionFeed(shards, pace, () => refresh());
  const listeners = new Set<(status: IndexStatus) => void>();
  const runs = new Map<number, (results: readonly SearchResult[]) => void>();
  let closed = false;
  let nextRun = 1;
  /** Files and versions that there were when the trigram index was merged. */
  let mergedAt = 0;
  let counts = NOTHING;
  let checkTimer: NodeJS.Timeout | undefined;

  for (const shard of shards) {
    shard.on('hits', ({ runId, hits }) => runs.get(runId)?.(hits.map((hit) => hit.result)));
    shard.on('stale', ({ paths }) => folders.look(paths));
    shard.on('damaged', () => void folders.reconcile());
  }

  function stateWith(waiting: number): IndexStatus['state'] {
    if (closed) return 'off';
    if (pace.isPaused()) return 'paused';
    if (folders.isScanning()) return 'scanning';
    return waiting > 0 ? 'indexing' : 'ready';
  }

  function status(): IndexStatus {
    const { done, pending: inQueue, secondsLeft } = queue.progress();
    const pending = inQueue + folders.growing();
    return {
      state: stateWith(pending + feed.pending()),
      files: counts.files,
      indexed: counts.indexed,
      done,
      pending,
      skipped: counts.skipped,
      versions: counts.versions,
      pendingVersions: feed.pending(),
      indexBytes: counts.bytes,
      secondsLeft: pace.isPaused() || folders.isScanning() ? null : secondsLeft,
      message: folders.message() ?? failure,
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
      if (!closed) onWarning(`counting: ${String(error)}`);
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

  /** Whether there may be files or versions that no search finds yet. */
  function isWaiting(): boolean {
    return folders.isScanning() || folders.growing() + queue.progress().pending + feed.pending() > 0;
  }

  /** Resolves when everything that was found is searchable. */
  async function settle(): Promise<void> {
    do {
      await folders.settled();
      await queue.idle();
      await feed.settled();
    } while (!closed && (folders.isScanning() || folders.growing() + queue.progress().pending > 0));
    if (closed) return;
    failure = null;
    await recount();
  }

  let tidying: Promise<void> | null = null;
  /** Merging is for later queries: it gives way to everything else. */
  function tidy(): Promise<void> {
    const written = counts.indexed + counts.versions;
    const isDue = Math.abs(written - mergedAt) >= Math.max(OPTIMIZE_AFTER, mergedAt * OPTIMIZE_SHARE);
    if (closed || pace.isPaused() || !isDue) {
      return tidying ?? Promise.resolve();
    }
    mergedAt = written;
    tidying = all((shard) => shard.call('optimize', null))
      .then(recount)
      .finally(() => {
        tidying = null;
      });
    return tidying;
  }

  async function searchOnce(
    query: SearchQuery,
    { corpus, shelfIds, documentIds, signal, onResults }: RunOptions,
  ): Promise<SearchSummary & { readonly results: readonly SearchResult[] }> {
    const started = performance.now();
    const complete = !isWaiting();
    const runId = nextRun++;
    const stop = new AbortController();
    const ends = signal === undefined ? stop.signal : AbortSignal.any([signal, stop.signal]);
    if (onResults !== undefined) runs.set(runId, onResults);
    const cancelled = whenCancelled(ends);
    // Also rejected after the answer, when nobody waits for it any more.
    cancelled.catch(() => undefined);
    try {
      const asked = {
        runId,
        query,
        corpus,
        shelfIds: shelfIds ?? null,
        documentIds: documentIds ?? null,
        missingRoots: folders.missing(),
        stream: onResults !== undefined,
      };
      const answered = all((shard) => shard.call('search', asked, ends));
      answered.catch(() => undefined);
      const answers = await Promise.race([answered, cancelled]);
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
        complete,
        milliseconds: performance.now() - started,
      };
    } finally {
      runs.delete(runId);
      stop.abort();
    }
  }

  let isWarm = false;
  /** The first searches compile what later ones run: they are made before somebody waits for one, and ended when a list is full. */
  async function warm(): Promise<void> {
    if (isWarm || pace.isPaused()) return;
    isWarm = true;
    for (const text of Array.from({ length: WARMING_ROUNDS }, () => WARMING).flat()) {
      if (closed) return;
      const stop = new AbortController();
      const query = SearchQuery.parse({ text, scope: 'current', limit: FIRST_RESULTS });
      let listed = 0;
      const onResults = (results: readonly SearchResult[]) => {
        listed += results.length;
        if (listed >= FIRST_RESULTS) stop.abort();
      };
      try {
        await searchOnce(query, { corpus: 'files', signal: stop.signal, onResults });
      } catch (error) {
        if (!closed && !isAppError(error, 'cancelled')) throw error;
      }
    }
  }

  await recount();
  mergedAt = counts.indexed + counts.versions;
  return {
    async setRoots(wanted) {
      await folders.set(wanted);
      void settle()
        .then(tidy)
        .then(warm)
        .catch((error: unknown) => onWarning(String(error)));
    },
    async reconcile() {
      await folders.reconcile();
      await settle();
    },
    async watch() {
      await folders.watch();
      checkTimer ??= setTimeout(() => {
        settle()
          .then(() => (closed ? [] : all((shard) => shard.call('check', null))))
          .catch((error: unknown) => {
            if (!closed) onWarning(`checking: ${String(error)}`);
          });
      }, CHECK_AFTER_MS).unref();
    },
    async putVersions(records, readBlob) {
      await feed.put(records, readBlob);
      tidy().catch((error: unknown) => {
        if (!closed) onWarning(`merging: ${String(error)}`);
      });
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
    async search(query, run) {
      const length = [...query.text].length;
      if (length < LIMITS.searchMinLength || length > LIMITS.searchMaxLength) {
        throw new AppError(
          'query-invalid',
          `a query has ${LIMITS.searchMinLength} to ${LIMITS.searchMaxLength} characters`,
        );
      }
      if (query.regex) createMatcher(query);
      try {
        return await searchOnce(query, run);
      } catch (error) {
        // A damaged shard was set aside and replaced: what is sound answers, and the rest is being built.
        if (closed || !isAppError(error, 'index-unavailable')) throw error;
        return searchOnce(query, run);
      }
    },
    pause() {
      pace.pause();
      refresh();
    },
    resume() {
      pace.resume();
      refresh();
    },
    setPace: pace.set,
    status,
    folders: folders.status,
    onStatus(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    async skipped() {
      const parts = await all((shard) => shard.call('skipped', null));
      return parts.flat().sort((a, b) => (a.path < b.path ? -1 : 1));
    },
    async retrySkipped() {
      await all((shard) => shard.call('forgetSkipped', null));
      await folders.reconcile();
      await settle();
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
      const idle = settle()
        .then(tidy)
        .then(() => true);
      return Promise.race([idle, timeout]).finally(() => clearTimeout(timer));
    },
    async rebuild() {
      await all((shard) => shard.call('clear', null));
      await recount();
      await folders.reconcile();
    },
    async close() {
      if (closed) return;
      closed = true;
      clearTimeout(checkTimer);
      pace.close();
      await folders.close();
      await queue.close();
      await pool.close();
    },
  };
}
