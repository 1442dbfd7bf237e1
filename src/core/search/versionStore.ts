import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import type Database from 'better-sqlite3';
import { createPackBuilder, decodePack, type PackBuilder, textOf } from './pack.ts';
import { formatOf, type PreparedText } from './prepare.ts';
import type { ShardPostings } from './shardPostings.ts';
import type { ContentKey } from './shardStore.ts';
import type { VersionRecord } from './types.ts';

/** What one transaction writes at most, unless a document alone has more: bytes of contents, and what its last pack may hold. */
const WRITTEN_AT_ONCE = 16_000_000;
const LAST_PACK = 256_000;
/** Packs that are decoded without a pause when all are checked. */
const CHECKED_AT_ONCE = 8;

/** All statements that change the history of a shard or look something of it up by key. */
export interface VersionStore {
  /** Keeps a text, or why there is none, until a version that carries it is put. */
  putText(key: ContentKey, text: PreparedText): void;
  /** Whether a content's text, or the reason why it has none, is here. */
  hasText(key: ContentKey): boolean;
  /** Adds or replaces versions, and packs their texts with those that their documents had before. */
  putVersions(records: readonly VersionRecord[]): void;
  versionIds(): string[];
  removeVersions(versionIds: readonly string[]): void;
  renameShelf(shelfId: string, libraryName: string, shelfName: string): void;
  /** Reads some packs from a place on, to find damage early. @returns where to go on; null at the end */
  checkSome(from: number): number | null;
}

interface TextRow {
  readonly id: number;
  readonly pack_id: number | null;
  readonly skip_code: string | null;
}

interface VersionRow {
  readonly id: number;
  readonly text_id: number;
  readonly name: string;
  readonly message: string;
}

/** A text on its way into a pack. */
interface Packed {
  readonly id: number;
  readonly text: string;
}

/** The versions of each document in their order, of as many documents at once as are worth a transaction. */
function* batchesOf(records: readonly VersionRecord[]): Generator<VersionRecord[][], undefined> {
  let batch: VersionRecord[][] = [];
  let bytes = 0;
  for (const versions of Map.groupBy(records, ({ documentId }) => documentId).values()) {
    batch.push(versions.sort((a, b) => a.number - b.number));
    bytes += versions.reduce((sum, { size }) => sum + size, LAST_PACK);
    if (bytes < WRITTEN_AT_ONCE) continue;
    yield batch;
    [batch, bytes] = [[], 0];
  }
  if (batch.length > 0) yield batch;
}

/** Makes the store over a shard's database. Each of its methods is one transaction, `putVersions` one for some documents. */
export function createVersionStore(database: Database.Database, postings: ShardPostings): VersionStore {
  const one = <T extends unknown[], R>(sql: string) => database.prepare<T, R>(sql);
  const textByKey = one<[Uint8Array, string], TextRow>(
    'SELECT id, pack_id, skip_code FROM version_texts WHERE hash = ? AND format = ?',
  );
  const insertText = one(
    'INSERT INTO version_texts (hash, format, sections, length, skip_code, skip_reason) VALUES (?, ?, ?, ?, ?, ?)',
  );
  const insertWaiting = one('INSERT INTO waiting_texts (id, body) VALUES (?, ?)');
  const waitingBody = one<[number], Buffer>('SELECT body FROM waiting_texts WHERE id = ?').pluck();
  const deleteWaiting = one('DELETE FROM waiting_texts WHERE id = ?');
  const looseText = one<[number], { pack_id: number | null }>(
    'SELECT pack_id FROM version_texts t WHERE id = ? AND NOT EXISTS (SELECT 1 FROM versions WHERE text_id = t.id)',
  );
  const deleteText = one('DELETE FROM version_texts WHERE id = ?');
  const textsOfPack = one<[number], { id: number; place: number }>(
    'SELECT id, place FROM version_texts WHERE pack_id = ? ORDER BY place',
  );
  const placeText = one('UPDATE version_texts SET pack_id = ?, place = ? WHERE id = ?');
  const placeVersions = one('UPDATE versions SET pack_id = ? WHERE text_id = ?');
  const moveTexts = one('UPDATE version_texts SET pack_id = ? WHERE pack_id = ?');
  const moveVersions = one('UPDATE versions SET pack_id = ? WHERE pack_id = ?');
  const packBody = one<[number], Buffer>('SELECT body FROM packs WHERE id = ?').pluck();
  const insertPack = one('INSERT INTO packs (body) VALUES (?)');
  const deletePack = one('DELETE FROM packs WHERE id = ?');
  const somePacks = one<[number], { id: number; body: Buffer }>(
    `SELECT id, body FROM packs WHERE id > ? ORDER BY id LIMIT ${CHECKED_AT_ONCE}`,
  );
  const lastPackOf = one<[string], number | null>('SELECT max(pack_id) FROM versions WHERE document_id = ?').pluck();
  const versionById = one<[string], VersionRow>('SELECT id, text_id, name, message FROM versions WHERE version_id = ?');
  const columns = `text_id, pack_id, document_id, shelf_id, library, shelf, name, number, is_current, size, commit_hash,
    message, author, time`;
  const insertVersion = one(
    `INSERT INTO versions (${columns}, version_id) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const updateVersion = one(
    `UPDATE versions SET (${columns}) = (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) WHERE version_id = ?`,
  );
  const deleteVersion = one('DELETE FROM versions WHERE id = ?');
  const allVersionIds = one<[], string>('SELECT version_id FROM versions').pluck();
  const renameVersions = one('UPDATE versions SET library = ?, shelf = ? WHERE shelf_id = ?');

  const textOfRecord = ({ sha256, documentName }: VersionRecord) =>
    textByKey.get(Buffer.from(sha256, 'hex'), formatOf(documentName));
  const readPack = (id: number) => decodePack(packBody.get(id) as Buffer);

  /** Writes a pack in place of the one that it went on from, with the texts that it gained. */
  function writePack(before: number | null, builder: PackBuilder, gained: readonly number[]): void {
    if (gained.length === 0) return;
    const { body, lines } = builder.encode();
    const id = Number(insertPack.run(body).lastInsertRowid);
    postings.packs.add(id, lines);
    if (before !== null) {
      moveTexts.run(id, before);
      moveVersions.run(id, before);
      deletePack.run(before);
    }
    const first = builder.count() - gained.length;
    for (const [index, textId] of gained.entries()) {
      placeText.run(id, first + index, textId);
      placeVersions.run(id, textId);
      deleteWaiting.run(textId);
    }
  }

  /** Packs texts in their order behind those of a pack, and in new ones where it has no room. */
  function packTexts(last: number | null, texts: Iterable<Packed>): void {
    let before = last;
    let builder = createPackBuilder(before === null ? null : readPack(before));
    let gained: number[] = [];
    for (const { id, text } of texts) {
      if (!builder.add(text)) {
        writePack(before, builder, gained);
        [before, builder, gained] = [null, createPackBuilder(null), []];
        builder.add(text);
      }
      gained.push(id);
    }
    writePack(before, builder, gained);
  }

  function* waitingTexts(ids: Iterable<number>): Generator<Packed, undefined> {
    for (const id of ids) yield { id, text: zstdDecompressSync(waitingBody.get(id) as Buffer).toString('utf8') };
  }

  /** Takes those of the texts out that no version carries: what is left of their packs is packed anew. */
  function sweep(textIds: Iterable<number>): void {
    const packs = new Set<number>();
    for (const id of textIds) {
      const loose = looseText.get(id);
      if (loose === undefined) continue;
      deleteText.run(id);
      if (loose.pack_id !== null) packs.add(loose.pack_id);
    }
    for (const packId of packs) {
      const left = textsOfPack.all(packId);
      if (left.length > 0) {
        const pack = readPack(packId);
        packTexts(
          null,
          left.map(({ id, place }) => ({ id, text: textOf(pack, place) })),
        );
      }
      deletePack.run(packId);
    }
  }

  function packDocument(records: readonly VersionRecord[]): void {
    const documentId = records[0]?.documentId ?? '';
    const waiting = new Set<number>();
    for (const record of records) {
      const text = textOfRecord(record);
      if (text?.pack_id === null && text.skip_code === null) waiting.add(text.id);
    }
    if (waiting.size > 0) packTexts(lastPackOf.get(documentId) ?? null, waitingTexts(waiting));
  }

  /** Adds or replaces a version. @returns the text that it carried before, when that is another */
  function putVersion(record: VersionRecord): number | null {
    const text = textOfRecord(record);
    // Its content could not be fetched: it stays missing, and is asked for again.
    if (text === undefined) return null;
    const values = [
      text.id,
      text.pack_id,
      record.documentId,
      record.shelfId,
      record.libraryName,
      record.shelfName,
      record.documentName,
      record.number,
      record.isCurrent ? 1 : 0,
      record.size,
      record.commitHash,
      record.commitMessage,
      record.author,
      Date.parse(record.committedAt),
      record.versionId,
    ];
    const before = versionById.get(record.versionId);
    if (before?.name === record.documentName && before.message === record.commitMessage) {
      updateVersion.run(...values);
    } else {
      if (before !== undefined) deleteVersion.run(before.id);
      const { lastInsertRowid } = insertVersion.run(...values);
      const names = `${record.documentName}\n${record.commitMessage}`.normalize('NFC');
      postings.versionNames.add(Number(lastInsertRowid), names);
    }
    return before === undefined || before.text_id === text.id ? null : before.text_id;
  }

  const putBatch = postings.writing((documents: readonly VersionRecord[][]) => {
    for (const records of documents) packDocument(records);
    sweep(documents.flatMap((records) => records.map(putVersion)).filter((textId) => textId !== null));
  });

  return {
    putText: database.transaction(({ hash, format }: ContentKey, { text, sections, skip }: PreparedText) => {
      if (textByKey.get(hash, format) !== undefined) return;
      const ofSections = sections === null ? null : JSON.stringify(sections);
      const values = [hash, format, ofSections, text.length, skip?.code ?? null, skip?.reason ?? null];
      const { lastInsertRowid } = insertText.run(...values);
      if (skip === null) insertWaiting.run(lastInsertRowid, zstdCompressSync(text));
    }),
    hasText: ({ hash, format }) => textByKey.get(hash, format) !== undefined,
    putVersions(records) {
      for (const batch of batchesOf(records)) putBatch(batch);
    },
    versionIds: () => allVersionIds.all(),
    removeVersions: postings.writing((versionIds: readonly string[]) => {
      const known = versionIds.map((versionId) => versionById.get(versionId)).filter((row) => row !== undefined);
      for (const { id } of known) deleteVersion.run(id);
      sweep(known.map(({ text_id }) => text_id));
    }),
    renameShelf: (shelfId, libraryName, shelfName) => {
      renameVersions.run(libraryName, shelfName, shelfId);
    },
    checkSome(from) {
      const packs = somePacks.all(from);
      for (const { body } of packs) decodePack(body);
      return packs.at(-1)?.id ?? null;
    },
  };
}
