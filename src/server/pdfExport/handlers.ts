import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { FastifyInstance } from 'fastify';
import { fillPath } from '../../shared/api/call.ts';
import { type pdfExport as calls, EXPORTED_FILE, type ExportAnswer } from '../../shared/api/pdfExport.ts';
import { AppError, isAppError } from '../../shared/errors.ts';
import { Id } from '../../shared/model/common.ts';
import { type Access, READ } from '../access/access.ts';
import type { Database } from '../database/connection.ts';
import type { Documents, VersionContent } from '../documents/documents.ts';
import { contentDisposition } from '../documents/sendContent.ts';
import { actorOf, type CallContext } from '../http/context.ts';
import { type ApiHandlers, routePath } from '../http/mount.ts';
import type { BlobStore } from '../storage/blobStore.ts';
import type { SignedPaths } from '../storage/signedPaths.ts';
import type { Converter } from './converter.ts';

export interface PdfExportOptions {
  readonly database: Database;
  readonly access: Access;
  readonly documents: Documents;
  readonly blobs: BlobStore;
  readonly converter: Converter;
  readonly signedPaths: SignedPaths;
}

const isPdf = ({ mime, document_name }: VersionContent) =>
  mime.startsWith('application/pdf') || document_name.toLowerCase().endsWith('.pdf');

/** The file that holds a version as PDF; null for a version that is one itself. */
function convert({ blobs, converter }: PdfExportOptions, content: VersionContent): Promise<string | null> {
  if (isPdf(content)) return Promise.resolve(null);
  return converter.convert(content.sha256, content.document_name, () => blobs.read(content.sha256));
}

/** Handlers of the export calls. What cannot be exported is an answer, not a failure: the client shows the reason. */
export function pdfExportHandlers(options: PdfExportOptions): ApiHandlers<{ pdfExport: typeof calls }>['pdfExport'] {
  const { database, access, documents, signedPaths } = options;

  async function answer(versionId: string, context: CallContext): Promise<ExportAnswer> {
    const content = await documents.content(versionId);
    try {
      await convert(options, content);
    } catch (error) {
      if (!isAppError(error, 'unsupported') && !isAppError(error, 'timed-out')) throw error;
      context.request.log.warn({ version: versionId, reason: error.message }, 'an export failed');
      return { status: 'error', presignedUrl: null, error: error.message };
    }
    const path = fillPath(EXPORTED_FILE, { sha256: content.sha256, id: versionId });
    return { status: 'ready', presignedUrl: signedPaths.sign(path).url, error: null };
  }

  async function versionOf(documentId: string, x: string | null, context: CallContext): Promise<string> {
    const document = await access.document(actorOf(context), documentId, READ);
    const byId = x !== null && Id.safeParse(x).success;
    const row = await database
      .selectFrom('versions')
      .select('id')
      .where('document_id', '=', document.id)
      .$if(byId, (query) => query.where('id', '=', x ?? ''))
      .$if(!byId, (query) => query.where('number', '=', x === null ? document.current_version : Number(x)))
      .executeTakeFirst();
    if (row === undefined) throw new AppError('not-found', 'there is no such version');
    return row.id;
  }

  return {
    current: async ({ params }, context) => answer(await versionOf(params.id, null, context), context),
    version: async ({ params }, context) => answer(await versionOf(params.id, params.x, context), context),
  };
}

/** Sends what was exported to who has the address. */
export function exportRoutes(app: FastifyInstance, options: PdfExportOptions): void {
  const { documents, blobs, signedPaths } = options;
  app.get(routePath(EXPORTED_FILE), async (request, reply) => {
    signedPaths.check(request.url.split('?')[0] ?? '', request.query);
    const { id } = request.params as { id: string };
    const content = await documents.content(id);
    const file = await convert(options, content);
    const name = isPdf(content) ? content.document_name : `${content.document_name}.pdf`;
    reply
      .header('content-type', 'application/pdf')
      .header('content-disposition', contentDisposition('attachment', name))
      .header('content-security-policy', "default-src 'none'; sandbox")
      .header('cache-control', 'private, no-store')
      .header('content-length', file === null ? content.size : (await stat(file)).size);
    return reply.send(file === null ? blobs.read(content.sha256) : createReadStream(file));
  });
}
