import { z } from 'zod';
import { Id } from '../model/common.ts';
import { AUDIT_CSV, LIBRARY_AUDIT_CSV } from './admin.ts';
import { APP_VERSION_FILE, UPDATE_FEED } from './appVersions.ts';
import { STREAM_ROUTES, shelfParams } from './documents.ts';
import { NOTIFICATION_STREAM } from './notifications.ts';
import { SHARING_STREAMS } from './sharing.ts';
import { transferStreams } from './transfer.ts';

/** A route whose body, or whose answer, is a stream and no message; in the API's documentation as calls are. */
export interface StreamDefinition {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly path: `/${string}`;
  readonly summary: string;
  readonly access: 'public' | 'user' | 'admin';
  readonly params?: z.ZodObject;
  readonly query?: z.ZodObject;
  /** Media type of the answer. */
  readonly answer: string;
}

const byId = z.object({ id: Id });
const linkParams = shelfParams.extend({ linkId: Id });
const content = { method: 'GET', params: byId, answer: 'application/octet-stream' } as const;

/** Contents, by area like the calls. */
export const streams: Readonly<Record<string, Readonly<Record<string, StreamDefinition>>>> = {
  documents: {
    versionContent: {
      ...content,
      path: STREAM_ROUTES.versionContent,
      summary: 'The content of a version, in place where its type is safe to show, by range when asked.',
      access: 'user',
    },
    versionDownload: {
      ...content,
      path: STREAM_ROUTES.versionDownload,
      summary: 'The content of a version as an attachment.',
      access: 'user',
    },
    documentDownload: {
      ...content,
      path: STREAM_ROUTES.documentDownload,
      summary: 'The newest version of a document as an attachment.',
      access: 'user',
    },
  },
  transfer: transferStreams,
  appVersions: {
    putFile: {
      method: 'PUT',
      path: APP_VERSION_FILE,
      summary: 'Takes an installer of a version that is not published yet, as it is.',
      access: 'admin',
      params: z.object({ id: Id, name: z.string() }),
      answer: 'application/json',
    },
    feed: {
      method: 'GET',
      path: UPDATE_FEED,
      summary: "What update clients read: a channel's newest version, such as `latest-mac.yml`, and the installers.",
      access: 'public',
      params: z.object({ file: z.string() }),
      answer: 'text/yaml',
    },
  },
  admin: {
    auditCsv: {
      method: 'GET',
      path: AUDIT_CSV,
      summary: 'The audit log as CSV.',
      access: 'admin',
      answer: 'text/csv',
    },
    libraryAuditCsv: {
      method: 'GET',
      path: LIBRARY_AUDIT_CSV,
      summary: 'The audit log of one library as CSV, for its owner.',
      access: 'user',
      params: z.object({ name: z.string() }),
      answer: 'text/csv',
    },
  },
  sharing: {
    content: {
      method: 'GET',
      path: SHARING_STREAMS.content,
      summary:
        'The content of a shared document, in place where its type is safe to show; `?download=1` as an attachment.',
      access: 'public',
      params: z.object({ link: z.string(), id: Id }),
      answer: 'application/octet-stream',
    },
    csv: {
      method: 'GET',
      path: SHARING_STREAMS.csv,
      summary: "The events behind a link's statistics.",
      access: 'user',
      params: linkParams,
      answer: 'text/csv',
    },
    live: {
      method: 'GET',
      path: SHARING_STREAMS.live,
      summary: 'Server-sent events `share-event`: the figures are to be asked for again.',
      access: 'user',
      params: linkParams,
      answer: 'text/event-stream',
    },
  },
  notifications: {
    stream: {
      method: 'GET',
      path: NOTIFICATION_STREAM,
      summary:
        'Server-sent events: `notification`, `read`, `notice`, `commit` and `members`. Goes on after `last-event-id`.',
      access: 'user',
      answer: 'text/event-stream',
    },
  },
};
