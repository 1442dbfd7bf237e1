import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { type sharing as calls, SHARING_STREAMS, shareFilter } from '../../shared/api/sharing.ts';
import { AppError } from '../../shared/errors.ts';
import { Id } from '../../shared/model/common.ts';
import { byteRange } from '../../shared/rules/byteRange.ts';
import { contentDisposition, sendContent } from '../documents/sendContent.ts';
import type { Texts } from '../documents/texts.ts';
import { type Actor, actorOf, callerOf } from '../http/context.ts';
import { type ApiHandlers, routePath } from '../http/mount.ts';
import type { BlobStore } from '../storage/blobStore.ts';
import type { ShareGate } from './gate.ts';
import type { SharedContent, SharedDocuments } from './sharedDocuments.ts';
import type { ShareLinks } from './shareLinks.ts';
import type { Statistics } from './shareStatistics.ts';
import type { Visits } from './visits.ts';

export interface SharingOptions {
  readonly links: ShareLinks;
  readonly statistics: Statistics;
  readonly gate: ShareGate;
  readonly visits: Visits;
  readonly documents: SharedDocuments;
  readonly texts: Texts;
}

/** Handlers of the share links' calls. */
export function sharingHandlers(options: SharingOptions): ApiHandlers<{ sharing: typeof calls }>['sharing'] {
  const { links, statistics, gate, visits, documents, texts } = options;
  return {
    list: ({ params, query }, context) => links.list(actorOf(context), params, query),
    create: ({ params, body }, context) => links.create(callerOf(context), params, body),
    update: ({ params, body }, context) => links.update(callerOf(context), params, params.linkId, body),
    revoke: ({ params }, context) => links.revoke(callerOf(context), params, params.linkId),
    mine: ({ query }, context) => links.mine(actorOf(context), query),
    statistics: async ({ params, query }, context) =>
      statistics.read(await links.statisticsScope(actorOf(context), params), query),
    linkStatistics: async ({ params, query }, context) =>
      statistics.read(await links.linkScope(actorOf(context), params, params.linkId), query),
    async open({ params, query }, { request, reply }) {
      const link = await gate.resolve(request, params.link);
      const { row } = link;
      const page = await documents.list(row, query.page, query.page_size);
      const document = row.kind === 'shelf' ? null : (page.documents[0] ?? null);
      await visits.view({ request, reply, link, document, referrer: query.referrer });
      return {
        state: 'open',
        kind: row.kind,
        label: row.label,
        library: row.kind === 'shelf' ? row.library : null,
        shelf: row.shelf,
        allow_download: row.allow_download === 1,
        expires_at: row.expires_at,
        ...page,
        documents: page.documents.map(({ version_id: _version, sha256: _sha256, ...shown }) => shown),
      };
    },
    unlock: async ({ params, body }, { request, reply }) => ({
      state: await gate.unlock(request, reply, params.link, body),
    }),
    async text({ params, query }, { request, reply }) {
      const link = await gate.resolve(request, params.link);
      const document = await documents.find(link.row, params.id);
      await visits.view({ request, reply, link, document });
      return { version_number: document.version_number, ...(await texts.part(document, query.from)) };
    },
  };
}

const ContentPath = z.object({ link: z.string(), id: Id });
const CsvPath = z.object({ lib: z.string(), id: Id, linkId: Id });
const CsvQuery = z.object(shareFilter);

const wantsAttachment = (request: FastifyRequest) => (request.query as { download?: unknown }).download === '1';

/** What a request for a content counts as: a page of ours that shows it is no download, all else that gets bytes is. */
function countedAs(request: FastifyRequest, { sha256, size }: SharedContent): 'view' | 'download' | 'part' {
  const { headers } = request;
  const isOnPage = headers['sec-fetch-site'] === 'same-origin' && headers['sec-fetch-dest'] !== 'document';
  if (headers['if-none-match'] === `"${sha256}"` || (isOnPage && !wantsAttachment(request))) return 'view';
  const range = headers['if-range'] === undefined ? byteRange(headers.range, size) : null;
  if (range === 'unsatisfiable') return 'view';
  return range !== null && range.start > 0 ? 'part' : 'download';
}

/** Routes whose answers are streams: contents behind links, and statistics as CSV. */
export function sharingRoutes(
  app: FastifyInstance,
  options: SharingOptions & {
    readonly blobs: BlobStore;
    readonly authenticate: (request: FastifyRequest) => Promise<Actor | null>;
  },
): void {
  const { links, statistics, gate, visits, documents, blobs, authenticate } = options;

  app.get(routePath(SHARING_STREAMS.content), async (request, reply): Promise<FastifyReply> => {
    const path = ContentPath.safeParse(request.params);
    if (!path.success) throw new AppError('not-found', 'there is no such document');
    const link = await gate.resolve(request, path.data.link);
    const document = await documents.find(link.row, path.data.id);
    if (link.row.allow_download !== 1) {
      throw new AppError('forbidden', 'the link lets the text be read, and no content be downloaded');
    }
    const visit = { request, reply, link, document };
    const counted = countedAs(request, document);
    if (counted === 'view') await visits.view(visit);
    else await visits.download(visit, counted === 'part');
    return sendContent(request, reply, blobs, document, wantsAttachment(request));
  });

  app.get(routePath(SHARING_STREAMS.csv), async (request, reply) => {
    const actor = await authenticate(request);
    if (actor === null) throw new AppError('unauthenticated', 'signing in is needed');
    const path = CsvPath.safeParse(request.params);
    if (!path.success) throw new AppError('not-found', 'there is no such link');
    const filter = CsvQuery.safeParse(request.query);
    if (!filter.success) throw new AppError('bad-request', 'days are as 2026-01-31, audiences visitor, team and bot');
    const scope = await links.linkScope(actor, path.data, path.data.linkId);
    return reply
      .header('content-type', 'text/csv; charset=utf-8')
      .header('content-disposition', contentDisposition('attachment', `share-link-${path.data.linkId}.csv`))
      .header('cache-control', 'no-store')
      .send(Readable.from(statistics.csv(scope, filter.data)));
  });
}
