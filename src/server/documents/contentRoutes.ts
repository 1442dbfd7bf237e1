import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { STREAM_ROUTES } from '../../shared/api/documents.ts';
import { AppError } from '../../shared/errors.ts';
import { Id } from '../../shared/model/common.ts';
import type { Actor } from '../http/context.ts';
import { routePath } from '../http/mount.ts';
import type { BlobStore } from '../storage/blobStore.ts';
import type { Documents, PlacedVersion } from './documents.ts';

/** Types that a browser may show in place: none of them runs script. All else is a download. */
const INLINE =
  /^(text\/plain|application\/pdf|image\/(png|jpeg|gif|webp|bmp|x-icon)|video\/(mp4|webm|quicktime)|audio\/(mpeg|ogg|wav|mp4))$/u;

/** A file name for the header, for old and new clients (RFC 6266, RFC 8187). */
export function contentDisposition(kind: 'inline' | 'attachment', name: string): string {
  const base = name.split('/').at(-1) ?? name;
  const ascii = base.normalize('NFKD').replace(/[^\x20-\x7e]|["\\%]/gu, '_');
  const encoded = encodeURIComponent(base).replace(
    /['()*]/gu,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `${kind}; filename="${ascii}"; filename*=UTF-8''${encoded}`;
}

/** One byte range of a request, or null; `unsatisfiable` when it lies outside (RFC 9110 §14). */
export function byteRange(
  header: string | undefined,
  size: number,
): { start: number; end: number } | 'unsatisfiable' | null {
  const match = /^bytes=(\d*)-(\d*)$/u.exec(header ?? '');
  if (match === null || (match[1] === '' && match[2] === '')) return null;
  const [first, last] = [match[1] ?? '', match[2] ?? ''];
  const start = first === '' ? Math.max(0, size - Number(last)) : Number(first);
  const end = first === '' || last === '' ? size - 1 : Math.min(Number(last), size - 1);
  return start > end || start >= size ? 'unsatisfiable' : { start, end };
}

export interface ContentRoutesOptions {
  readonly documents: Documents;
  readonly blobs: BlobStore;
  readonly authenticate: (request: FastifyRequest) => Promise<Actor | null>;
}

/** Contents as streams: by range, from cache where the client has them, and never as a page of ours. */
export function contentRoutes(app: FastifyInstance, { documents, blobs, authenticate }: ContentRoutesOptions): void {
  async function reader(request: FastifyRequest): Promise<{ actor: Actor; id: string }> {
    const actor = await authenticate(request);
    if (actor === null) throw new AppError('unauthenticated', 'signing in is needed');
    const id = Id.safeParse((request.params as { id?: unknown }).id);
    if (!id.success) throw new AppError('not-found', 'there is no such version');
    return { actor, id: id.data };
  }

  function send(request: FastifyRequest, reply: FastifyReply, version: PlacedVersion, download: boolean): FastifyReply {
    const mime = version.mime.split(';')[0]?.trim().toLowerCase() ?? '';
    const inline = !download && INLINE.test(mime);
    const etag = `"${version.sha256}"`;
    const size = Number(version.size);
    reply
      .header(
        'content-type',
        inline ? (mime.startsWith('text/') ? `${mime}; charset=utf-8` : mime) : 'application/octet-stream',
      )
      .header('content-disposition', contentDisposition(inline ? 'inline' : 'attachment', version.document_name))
      .header('content-security-policy', "default-src 'none'; sandbox")
      .header('cache-control', 'private, no-cache')
      .header('accept-ranges', 'bytes')
      .header('etag', etag);
    if (request.headers['if-none-match'] === etag) return reply.code(304).send();
    const range = byteRange(request.headers.range, size);
    if (range === 'unsatisfiable') return reply.code(416).header('content-range', `bytes */${size}`).send();
    if (range === null || (request.headers['if-range'] ?? etag) !== etag) {
      return reply.header('content-length', size).send(blobs.read(version.sha256));
    }
    return reply
      .code(206)
      .header('content-range', `bytes ${range.start}-${range.end}/${size}`)
      .header('content-length', range.end - range.start + 1)
      .send(blobs.read(version.sha256, range));
  }

  app.get(routePath(STREAM_ROUTES.versionContent), async (request, reply) => {
    const { actor, id } = await reader(request);
    return send(request, reply, await documents.version(actor, id), false);
  });
  app.get(routePath(STREAM_ROUTES.versionDownload), async (request, reply) => {
    const { actor, id } = await reader(request);
    return send(request, reply, await documents.version(actor, id), true);
  });
  app.get(routePath(STREAM_ROUTES.documentDownload), async (request, reply) => {
    const { actor, id } = await reader(request);
    return send(request, reply, await documents.currentVersion(actor, id), true);
  });
}
