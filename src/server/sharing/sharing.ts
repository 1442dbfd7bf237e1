import type { FastifyRequest } from 'fastify';
import type { Access } from '../access/access.ts';
import type { Audit } from '../audit/audit.ts';
import type { PasswordHasher } from '../auth/passwords.ts';
import type { Throttle } from '../auth/throttle.ts';
import type { Database } from '../database/connection.ts';
import type { Texts } from '../documents/texts.ts';
import type { Actor } from '../http/context.ts';
import type { Jobs } from '../jobs/jobs.ts';
import type { Mailer } from '../mail/mailer.ts';
import type { Notifier } from '../notifications/notifier.ts';
import type { Sealer } from '../sealer.ts';
import { createShareCookies } from './cookies.ts';
import { createShareGate } from './gate.ts';
import type { SharingOptions } from './handlers.ts';
import { createSharedDocuments } from './sharedDocuments.ts';
import { createShareLinks } from './shareLinks.ts';
import { createStatistics } from './shareStatistics.ts';
import { createVisits } from './visits.ts';
import { createWebhookSender } from './webhookSender.ts';

/** Puts the share links' services together, and names who does the jobs of kind `webhook`. */
export function createSharing(options: {
  readonly database: Database;
  readonly access: Access;
  readonly audit: Audit;
  readonly notifier: Notifier;
  readonly mailer: Mailer;
  readonly jobs: Jobs;
  readonly sealer: Sealer;
  readonly hasher: PasswordHasher;
  readonly throttle: Pick<Throttle, 'attempt' | 'clear' | 'refund'>;
  readonly texts: Texts;
  readonly authenticate: (request: FastifyRequest) => Promise<Actor | null>;
  /** The server's secret for this purpose alone. */
  readonly key: Buffer;
  readonly publicUrl: () => string;
  /** Shows an event to those who look at a link's statistics. */
  readonly publish: (topic: string, data: unknown) => void;
  readonly now: () => number;
}): SharingOptions {
  const { database, jobs, key, now, texts } = options;
  const cookies = createShareCookies(options);
  jobs.handle('webhook', createWebhookSender({ key, now }));
  return {
    links: createShareLinks(options),
    statistics: createStatistics(database),
    gate: createShareGate({ ...options, cookies }),
    visits: createVisits({ ...options, cookies }),
    documents: createSharedDocuments(options),
    texts,
  };
}
