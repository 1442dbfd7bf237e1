import type { Database } from '../database/connection.ts';

/** Documents, each with its newest version: where lists and changes of documents begin. */
export function currentDocuments(on: Database) {
  return on
    .selectFrom('documents')
    .innerJoin('versions', (join) =>
      join
        .onRef('versions.document_id', '=', 'documents.id')
        .onRef('versions.number', '=', 'documents.current_version'),
    );
}
