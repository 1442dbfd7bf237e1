import { basename } from 'node:path';
import type Database from 'better-sqlite3';
import type { Postings, Proposal } from './postings.ts';
import type { Place } from './queryFilter.ts';
import type { Corpus } from './types.ts';

/** A file or version that a query may find. */
export interface Entry extends Place {
  readonly id: number;
  readonly textId: number | null;
  readonly size: number;
  /** How its text is had (schema.ts); `isSkipped`: there is none. */
  readonly form: 'plain' | 'container' | null;
  readonly encoding: string | null;
  readonly sections: string | null;
  readonly isSkipped: boolean;
  /** `time` of a file as the system tells it, to see whether it was changed since. */
  readonly mtimeMs: number | null;
  readonly version: {
    readonly versionId: string;
    readonly number: number;
    readonly commitHash: string;
    readonly message: string;
  } | null;
}

/** The name of an entry in NFC: of a file without its folders, of a document with the folders of its shelf. */
export function nameOf({ path, version }: Pick<Entry, 'path' | 'version'>): string {
  return (version === null ? basename(path) : path).normalize('NFC');
}

/** What a query runs over. */
export interface CorpusReader {
  readonly names: Pick<Postings, 'propose'>;
  /** Upper bound of the number of entries, for the index to tell whether asking it is worth while. */
  entryBound(): number;
  /** Entries whose name or message is proposed. */
  named(names: Exclude<Proposal, 'none'>): Entry[];
  /** Entries whose text is proposed, and those of some more ids, the latest first, in pages that are fetched when asked for. */
  pages(texts: TextSet, more: readonly number[]): Generator<Entry[], undefined>;
  /** Places of the entries whose content cannot be searched. */
  unsearched(): Place[];
  /** Reads the order of all entries into memory, where what was written since made it old; the next query goes by it. */
  refresh(): void;
}

/** Texts that may hold what is looked for. */
export interface TextSet {
  readonly proposal: Proposal;
  has(textId: number | null): boolean;
}

/** A set of the texts that are proposed. */
export function textSet(proposal: Proposal): TextSet {
  if (proposal === 'none') return { proposal, has: () => false };
  if (proposal === 'all') return { proposal, has: (textId) => textId !== null };
  const { rows } = proposal;
  const first = rows[0] ?? 0;
  const isIn = new Uint8Array((rows.at(-1) ?? 0) - first + 1);
  for (const row of rows) isIn[row - first] = 1;
  return { proposal, has: (textId) => textId !== null && isIn[textId - first] === 1 };
}

/** So many texts are looked up one by one; of more, all entries are gone through in their order. */
const FEW = 300;
/** Entries of a page: few at first, since somebody waits for them. */
const FIRST_PAGE = 32;
const PAGE = 256;
/** Rows that are gone through at once for them. */
const ROWS_AT_ONCE = 1024;

interface TextColumns {
  readonly form: 'plain' | 'container' | null;
  readonly encoding: string | null;
  readonly sections: string | null;
  readonly is_skipped: number | null;
}

interface FileRow extends TextColumns {
  readonly id: number;
  readonly text_id: number | null;
  readonly path: string;
  readonly root: string;
  readonly size: number;
  readonly time: number;
  readonly mtime_ms: number;
}

interface VersionRow extends TextColumns {
  readonly id: number;
  readonly text_id: number;
  readonly name: string;
  readonly size: number;
  readonly time: number;
  readonly version_id: string;
  readonly document_id: string;
  readonly shelf_id: string;
  readonly library: string;
  readonly shelf: string;
  readonly number: number;
  readonly commit_hash: string;
  readonly message: string;
  readonly author: string;
}

const placeOfFile = ({ root, path, time }: Pick<FileRow, 'root' | 'path' | 'time'>): Place => ({
  path,
  root,
  shelfId: null,
  documentId: null,
  library: null,
  shelf: null,
  author: null,
  time,
});

const fileEntry = (row: FileRow): Entry => ({
  ...placeOfFile(row),
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

type VersionPlaceRow = Pick<VersionRow, 'name' | 'library' | 'shelf' | 'shelf_id' | 'document_id' | 'author' | 'time'>;

const placeOfVersion = (row: VersionPlaceRow): Place => ({
  path: row.name,
  root: null,
  shelfId: row.shelf_id,
  documentId: row.document_id,
  library: row.library,
  shelf: row.shelf,
  author: row.author,
  time: row.time,
});

const versionEntry = (row: VersionRow): Entry => ({
  ...placeOfVersion(row),
  id: row.id,
  textId: row.text_id,
  form: row.form,
  encoding: row.encoding,
  sections: row.sections,
  isSkipped: row.is_skipped !== 0,
  size: row.size,
  mtimeMs: null,
  version: {
    versionId: row.version_id,
    number: row.number,
    commitHash: row.commit_hash,
    message: row.message.normalize('NFC'),
  },
});

interface Shape<Row> {
  readonly table: string;
  readonly columns: string;
  /** Which rows of the table belong. */
  readonly where: string;
  readonly unsearched: string;
  readonly toEntry: (row: Row) => Entry;
  readonly toPlace: (row: Row) => Place;
}

/** The entries of a corpus, the latest first, with their texts (0 for none). */
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

const listed = (ids: Iterable<number>) => JSON.stringify([...ids]);

function createReader<Row>(database: Database.Database, names: Postings, shape: Shape<Row>): CorpusReader {
  const { table, columns, where } = shape;
  const select = `SELECT e.id, e.text_id, ${columns}, t.form, t.encoding, t.sections, t.skip_code IS NOT NULL AS is_skipped
    FROM ${table} e LEFT JOIN texts t ON t.id = e.text_id`;
  const given = '(SELECT value FROM json_each(?))';
  const latestFirst = 'ORDER BY time DESC, id DESC';
  const bound = database.prepare<[], number>(`SELECT coalesce(max(id), 0) FROM ${table}`).pluck();
  const byIds = database.prepare<[string], Row>(`${select} WHERE ${where} AND e.id IN ${given}`);
  const every = database.prepare<[], Row>(`${select} WHERE ${where}`);
  const withTexts = database
    .prepare<[string, string], number>(
      `SELECT id FROM ${table} WHERE ${where} AND (text_id IN ${given} OR id IN ${given}) ${latestFirst}`,
    )
    .pluck();
  const inOrder = database.prepare<[number, number], OrderedRow>(
    `SELECT id, text_id, time FROM ${table} WHERE ${where} AND (time, id) < (?, ?) ${latestFirst} LIMIT ${ROWS_AT_ONCE}`,
  );
  const wholeOrder = database
    .prepare<[], [number, number]>(`SELECT id, coalesce(text_id, 0) FROM ${table} WHERE ${where} ${latestFirst}`)
    .raw();
  const unsearched = database.prepare<[], Row>(shape.unsearched);
  const changes = database.prepare<[], number>('SELECT total_changes()').pluck();
  let known: { readonly at: number; readonly places: Place[] } | null = null;
  let order: Order | null = null;

  /** Those of the entries that are still there, in the order of `ids`; many at once cost a tenth of one by one. */
  function entries(ids: readonly number[]): Entry[] {
    const found = new Map(byIds.all(listed(ids)).map((row) => [(row as { id: number }).id, shape.toEntry(row)]));
    return ids.flatMap((id) => found.get(id) ?? []);
  }

  function* knownPages(ids: readonly number[]): Generator<Entry[], undefined> {
    for (let start = 0; start < ids.length; ) {
      const end = start + (start === 0 ? FIRST_PAGE : PAGE);
      yield entries(ids.slice(start, end));
      start = end;
    }
  }

  /** All entries in their order, as they are in memory or, when that is old, in the database. */
  function* inTheirOrder(): Generator<readonly [id: number, textId: number], undefined> {
    if (order !== null && order.at === changes.get()) {
      const { ids, textIds } = order;
      for (let at = 0; at < ids.length; at += 1) yield [ids[at] ?? 0, textIds[at] ?? 0];
      return;
    }
    let [time, id] = [Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER];
    for (let rows = inOrder.all(time, id); rows.length > 0; rows = inOrder.all(time, id)) {
      for (const row of rows) {
        yield [row.id, row.text_id ?? 0];
        [time, id] = [row.time, row.id];
      }
    }
  }

  function* allPages(texts: TextSet, more: ReadonlySet<number>): Generator<Entry[], undefined> {
    let size = FIRST_PAGE;
    let ids: number[] = [];
    for (const [id, textId] of inTheirOrder()) {
      if (!texts.has(textId === 0 ? null : textId) && !more.has(id)) continue;
      ids.push(id);
      if (ids.length < size) continue;
      yield entries(ids);
      [ids, size] = [[], PAGE];
    }
    if (ids.length > 0) yield entries(ids);
  }

  return {
    names,
    entryBound: () => bound.get() ?? 0,
    named: (proposal) => (proposal === 'all' ? every.all() : byIds.all(listed(proposal.rows))).map(shape.toEntry),
    pages(texts, more) {
      const { proposal } = texts;
      const rows = proposal === 'none' ? [] : proposal === 'all' ? null : proposal.rows;
      if (rows === null || rows.length > FEW) return allPages(texts, new Set(more));
      return knownPages(rows.length + more.length === 0 ? [] : withTexts.all(listed(rows), listed(more)));
    },
    unsearched() {
      const at = changes.get() ?? 0;
      if (known?.at !== at) known = { at, places: unsearched.all().map(shape.toPlace) };
      return known.places;
    },
    refresh() {
      const at = changes.get() ?? 0;
      if (order?.at === at) return;
      const rows = wholeOrder.all();
      order = { at, ids: Int32Array.from(rows, ([id]) => id), textIds: Int32Array.from(rows, ([, textId]) => textId) };
    },
  };
}

const VERSION_COLUMNS =
  'name, size, time, version_id, document_id, shelf_id, library, shelf, number, commit_hash, message, author';

function versionShape(where: string): Shape<VersionRow> {
  return {
    table: 'versions',
    columns: VERSION_COLUMNS,
    where,
    unsearched: `SELECT v.name, v.library, v.shelf, v.shelf_id, v.document_id, v.author, v.time
      FROM texts t JOIN versions v ON v.text_id = t.id
      WHERE t.skip_code IS NOT NULL AND v.${where}`,
    toEntry: versionEntry,
    toPlace: placeOfVersion,
  };
}

/** Opens what queries run over. */
export function openCorpora(
  database: Database.Database,
  { fileNames, versionNames }: { readonly fileNames: Postings; readonly versionNames: Postings },
): Readonly<Record<Corpus, CorpusReader>> {
  return {
    files: createReader<FileRow>(database, fileNames, {
      table: 'files',
      columns: 'path, root, size, mtime_ms, time',
      where: 'root IS NOT NULL',
      unsearched: `SELECT path, root, time FROM files WHERE skip_code IS NOT NULL
        UNION ALL SELECT f.path, f.root, f.time FROM texts t JOIN files f ON f.text_id = t.id WHERE t.skip_code IS NOT NULL`,
      toEntry: fileEntry,
      toPlace: placeOfFile,
    }),
    'current-versions': createReader(database, versionNames, versionShape('is_current = 1')),
    'all-versions': createReader(database, versionNames, versionShape('is_current IS NOT NULL')),
  };
}
