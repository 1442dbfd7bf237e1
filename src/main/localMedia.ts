import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { extname } from 'node:path';
import { Readable } from 'node:stream';
import { protocol } from 'electron';
import type { LocalMediaFile } from '../shared/bridge/index.ts';
import { byteRange } from '../shared/rules/byteRange.ts';

/** Schemes for what a page shows of this machine's files; their hosts are ids that mean nothing but to the main process. */
export const IMAGE_SCHEME = 'local-image';
export const VIDEO_SCHEME = 'video-stream';

/** What the engine draws of itself, and no more than looking at it takes. */
const IMAGES: Readonly<Record<string, string>> = {
  '.avif': 'image/avif',
  '.bmp': 'image/bmp',
  '.gif': 'image/gif',
  '.ico': 'image/x-icon',
  '.jpeg': 'image/jpeg',
  '.jpg': 'image/jpeg',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.webp': 'image/webp',
};
const VIDEOS: Readonly<Record<string, string>> = { '.mov': 'video/mp4', '.mp4': 'video/mp4', '.webm': 'video/webm' };
const TYPES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  [IMAGE_SCHEME]: IMAGES,
  [VIDEO_SCHEME]: VIDEOS,
};

/** What the page may have at hand at a time. */
const MOST_FILES = 100;
/** A picture is decoded as a whole. */
const MOST_IMAGE_BYTES = 64 * 1024 * 1024;

/** Pictures and videos of this machine, by ids. */
export interface LocalMedia {
  /** The address of a file; null for what is neither picture nor video. Whoever asks has made sure that it may be shown. */
  offer(path: string): LocalMediaFile | null;
}

const plain = (status: number, headers: Record<string, string> = {}) => new Response(null, { status, headers });

/** Serves the two schemes. */
export function serveLocalMedia(): LocalMedia {
  const files = new Map<string, { readonly scheme: string; readonly path: string }>();

  async function answer(scheme: string, request: Request): Promise<Response> {
    if (request.method !== 'GET') return plain(405);
    const { host, pathname } = new URL(request.url);
    const file = files.get(host);
    if (file?.scheme !== scheme || pathname !== '/') return plain(404);
    const found = await stat(file.path).catch(() => null);
    if (found === null || !found.isFile()) return plain(404);
    if (scheme === IMAGE_SCHEME && found.size > MOST_IMAGE_BYTES) return plain(413);
    const headers = {
      'content-type': TYPES[scheme]?.[extname(file.path).toLowerCase()] ?? 'application/octet-stream',
      'accept-ranges': 'bytes',
      'cache-control': 'no-store',
      'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox",
      'x-content-type-options': 'nosniff',
    };
    const range = byteRange(request.headers.get('range'), found.size);
    if (range === 'unsatisfiable') return plain(416, { ...headers, 'content-range': `bytes */${found.size}` });
    const { start, end } = range ?? { start: 0, end: found.size - 1 };
    const body = found.size === 0 ? null : Readable.toWeb(createReadStream(file.path, { start, end }));
    return new Response(body as ReadableStream<Uint8Array<ArrayBuffer>> | null, {
      status: range === null ? 200 : 206,
      headers: {
        ...headers,
        'content-length': String(end - start + 1),
        ...(range === null ? {} : { 'content-range': `bytes ${start}-${end}/${found.size}` }),
      },
    });
  }

  for (const scheme of Object.keys(TYPES)) protocol.handle(scheme, (request) => answer(scheme, request));
  return {
    offer(path) {
      const extension = extname(path).toLowerCase();
      const scheme = Object.keys(TYPES).find((each) => TYPES[each]?.[extension] !== undefined);
      if (scheme === undefined) return null;
      const known = [...files].find(([, file]) => file.path === path)?.[0];
      const id = known ?? randomUUID();
      // Asked for again, it is the newest.
      files.delete(id);
      files.set(id, { scheme, path });
      for (const oldest of [...files.keys()].slice(0, Math.max(0, files.size - MOST_FILES))) files.delete(oldest);
      return { kind: scheme === IMAGE_SCHEME ? 'image' : 'video', url: `${scheme}://${id}/` };
    },
  };
}
