import type { FastifyReply, FastifyRequest } from 'fastify';
import { byteRange } from '../../shared/rules/byteRange.ts';
import type { BlobStore } from '../storage/blobStore.ts';

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

/** A content under the name and type that it has as a document. */
export interface NamedContent {
  readonly name: string;
  readonly mime: string;
  readonly sha256: string;
  readonly size: number;
}

/**
 * Answers with a content as a stream: by range, from the client's cache where it has it, and never as a page of ours. It is
 * shown in place only where its type is safe and no `download` is asked for.
 */
export function sendContent(
  request: FastifyRequest,
  reply: FastifyReply,
  blobs: BlobStore,
  content: NamedContent,
  download: boolean,
): FastifyReply {
  const mime = content.mime.split(';')[0]?.trim().toLowerCase() ?? '';
  const inline = !download && INLINE.test(mime);
  const etag = `"${content.sha256}"`;
  const size = Number(content.size);
  reply
    .header(
      'content-type',
      inline ? (mime.startsWith('text/') ? `${mime}; charset=utf-8` : mime) : 'application/octet-stream',
    )
    .header('content-disposition', contentDisposition(inline ? 'inline' : 'attachment', content.name))
    .header('content-security-policy', "default-src 'none'; sandbox")
    .header('cache-control', 'private, no-cache')
    .header('accept-ranges', 'bytes')
    .header('etag', etag);
  if (request.headers['if-none-match'] === etag) return reply.code(304).send();
  const range = byteRange(request.headers.range, size);
  if (range === 'unsatisfiable') return reply.code(416).header('content-range', `bytes */${size}`).send();
  if (range === null || (request.headers['if-range'] ?? etag) !== etag) {
    return reply.header('content-length', size).send(blobs.read(content.sha256));
  }
  return reply
    .code(206)
    .header('content-range', `bytes ${range.start}-${range.end}/${size}`)
    .header('content-length', range.end - range.start + 1)
    .send(blobs.read(content.sha256, range));
}
