import type Database from 'better-sqlite3';
import type { Removal } from '../../shared/model/search.ts';
import type { Entry } from './entry.ts';
import { decodePack, type Pack } from './pack.ts';
import type { Proposal } from './postings.ts';
import type { Place } from './queryFilter.ts';

/** A version that a query may find, with where its text is. */
export interface VersionEntry extends Entry {
  readonly packId: number | null;
  readonly place: number;
  /** Of its text, in UTF-16 code units. */
  readonly length: number;
}

/** What a search has to know of a version to count it. */
export interface PackedVersion {
  readonly id: number;
  readonly time: number;
  /** Of its text in the pack. */
  readonly place: number;
  readonly isCurrent: boolean;
  readonly shelfId: string;
}

/** A pack with the versions that carry its texts, the latest first. */
export interface PackOfVersions extends Pack {
  readonly versions: readonly PackedVersion[];
}

/** What a query for names and messages looks at. */
export interface VersionNames {
  readonly id: number;
  readonly packId: number | null;
  readonly time: number;
  readonly shelfId: string;
  readonly name: string;
  readonly message: string;
}

/** The next version of a document whose text is searched. */
export interface NextVersion extends Removal {
  readonly id: number;
}

type NamesColumns = [id: number, packId: number | null, time: number, shelfId: string, name: string, message: string];

/** The versions that a query runs over. */
export interface VersionCorpus {
  /** Upper bounds of the numbers of versions and packs, for the index to tell whether asking it is worth while. */
  bound(): number;
  packBound(): number;
  /** Names of the versions that are proposed, in pages; with `currentOnly`, of current ones. */
  names(proposal: Exclude<Proposal, 'none'>, currentOnly: boolean): Iterable<readonly VersionNames[]>;
  /** Those of the packs that are there, the newest first. */
  packIds(proposal: Proposal): number[];
  packsAfter(id: number): number[];
  packsOfDocuments(documentIds: readonly string[]): ReadonlySet<number>;
  /** A pack; null when it is no longer there. */
  pack(id: number): PackOfVersions | null;
  /** Those of the versions that are still there, by their numbers. */
  entries(ids: readonly number[]): ReadonlyMap<number, VersionEntry>;
  /** What comes after each of the versions in its document, where there is something and its text is known. */
  next(ids: readonly number[]): ReadonlyMap<number, NextVersion>;
  /** Places of the versions whose content cannot be searched. */
  unsearched(currentOnly: boolean): Place[];
}

/** Names that are read at once. */
const NAMES_AT_ONCE = 2000;
/** What decoded packs may take, and what a version in one does, about. */
const CACHE_BYTES = 48_000_000;
const VERSION_BYTES = 120;

interface VersionRow {
  readonly id: number;
  readonly pack_id: number | null;
  readonly place: number | null;
  readonly length: number;
  readonly sections: string | null;
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

type PlaceRow = Pick<VersionRow, 'name' | 'library' | 'shelf' | 'shelf_id' | 'document_id' | 'author' | 'time'>;

const toPlace = (row: PlaceRow): Place => ({
  path: row.name,
  root: null,
  shelfId: row.shelf_id,
  documentId: row.document_id,
  library: row.library,
  shelf: row.shelf,
  author: row.author,
  time: row.time,
});

const toEntry = (row: VersionRow): VersionEntry => ({
  ...toPlace(row),
  id: row.id,
  packId: row.pack_id,
  place: row.place ?? 0,
  length: row.length,
  sections: row.sections,
  size: row.size,
  version: {
    versionId: row.version_id,
    number: row.number,
    commitHash: row.commit_hash,
    message: row.message.normalize('NFC'),
  },
});

interface CachedPack {
  /** When its versions were read, as the database counts its changes. */
  readonly at: number;
  readonly pack: PackOfVersions;
  readonly bytes: number;
}

/** About, with what its lines take as a string. */
const bytesOf = ({ bytes, starts, runs, changes, versions }: PackOfVersions) =>
  2 * bytes.length +
  starts.byteLength +
  runs.byteLength +
  2 * changes.lines.byteLength +
  VERSION_BYTES * versions.length;

/** Keeps packs that were used last as they are decoded; what is in one never changes, but who carries it does. */
function createPackReader(database: Database.Database): (id: number) => PackOfVersions | null {
  const bodyById = database.prepare<[number], Buffer>('SELECT body FROM packs WHERE id = ?').pluck();
  const placesOf = database
    .prepare<[number], [number, number]>('SELECT id, place FROM version_texts WHERE pack_id = ?')
    .raw();
  const versionsOf = database
    .prepare<[number], [number, number, number, number, string]>(
      `SELECT id, time, text_id, is_current, shelf_id FROM versions WHERE pack_id = ? ORDER BY time DESC, id DESC`,
    )
    .raw();
  const changes = database.prepare<[], number>('SELECT total_changes()').pluck();
  const cached = new Map<number, CachedPack>();
  let bytes = 0;

  function forget(id: number): void {
    bytes -= cached.get(id)?.bytes ?? 0;
    cached.delete(id);
  }

  function keep(id: number, entry: CachedPack): void {
    cached.set(id, entry);
    bytes += entry.bytes;
    for (const oldest of cached.keys()) {
      if (bytes <= CACHE_BYTES) return;
      forget(oldest);
    }
  }

  function readVersions(packId: number): PackedVersion[] {
    const places = new Map(placesOf.all(packId));
    return versionsOf.all(packId).map(([id, time, textId, isCurrent, shelfId]) => ({
      id,
      time,
      place: places.get(textId) ?? 0,
      isCurrent: isCurrent === 1,
      shelfId,
    }));
  }

  function readPack(id: number): Pack | null {
    const body = bodyById.get(id);
    return body === undefined ? null : decodePack(body);
  }

  return (id) => {
    const at = changes.get() ?? 0;
    const known = cached.get(id);
    forget(id);
    if (known?.at === at) {
      keep(id, known);
      return known.pack;
    }
    const versions = readVersions(id);
    const found = versions.length === 0 ? null : (known?.pack ?? readPack(id));
    if (found === null) return null;
    const pack = { ...found, versions };
    keep(id, { at, pack, bytes: bytesOf(pack) });
    return pack;
  };
}

/** Opens the versions of a shard. */
export function openVersionCorpus(database: Database.Database): VersionCorpus {
  const given = '(SELECT value FROM json_each(?))';
  const bound = database.prepare<[], number>('SELECT coalesce(max(id), 0) FROM versions').pluck();
  const packBound = database.prepare<[], number>('SELECT coalesce(max(id), 0) FROM packs').pluck();
  const nameColumns = 'SELECT id, pack_id, time, shelf_id, name, message FROM versions WHERE is_current >= ?';
  const namesByIds = database.prepare<[number, string], NamesColumns>(`${nameColumns} AND id IN ${given}`).raw();
  const namesAfter = database
    .prepare<[number, number], NamesColumns>(`${nameColumns} AND id > ? ORDER BY id LIMIT ${NAMES_AT_ONCE}`)
    .raw();
  const packsThere = database
    .prepare<[string], number>(`SELECT id FROM packs WHERE id IN ${given} ORDER BY id DESC`)
    .pluck();
  const packsAfter = database.prepare<[number], number>('SELECT id FROM packs WHERE id > ? ORDER BY id DESC').pluck();
  const packsOfDocuments = database
    .prepare<[string], number>(
      `SELECT DISTINCT pack_id FROM versions WHERE document_id IN ${given} AND pack_id IS NOT NULL`,
    )
    .pluck();
  const byIds = database.prepare<[string], VersionRow>(
    `SELECT v.id, v.pack_id, t.place, t.length, t.sections, name, size, time, version_id, document_id, shelf_id, library, shelf,
       number, commit_hash, message, author
     FROM versions v JOIN version_texts t ON t.id = v.text_id WHERE v.id IN ${given}`,
  );
  const unsearched = database.prepare<[], PlaceRow & { readonly is_current: number }>(
    `SELECT v.name, v.library, v.shelf, v.shelf_id, v.document_id, v.author, v.time, v.is_current
     FROM version_texts t JOIN versions v ON v.text_id = t.id WHERE t.skip_code IS NOT NULL`,
  );
  const nextOf = database.prepare<[string], NextVersion & { readonly of: number }>(
    `SELECT v.id AS of, n.id, n.version_id AS versionId, n.number AS versionNumber, n.commit_hash AS commitHash,
       n.message AS commitMessage
     FROM versions v JOIN versions n ON n.document_id = v.document_id
       AND n.number = (SELECT min(number) FROM versions WHERE document_id = v.document_id AND number > v.number)
     JOIN version_texts t ON t.id = n.text_id AND t.pack_id IS NOT NULL WHERE v.id IN ${given}`,
  );
  const changes = database.prepare<[], number>('SELECT total_changes()').pluck();
  let known: { readonly at: number; readonly all: Place[]; readonly current: Place[] } | null = null;

  const listed = (ids: Iterable<number>) => JSON.stringify([...ids]);
  const toNames = ([id, packId, time, shelfId, name, message]: NamesColumns) => ({
    id,
    packId,
    time,
    shelfId,
    name: name.normalize('NFC'),
    message: message.normalize('NFC'),
  });

  return {
    bound: () => bound.get() ?? 0,
    packBound: () => packBound.get() ?? 0,
    *names(proposal, currentOnly) {
      const least = currentOnly ? 1 : 0;
      if (proposal !== 'all') {
        for (let from = 0; from < proposal.rows.length; from += NAMES_AT_ONCE) {
          yield namesByIds.all(least, listed(proposal.rows.subarray(from, from + NAMES_AT_ONCE))).map(toNames);
        }
        return;
      }
      let page = namesAfter.all(least, 0);
      while (page.length > 0) {
        yield page.map(toNames);
        page = namesAfter.all(least, page.at(-1)?.[0] ?? 0);
      }
    },
    packIds(proposal) {
      if (proposal === 'none') return [];
      return proposal === 'all' ? packsAfter.all(0) : packsThere.all(listed(proposal.rows));
    },
    packsAfter: (id) => packsAfter.all(id),
    packsOfDocuments: (documentIds) => new Set(packsOfDocuments.all(JSON.stringify(documentIds))),
    pack: createPackReader(database),
    entries: (ids) => new Map(byIds.all(listed(ids)).map((row) => [row.id, toEntry(row)])),
    next: (ids) =>
      new Map(
        nextOf
          .all(listed(ids))
          .map(({ of, commitMessage, ...next }) => [of, { ...next, commitMessage: commitMessage.normalize('NFC') }]),
      ),
    unsearched(currentOnly) {
      const at = changes.get() ?? 0;
      if (known?.at !== at) {
        const rows = unsearched.all();
        known = { at, all: rows.map(toPlace), current: rows.filter((row) => row.is_current === 1).map(toPlace) };
      }
      return currentOnly ? known.current : known.all;
    },
  };
}
