import { AppError } from '../../shared/errors.ts';
import type { SharedDocument } from '../../shared/model/shareLink.ts';
import type { Database } from '../database/connection.ts';
import type { LinkRow } from './linkRows.ts';

/** A document behind a link, with the content that the link shows of it. */
export interface SharedContent extends SharedDocument {
  readonly version_id: string;
  readonly sha256: string;
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
}

/** Makes the service. */
export function createSharedDocuments({ database }: { readonly database: Database }): SharedDocuments {
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
        .orderBy('documents.name_order')
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
  };
}
