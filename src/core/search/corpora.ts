import { basename } from 'node:path';
import type Database from 'better-sqlite3';
import { type Place, workspacePlace } from './queryFilter.ts';
import { openTrigramTable, type Proposal, type TrigramTable } from './trigramTable.ts';
import type { Corpus } from './types.ts';

/** A file or version that a query may find. */
export interface Entry {
  readonly id: number;
  readonly textId: number | null;
  /** NFC; of a file without its folders, of a document with the folders of its shelf. */
  readonly name: string;
  readonly place: Place;
  readonly size: number;
  /** How its text is had (schema.ts); `isSkipped`: there is none. */
  readonly form: 'plain' | 'container' | null;
  readonly encoding: string | null;
  readonly sections: string | null;
  readonly isSkipped: boolean;
  /** Milliseconds since the epoch: when the file was changed or the version committed. */
  readonly time: number;
  readonly version: {
    readonly versionId: string;
    readonly documentId: string;
    readonly number: number;
    readonly commitHash: string;
    readonly message: string;
    readonly author: string;
  } | null;
}

/** What a query runs over, latest first. */
export interface CorpusReader {
  readonly names: TrigramTable;
  /** Upper bounds of the numbers of entries and of texts, for the index to tell whether asking it is worth while. */
  entryBound(): number;
  /** Entries whose name or message is proposed. */
  named(names: Exclude<Proposal, 'none'>): Entry[];
  /** Ids of the entries whose text is proposed, and of some more, in the order in which they are listed. */
  ids(texts: Proposal, more: readonly number[]): number[];
  /** Those of the entries that are still there, in the order of `ids`; many at once cost a tenth of one by one. */
  entries(ids: readonly number[]): Entry[];
  /** Places of the entries whose content cannot be searched. */
  unsearched(): Place[];
}

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

const placeOfFile = ({ root, path }: { root: string; path: string }): Place => ({
  path,
  root,
  shelfId: null,
  documentId: null,
  names: () => workspacePlace(root, path),
});

const textOf = ({ form, encoding, sections, is_skipped }: TextColumns) => ({
  form,
  encoding,
  sections,
  isSkipped: is_skipped !== 0,
});

const fileEntry = (row: FileRow): Entry => ({
  id: row.id,
  textId: row.text_id,
  name: basename(row.path).normalize('NFC'),
  place: placeOfFile(row),
  ...textOf(row),
  size: row.size,
  time: row.time,
  version: null,
});

const placeOfVersion = (row: Pick<VersionRow, 'name' | 'library' | 'shelf' | 'shelf_id' | 'document_id'>): Place => ({
  path: row.name,
  root: null,
  shelfId: row.shelf_id,
  documentId: row.document_id,
  names: () => ({ library: row.library, shelf: row.shelf }),
});

const versionEntry = (row: VersionRow): Entry => ({
  id: row.id,
  textId: row.text_id,
  name: row.name.normalize('NFC'),
  place: placeOfVersion(row),
  ...textOf(row),
  size: row.size,
  time: row.time,
  version: {
    versionId: row.version_id,
    documentId: row.document_id,
    number: row.number,
    commitHash: row.commit_hash,
    message: row.message.normalize('NFC'),
    author: row.author,
  },
});

interface Shape<Row> {
  readonly table: string;
  readonly columns: string;
  readonly order: string;
  /** Which rows of the table belong. */
  readonly where: string;
  readonly names: string;
  readonly unsearched: string;
  readonly toEntry: (row: Row) => Entry;
  readonly toPlace: (row: Row) => Place;
}

const MATCHING_TEXTS = 'SELECT rowid FROM text_trigrams WHERE text_trigrams MATCH ?';

function createReader<Row>(database: Database.Database, shape: Shape<Row>): CorpusReader {
  const { table, columns, order, where, names } = shape;
  const select = `SELECT e.id, e.text_id, ${columns}, t.form, t.encoding, t.sections, t.skip_code IS NOT NULL AS is_skipped
    FROM ${table} e LEFT JOIN texts t ON t.id = e.text_id`;
  const bound = database.prepare<[], number>(`SELECT coalesce(max(id), 0) FROM ${table}`).pluck();
  const byIds = database.prepare<[string], Row>(`${select} WHERE e.id IN (SELECT value FROM json_each(?))`);
  const byName = database.prepare<[string], Row>(
    `${select} WHERE ${where} AND e.id IN (SELECT rowid FROM ${names} WHERE ${names} MATCH ?)`,
  );
  const every = database.prepare<[], Row>(`${select} WHERE ${where}`);
  const some = 'id IN (SELECT value FROM json_each(?))';
  const idsOf = {
    all: database
      .prepare<[string], number>(`SELECT id FROM ${table} WHERE ${where} AND (text_id IS NOT NULL OR ${some}) ${order}`)
      .pluck(),
    match: database
      .prepare<[string, string], number>(
        `SELECT id FROM ${table} WHERE ${where} AND (text_id IN (${MATCHING_TEXTS}) OR ${some}) ${order}`,
      )
      .pluck(),
    matchOnly: database
      .prepare<[string], number>(`SELECT id FROM ${table} WHERE ${where} AND text_id IN (${MATCHING_TEXTS}) ${order}`)
      .pluck(),
    some: database.prepare<[string], number>(`SELECT id FROM ${table} WHERE ${where} AND ${some} ${order}`).pluck(),
  };
  const unsearched = database.prepare<[], Row>(shape.unsearched);
  return {
    names: openTrigramTable(database, names),
    entryBound: () => bound.get() ?? 0,
    named: (proposal) => (proposal === 'all' ? every.all() : byName.all(proposal.match)).map(shape.toEntry),
    ids(texts, more) {
      const others = JSON.stringify(more);
      if (texts === 'none') return more.length === 0 ? [] : idsOf.some.all(others);
      if (texts === 'all') return idsOf.all.all(others);
      return more.length === 0 ? idsOf.matchOnly.all(texts.match) : idsOf.match.all(texts.match, others);
    },
    entries(ids) {
      const found = new Map<number, Entry>();
      for (const row of byIds.all(JSON.stringify(ids))) {
        const entry = shape.toEntry(row);
        found.set(entry.id, entry);
      }
      return ids.flatMap((id) => found.get(id) ?? []);
    },
    unsearched: () => unsearched.all().map(shape.toPlace),
  };
}

const VERSION_COLUMNS =
  'name, size, committed_ms AS time, version_id, document_id, shelf_id, library, shelf, number, commit_hash, message, author';

function versionShape(where: string): Shape<VersionRow> {
  return {
    table: 'versions',
    columns: VERSION_COLUMNS,
    order: 'ORDER BY committed_ms DESC, name, version_id',
    where,
    names: 'version_names',
    unsearched: `SELECT v.name, v.library, v.shelf, v.shelf_id, v.document_id FROM texts t JOIN versions v ON v.text_id = t.id
      WHERE t.skip_code IS NOT NULL AND v.${where}`,
    toEntry: versionEntry,
    toPlace: placeOfVersion,
  };
}

/** Opens what queries run over. */
export function openCorpora(database: Database.Database): Readonly<Record<Corpus, CorpusReader>> {
  return {
    files: createReader<FileRow>(database, {
      table: 'files',
      columns: 'path, root, size, mtime_ms AS time',
      order: 'ORDER BY CAST(mtime_ms AS INTEGER) DESC, path',
      where: 'root IS NOT NULL',
      names: 'file_names',
      unsearched: `SELECT path, root FROM files WHERE skip_code IS NOT NULL
        UNION ALL SELECT f.path, f.root FROM texts t JOIN files f ON f.text_id = t.id WHERE t.skip_code IS NOT NULL`,
      toEntry: fileEntry,
      toPlace: placeOfFile,
    }),
    'current-versions': createReader(database, versionShape('is_current = 1')),
    'all-versions': createReader(database, versionShape('is_current IS NOT NULL')),
  };
}
