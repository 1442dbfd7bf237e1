import { readFileSync } from 'node:fs';
import { basename, relative, sep } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import type Database from 'better-sqlite3';
import picomatch from 'picomatch';
import { AppError } from '../../shared/errors.ts';
import type { MatchItem, Range, SearchQuery, SearchResult } from '../../shared/model/search.ts';
import { nameKey } from '../../shared/rules/names.ts';
import { decodeAs } from '../extract/decodeText.ts';
import type { Candidates } from './candidates.ts';
import { createMatcher, type Matcher, matchItems, type Sections } from './matcher.ts';
import type { ShardAnswer, ShardHit, ShardQuery } from './shardProtocol.ts';
import { unpackBody } from './shardStore.ts';

/** A search gives way to other work of its thread after so long, and hears then whether it was cancelled. */
const SLICE_MS = 12;
const FIRST_BATCH = 10;
const BATCH = 100;

/** A file or version that may match, as the database has it. */
interface Row {
  readonly id: number;
  readonly text_id: number | null;
  readonly path: string;
  readonly size: number;
  /** Milliseconds since the epoch. */
  readonly time: number;
  readonly root?: string;
  readonly version_id?: string;
  readonly document_id?: string;
  readonly shelf_id?: string;
  readonly library?: string;
  readonly shelf?: string;
  readonly number?: number;
  readonly commit_hash?: string;
  readonly message?: string;
  readonly author?: string;
}

interface TextRow {
  readonly encoding: string | null;
  readonly sections: string | null;
  readonly body: Buffer | null;
  readonly skip_code: string | null;
}

/** What the matcher said of one text, kept for the other versions that carry it. */
interface Verdict {
  readonly text: string;
  readonly matches: readonly Range[];
  readonly sections: Sections | null;
}

const FILE_COLUMNS = 'id, text_id, path, size, mtime_ms AS time, root';
const VERSION_COLUMNS =
  "id, text_id, name AS path, size, unixepoch(committed_at, 'subsec') * 1000 AS time, version_id, document_id, shelf_id, library, shelf, number, commit_hash, message, author";

export interface ShardSearchHooks {
  readonly onHits: (hits: readonly ShardHit[]) => void;
  /** Files that are no longer what the index says. */
  readonly onStale: (paths: readonly string[]) => void;
}

/** Library and shelf that a workspace file belongs to: the first two folders below its root. */
function placeOf(row: Row): { library: string | null; shelf: string | null } {
  if (row.root === undefined) return { library: row.library ?? null, shelf: row.shelf ?? null };
  const parts = relative(row.root, row.path).split(sep);
  return parts.length >= 3 ? { library: parts[0] ?? null, shelf: parts[1] ?? null } : { library: null, shelf: null };
}

/** The path that globs are matched against, with forward slashes. */
function globPath(row: Row): string {
  return row.root === undefined ? row.path : relative(row.root, row.path).split(sep).join('/');
}

function createFilter(asked: ShardQuery): (row: Row) => boolean {
  const { query, shelfIds, missingRoots } = asked;
  const options = { dot: true, nocase: true };
  const included = query.include.length === 0 ? null : picomatch([...query.include], options);
  const excluded = query.exclude.length === 0 ? null : picomatch([...query.exclude], options);
  const shelves = shelfIds === null ? null : new Set(shelfIds);
  const library = query.library === null ? null : nameKey(query.library);
  const shelf = query.shelf === null ? null : nameKey(query.shelf);
  const missing = new Set(missingRoots);
  return (row) => {
    if (shelves !== null && !shelves.has(row.shelf_id ?? '')) return false;
    if (row.root !== undefined && missing.has(row.root)) return false;
    if (included !== null && !included(globPath(row))) return false;
    if (excluded?.(globPath(row))) return false;
    if (library === null && shelf === null) return true;
    const place = placeOf(row);
    if (library !== null && nameKey(place.library ?? '') !== library) return false;
    return shelf === null || nameKey(place.shelf ?? '') === shelf;
  };
}

/** Runs queries over one shard. */
export interface ShardSearch {
  run(asked: ShardQuery, hooks: ShardSearchHooks, signal: AbortSignal): Promise<ShardAnswer>;
}

/** Makes the search over a shard's database. */
export function createShardSearch(database: Database.Database, candidates: Candidates): ShardSearch {
  const textById = database.prepare<[number], TextRow>(
    'SELECT encoding, sections, body, skip_code FROM texts WHERE id = ?',
  );
  const rowsOf = {
    files: database.prepare<[], Row>(`SELECT ${FILE_COLUMNS} FROM files`),
    'current-versions': database.prepare<[], Row>(`SELECT ${VERSION_COLUMNS} FROM versions WHERE is_current = 1`),
    'all-versions': database.prepare<[], Row>(`SELECT ${VERSION_COLUMNS} FROM versions`),
  };
  const unsearchedFiles = database
    .prepare<[], number>(
      `SELECT count(*) FROM files f LEFT JOIN texts t ON t.id = f.text_id WHERE f.skip_code IS NOT NULL OR t.skip_code IS NOT NULL`,
    )
    .pluck();
  const unsearchedVersions = database
    .prepare<[], number>(
      'SELECT count(*) FROM versions v JOIN texts t ON t.id = v.text_id WHERE t.skip_code IS NOT NULL',
    )
    .pluck();

  /** The text of a row: kept by the index, or read from disk as it is now. Null when there is none to search. */
  function readText(row: Row, text: TextRow, stale: string[]): string | null {
    if (text.body !== null) return unpackBody(text.body);
    if (row.root === undefined) return null;
    try {
      const bytes = readFileSync(row.path);
      if (bytes.length !== row.size) stale.push(row.path);
      return decodeAs(bytes, text.encoding ?? 'utf-8');
    } catch (error) {
      if (!['ENOENT', 'ENOTDIR', 'EACCES', 'EPERM', 'EISDIR'].includes((error as NodeJS.ErrnoException).code ?? ''))
        throw error;
      stale.push(row.path);
      return null;
    }
  }

  function verify(row: Row, matcher: Matcher, stale: string[]): Verdict | null {
    if (row.text_id === null) return null;
    const stored = textById.get(row.text_id);
    if (stored === undefined || stored.skip_code !== null) return null;
    const text = readText(row, stored, stale);
    if (text === null) return null;
    return {
      text,
      matches: matcher.guard(() => matcher.find(text)),
      sections: stored.sections === null ? null : (JSON.parse(stored.sections) as Sections),
    };
  }

  /** All rows that may match by content, and those that match by name or message, each with what its name says. */
  function gather(
    asked: ShardQuery,
    matcher: Matcher,
  ): { row: Row; name: readonly Range[]; message: readonly Range[]; possible: boolean }[] {
    const texts = candidates.texts(matcher.literal);
    const accepted = createFilter(asked);
    const found = [];
    for (const row of rowsOf[asked.corpus].iterate()) {
      const possible = row.text_id !== null && (texts === null || texts.has(row.text_id));
      const name = matcher.find(shownName(row));
      const message = row.message === undefined || row.message === '' ? [] : matcher.find(row.message.normalize('NFC'));
      if ((possible || name.length > 0 || message.length > 0) && accepted(row))
        found.push({ row, name, message, possible });
    }
    return found;
  }

  function resultOf(
    row: Row,
    name: readonly Range[],
    message: readonly Range[],
    verdict: Verdict | null,
    query: SearchQuery,
  ): SearchResult {
    const { library, shelf } = placeOf(row);
    const filename = shownName(row);
    const matches = verdict?.matches.length ?? 0;
    const items: MatchItem[] = [];
    if (name.length > 0) items.push({ type: 'Filename', number: 1, line: null, text: filename, ranges: [...name] });
    if (message.length > 0) {
      items.push({
        type: 'Message',
        number: 1,
        line: null,
        text: (row.message ?? '').normalize('NFC'),
        ranges: [...message],
      });
    }
    const limit = Math.max(0, query.itemsPerResult - items.length);
    if (verdict !== null) items.push(...matchItems(verdict.text, verdict.matches, verdict.sections, limit));
    return {
      id: row.version_id ?? row.path,
      filename,
      filenameRanges: [...name],
      path: row.path,
      libraryName: library,
      shelfName: shelf,
      shelfId: row.shelf_id ?? null,
      documentId: row.document_id ?? null,
      versionId: row.version_id ?? null,
      versionNumber: row.number ?? null,
      lastModified: new Date(row.time).toISOString(),
      size: row.size,
      matches,
      commitHash: row.commit_hash ?? null,
      commitMessage: row.message ?? null,
      author: row.author ?? null,
      items,
    };
  }

  return {
    async run(asked, hooks, signal) {
      const { query } = asked;
      const matcher = createMatcher(query);
      const rows = matcher
        .guard(() => gather(asked, matcher))
        .sort(
          (a, b) =>
            Number(b.name.length > 0) - Number(a.name.length > 0) ||
            b.row.time - a.row.time ||
            (a.row.path < b.row.path ? -1 : 1),
        );
      const verdicts = new Map<number, { readonly matches: number }>();
      const hits: ShardHit[] = [];
      let batch: ShardHit[] = [];
      let sent = 0;
      let total = 0;
      let files = 0;
      const stale: string[] = [];
      let sliceEnds = performance.now() + SLICE_MS;

      for (const { row, name, message, possible } of rows) {
        if (performance.now() > sliceEnds) {
          await setImmediate();
          if (signal.aborted) throw new AppError('cancelled', 'the search was cancelled');
          sliceEnds = performance.now() + SLICE_MS;
        }
        const listed = hits.length < query.limit;
        const known = row.text_id === null ? undefined : verdicts.get(row.text_id);
        let verdict: Verdict | null = null;
        let matches = 0;
        if (possible && (known === undefined || (listed && known.matches > 0))) {
          verdict = verify(row, matcher, stale);
          matches = verdict?.matches.length ?? 0;
          // A file on disk may differ from its text by now; only what the index keeps is the same for all that carry it.
          if (row.text_id !== null && row.root === undefined) verdicts.set(row.text_id, { matches });
        } else if (known !== undefined) matches = known.matches;
        if (matches === 0 && name.length === 0 && message.length === 0) continue;
        files += 1;
        total += matches;
        if (!listed) continue;
        const hit = { nameHit: name.length > 0, result: resultOf(row, name, message, verdict, query) };
        hits.push(hit);
        batch.push(hit);
        if (batch.length >= (sent === 0 ? FIRST_BATCH : BATCH)) {
          hooks.onHits(batch);
          sent += batch.length;
          batch = [];
        }
      }
      if (batch.length > 0) hooks.onHits(batch);
      if (stale.length > 0) hooks.onStale(stale);
      const notSearched = (asked.corpus === 'files' ? unsearchedFiles : unsearchedVersions).get() ?? 0;
      return { total, files, notSearched, hits };
    },
  };
}

/** The name that people see and search: of a file without its folders, of a document with the folders of its shelf. */
function shownName(row: Row): string {
  return (row.root === undefined ? row.path : basename(row.path)).normalize('NFC');
}
