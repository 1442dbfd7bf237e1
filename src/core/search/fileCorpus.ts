import type Database from 'better-sqlite3';
import type { Entry } from './entry.ts';
import type { Proposal } from './postings.ts';
import type { Place } from './queryFilter.ts';

/** A file that a query may find. */
export interface FileEntry extends Entry {
  readonly textId: number | null;
  /** How its text is had (schema.ts); `isSkipped`: there is none. */
  readonly form: 'plain' | 'container' | null;
  readonly encoding: string | null;
  readonly isSkipped: boolean;
  /** `time` as the system tells it, to see whether it was changed since. */
  readonly mtimeMs: number;
}

/** The files that a query runs over. */
export interface FileCorpus {
  /** Upper bound of the number of files, for the index to tell whether asking it is worth while. */
  bound(): number;
  /** Files whose name is proposed, the latest first, in pages that are fetched when asked for. */
  named(names: RowSet): Generator<FileEntry[], undefined>;
  /**
   * Files whose text is proposed, in such pages too: the latest first as long as `isOrdered`, then as they were found on disk, where
   * neighbours are read sooner.
   */
  pages(texts: RowSet, isOrdered: () => boolean): Generator<FileEntry[], undefined>;
  /** Places of the files whose content cannot be searched. */
  unsearched(): Place[];
  /** Reads the order of all files into memory, where what was written since made it old; the next query goes by it. */
  refresh(): void;
}

/** What is proposed, for looking up. */
export interface RowSet {
  readonly proposal: Proposal;
  has(row: number | null): boolean;
}

/** A set of the rows that are proposed. */
export function rowSet(proposal: Proposal): RowSet {
  if (proposal === 'none') return { proposal, has: () => false };
  if (proposal === 'all') return { proposal, has: (row) => row !== null };
  const { rows } = proposal;
  const first = rows[0] ?? 0;
  const isIn = new Uint8Array((rows.at(-1) ?? 0) - first + 1);
  for (const row of rows) isIn[row - first] = 1;
  return { proposal, has: (row) => row !== null && isIn[row - first] === 1 };
}

/** So many are looked up one by one; of more, all files are gone through in their order. */
const FEW = 300;
/** Files of a page: few at first, since somebody waits for them, then twice as many each time. */
const FIRST_PAGE = 64;
const LARGEST_PAGE = 256;
/** Rows that are gone through at once for them. */
const ROWS_AT_ONCE = 1024;

interface FileRow {
  readonly id: number;
  readonly text_id: number | null;
  readonly path: string;
  readonly root: string;
  readonly size: number;
  readonly time: number;
  readonly mtime_ms: number;
  readonly form: 'plain' | 'container' | null;
  readonly encoding: string | null;
  readonly sections: string | null;
  readonly is_skipped: number;
}

const toPlace = ({ root, path, time }: Pick<FileRow, 'root' | 'path' | 'time'>): Place => ({
  path,
  root,
  shelfId: null,
  documentId: null,
  library: null,
  shelf: null,
  author: null,
  time,
});

const toEntry = (row: FileRow): FileEntry => ({
  ...toPlace(row),
  id: row.id,
  textId: row.text_id,
  form: row.form,
  encoding: row.encoding,
  sections: row.sections,
  isSkipped: row.is_skipped !== 0,
  size: row.size,
  mtimeMs: row.mtime_ms,
  version: null,
});

/** The files, the latest first, with their texts (0 for none). */
interface Order {
  readonly at: number;
  readonly ids: Int32Array;
  readonly textIds: Int32Array;
}

interface OrderedRow {
  readonly id: number;
  readonly text_id: number | null;
  readonly time: number;
}

type Ids = readonly number[] | Int32Array;
const pageAfter = (size: number) => Math.min(2 * size, LARGEST_PAGE);
const listed = (ids: Iterable<number>) => JSON.stringify([...ids]);

/** Opens the files of a shard. */
export function openFileCorpus(database: Database.Database): FileCorpus {
  const select = `SELECT f.id, f.text_id, path, root, size, mtime_ms, time, t.form, t.encoding, t.sections,
      t.skip_code IS NOT NULL AS is_skipped
    FROM files f LEFT JOIN texts t ON t.id = f.text_id`;
  const given = '(SELECT value FROM json_each(?))';
  const latestFirst = 'ORDER BY time DESC, id DESC';
  const bound = database.prepare<[], number>('SELECT coalesce(max(id), 0) FROM files').pluck();
  const byIds = database.prepare<[string], FileRow>(`${select} WHERE f.id IN ${given}`);
  const withTexts = database
    .prepare<[string], number>(`SELECT id FROM files WHERE text_id IN ${given} ${latestFirst}`)
    .pluck();
  const known = database.prepare<[string], number>(`SELECT id FROM files WHERE id IN ${given} ${latestFirst}`).pluck();
  const inOrder = database.prepare<[number, number], OrderedRow>(
    `SELECT id, text_id, time FROM files WHERE (time, id) < (?, ?) ${latestFirst} LIMIT ${ROWS_AT_ONCE}`,
  );
  const wholeOrder = database
    .prepare<[], [number, number]>(`SELECT id, coalesce(text_id, 0) FROM files ${latestFirst}`)
    .raw();
  const unsearched = database.prepare<[], FileRow>(
    `SELECT path, root, time FROM files WHERE skip_code IS NOT NULL
     UNION ALL SELECT f.path, f.root, f.time FROM texts t JOIN files f ON f.text_id = t.id WHERE t.skip_code IS NOT NULL`,
  );
  const changes = database.prepare<[], number>('SELECT total_changes()').pluck();
  let unread: { readonly at: number; readonly places: Place[] } | null = null;
  let order: Order | null = null;

  /** Those of the files that are still there, in the order of `ids`; many at once cost a tenth of one by one. */
  function entries(ids: Ids): FileEntry[] {
    const found = new Map(byIds.all(listed(ids)).map((row) => [row.id, toEntry(row)]));
    return Array.from(ids).flatMap((id) => found.get(id) ?? []);
  }

  function* knownPages(ids: Ids, first: number): Generator<FileEntry[], undefined> {
    for (let start = 0, size = first; start < ids.length; size = pageAfter(size)) {
      yield entries(ids.slice(start, start + size));
      start += size;
    }
  }

  /** All files in their order, in pieces: as they are in memory or, when that is old, as they are in the database. */
  function* inTheirOrder(): Generator<Pick<Order, 'ids' | 'textIds'>, undefined> {
    if (order !== null && order.at === changes.get()) {
      yield order;
      return;
    }
    let last: OrderedRow | undefined = { id: Number.MAX_SAFE_INTEGER, text_id: null, time: Number.MAX_SAFE_INTEGER };
    while (last !== undefined) {
      const rows: OrderedRow[] = inOrder.all(last.time, last.id);
      yield {
        ids: Int32Array.from(rows, ({ id }) => id),
        textIds: Int32Array.from(rows, ({ text_id }) => text_id ?? 0),
      };
      last = rows.at(-1);
    }
  }

  type IsProposed = (id: number, textId: number | null) => boolean;
  function* allPages(isProposed: IsProposed, isOrdered: () => boolean): Generator<FileEntry[], undefined> {
    let size = FIRST_PAGE;
    let proposed: number[] = [];
    for (const { ids, textIds } of inTheirOrder()) {
      // Not by iterators of pairs, which make as much garbage as all the rest of a search.
      for (let at = 0; at < ids.length; at += 1) {
        const [id, textId] = [ids[at] ?? 0, textIds[at] ?? 0];
        if (!isProposed(id, textId === 0 ? null : textId)) continue;
        proposed.push(id);
        if (proposed.length < size || !isOrdered()) continue;
        yield entries(proposed);
        proposed = [];
        size = pageAfter(size);
      }
    }
    yield* knownPages(isOrdered() ? proposed : Int32Array.from(proposed).sort(), LARGEST_PAGE);
  }

  /** The few rows of a proposal; null when going through all files costs less than looking them up. */
  function fewOf({ proposal }: RowSet): Uint32Array | null {
    if (proposal === 'none') return new Uint32Array();
    return proposal !== 'all' && proposal.rows.length <= FEW ? proposal.rows : null;
  }

  return {
    bound: () => bound.get() ?? 0,
    named(names) {
      const few = fewOf(names);
      if (few === null) return allPages(names.has, () => true);
      return knownPages(few.length === 0 ? [] : known.all(listed(few)), FIRST_PAGE);
    },
    pages(texts, isOrdered) {
      const few = fewOf(texts);
      if (few === null) return allPages((_, textId) => texts.has(textId), isOrdered);
      return knownPages(few.length === 0 ? [] : withTexts.all(listed(few)), FIRST_PAGE);
    },
    unsearched() {
      const at = changes.get() ?? 0;
      if (unread?.at !== at) unread = { at, places: unsearched.all().map(toPlace) };
      return unread.places;
    },
    refresh() {
      const at = changes.get() ?? 0;
      if (order?.at === at) return;
      const rows = wholeOrder.all();
      order = { at, ids: Int32Array.from(rows, ([id]) => id), textIds: Int32Array.from(rows, ([, textId]) => textId) };
    },
  };
}
