import type { Extractor } from '../../core/extract/extractor.ts';
import { containerFormat } from '../../core/extract/formats.ts';
import type { Extraction } from '../../core/extract/types.ts';
import { AppError } from '../../shared/errors.ts';
import type { SharedDocument } from '../../shared/model/shareLink.ts';
import type { Database } from '../database/connection.ts';
import type { BlobStore } from '../storage/blobStore.ts';
import type { LinkRow } from './linkRows.ts';

/** A document behind a link, with the content that the link shows of it. */
export interface SharedContent extends SharedDocument {
  readonly version_id: string;
  readonly sha256: string;
}

export interface TextPart {
  readonly sections: { readonly label: string; readonly text: string }[];
  readonly next: number | null;
  readonly length: number;
  readonly problem: string | null;
}

/** What is behind a link: all of a shelf, the newest version of a document, or one version. */
export interface SharedDocuments {
  list(
    link: LinkRow,
    page: number,
    pageSize: number,
  ): Promise<{ documents: SharedContent[]; count: number; has_more: boolean }>;
  /** @throws AppError `not-found` for whatever the link does not lead to. */
  find(link: LinkRow, documentId: string): Promise<SharedContent>;
  text(content: SharedContent, from: number): Promise<TextPart>;
}

/** Characters of one answer. */
const PART_LENGTH = 200_000;
/** Characters that are kept, so that the pages of a document are not taken out of it again one by one. */
const KEPT_LENGTH = 16_000_000;
const MAX_FILE_BYTES = 64 * 1024 * 1024;

const lengthOf = (extraction: Extraction) =>
  extraction.ok ? extraction.sections.reduce((sum, { text }) => sum + text.length, 0) : 0;

/** Texts of contents, one at a time: a hostile visitor can keep one thread busy and fill one file's memory. */
function createTexts(blobs: BlobStore, extractor: Extractor): (content: SharedContent) => Promise<Extraction> {
  const kept = new Map<string, Extraction>();
  const underWay = new Map<string, Promise<Extraction>>();
  let last: Promise<unknown> = Promise.resolve();
  let keptLength = 0;

  async function extract(content: SharedContent): Promise<Extraction> {
    if (content.size > MAX_FILE_BYTES) {
      return { ok: false, code: 'too-large', reason: `Larger than the limit of ${MAX_FILE_BYTES} bytes.` };
    }
    const chunks: Buffer[] = [];
    for await (const chunk of blobs.read(content.sha256)) chunks.push(chunk);
    return extractor.extract(Buffer.concat(chunks), content.name);
  }

  /** Keeps a text, and lets go of those that were not asked for for the longest time. */
  function keep(name: string, extraction: Extraction): void {
    kept.set(name, extraction);
    keptLength += lengthOf(extraction);
    for (const [oldest, old] of kept) {
      if (keptLength <= KEPT_LENGTH || oldest === name) return;
      kept.delete(oldest);
      keptLength -= lengthOf(old);
    }
  }

  function begin(name: string, content: SharedContent): Promise<Extraction> {
    const extraction = last
      .then(() => extract(content))
      .finally(() => underWay.delete(name))
      .then((extracted) => {
        keep(name, extracted);
        return extracted;
      });
    last = extraction.catch(() => undefined);
    underWay.set(name, extraction);
    return extraction;
  }

  return async (content) => {
    const name = `${content.sha256} ${containerFormat(content.name)}`;
    const known = kept.get(name);
    if (known === undefined) return underWay.get(name) ?? begin(name, content);
    kept.delete(name);
    kept.set(name, known);
    return known;
  };
}

/** The sections of a text from a place on, as many characters as one answer has. */
export function textPart(extraction: Extraction, from: number): TextPart {
  if (!extraction.ok) return { sections: [], next: null, length: 0, problem: extraction.code };
  const length = lengthOf(extraction);
  const until = Math.min(length, from + PART_LENGTH);
  const sections: { label: string; text: string }[] = [];
  let position = 0;
  for (const { label, text } of extraction.sections) {
    const cut = text.slice(Math.max(0, from - position), Math.max(0, until - position));
    if (cut !== '') sections.push({ label, text: cut });
    position += text.length;
  }
  return { sections, next: until < length ? until : null, length, problem: null };
}

/** Makes the service. */
export function createSharedDocuments(options: {
  readonly database: Database;
  readonly blobs: BlobStore;
  readonly extractor: Extractor;
}): SharedDocuments {
  const { database, blobs, extractor } = options;
  const textOf = createTexts(blobs, extractor);

  /** The documents that a link leads to, each in the version that it shows. */
  function rows({ kind, shelf_id, document_id, version_id }: LinkRow) {
    const shared = database
      .selectFrom('documents')
      .innerJoin('versions', 'versions.document_id', 'documents.id')
      .where('documents.shelf_id', '=', shelf_id)
      .where('documents.deleted', '=', 0);
    if (kind === 'version') return shared.where('versions.id', '=', version_id);
    const newest = shared.whereRef('versions.number', '=', 'documents.current_version');
    return kind === 'document' ? newest.where('documents.id', '=', document_id) : newest;
  }

  const contents = (link: LinkRow) =>
    rows(link).select([
      'documents.id',
      'documents.name',
      'versions.name as version_name',
      'versions.size',
      'versions.mime',
      'versions.sha256',
      'versions.id as version_id',
      'versions.number as version_number',
      'versions.created_at as updated_at',
    ]);
  function contentOf(
    { kind }: LinkRow,
    { version_name, ...row }: Awaited<ReturnType<ReturnType<typeof contents>['executeTakeFirstOrThrow']>>,
  ): SharedContent {
    return { ...row, name: kind === 'version' ? version_name : row.name, size: Number(row.size) };
  }

  return {
    async list(link, page, pageSize) {
      const { count } = await rows(link)
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .executeTakeFirstOrThrow();
      const found = await contents(link)
        .orderBy('documents.name_key')
        .offset((page - 1) * pageSize)
        .limit(pageSize)
        .execute();
      return {
        documents: found.map((row) => contentOf(link, row)),
        count: Number(count),
        has_more: page * pageSize < Number(count),
      };
    },
    async find(link, documentId) {
      const row = await contents(link).where('documents.id', '=', documentId).executeTakeFirst();
      if (row === undefined) throw new AppError('not-found', 'the link leads to no such document');
      return contentOf(link, row);
    },
    text: async (content, from) => textPart(await textOf(content), from),
  };
}
