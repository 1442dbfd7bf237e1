import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import cookie from '@fastify/cookie';
import formbody from '@fastify/formbody';
import fastify, { type FastifyBaseLogger, LogController } from 'fastify';
import type { Logger } from 'pino';
import brand from '../../resources/brand.json' with { type: 'json' };
import { createExtractor } from '../core/extract/extractor.ts';
import { api, streams } from '../shared/api/index.ts';
import { AppError } from '../shared/errors.ts';
import type { InsightServices } from '../shared/model/insight.ts';
import { workerEntry } from '../worker/entries.ts';
import { openIndex } from '../worker/openIndex.ts';
import { createAccess } from './access/access.ts';
import { createAdministration } from './admin/administration.ts';
import { adminHandlers, auditRoutes, insightHandlers } from './admin/handlers.ts';
import { createAppVersions } from './appVersions/appVersions.ts';
import { appVersionRoutes, appVersionsHandlers } from './appVersions/handlers.ts';
import { archiveRoutes } from './archive/archiveRoutes.ts';
import { createAudit } from './audit/audit.ts';
import { createAuditLog } from './audit/reading.ts';
import { createAccounts, type SignUpPolicy } from './auth/accounts.ts';
import { createKnownDevices } from './auth/devices.ts';
import { accountHandlers, authHandlers, createAuthenticator } from './auth/handlers.ts';
import { createPasswordHasher } from './auth/passwords.ts';
import { createProviders, type ProviderOptions } from './auth/providers.ts';
import { createSecondFactor } from './auth/secondFactor.ts';
import { signInRoutes } from './auth/signInRoutes.ts';
import { createSignIns } from './auth/signIns.ts';
import { createThrottle } from './auth/throttle.ts';
import { createTokenService } from './auth/tokens.ts';
import { createComments } from './comments/comments.ts';
import { commentsHandlers } from './comments/handlers.ts';
import { createComparer } from './compare/comparer.ts';
import { compareHandlers } from './compare/handlers.ts';
import { openDatabase } from './database/connection.ts';
import { createDocumentActions } from './documents/actions.ts';
import { createCommits } from './documents/commits.ts';
import { contentRoutes } from './documents/contentRoutes.ts';
import { createDocuments } from './documents/documents.ts';
import { documentsHandlers } from './documents/handlers.ts';
import { createLocks } from './documents/locks.ts';
import { createTexts } from './documents/texts.ts';
import { createEventStreams } from './events/eventStream.ts';
import { favoritesHandlers } from './favorites/favorites.ts';
import { installDocs } from './http/docsPage.ts';
import { sendError } from './http/errors.ts';
import { createIdempotency } from './http/idempotency.ts';
import { mountApi } from './http/mount.ts';
import { openApiDocument } from './http/openapi.ts';
import { installRequestLog, requestId } from './http/requestLog.ts';
import { createOriginOf, installSecurity } from './http/security.ts';
import { serveWebApp } from './http/webApp.ts';
import { createJobs } from './jobs/jobs.ts';
import { librariesHandlers, shelvesHandlers } from './libraries/handlers.ts';
import { createLibraries } from './libraries/libraries.ts';
import { createLibraryManagement } from './libraries/management.ts';
import { createPlans } from './libraries/plans.ts';
import { createMailer, type SmtpOptions } from './mail/mailer.ts';
import { membersHandlers } from './members/handlers.ts';
import { createMembers } from './members/members.ts';
import { noticesHandlers } from './notices/notices.ts';
import { createDigest } from './notifications/digest.ts';
import { createEventHub } from './notifications/eventHub.ts';
import { notificationStream, notificationsHandlers } from './notifications/handlers.ts';
import { createNotifications } from './notifications/notifications.ts';
import { unsubscribeRoutes } from './notifications/unsubscribeRoutes.ts';
import { createConverter } from './pdfExport/converter.ts';
import { exportRoutes, pdfExportHandlers } from './pdfExport/handlers.ts';
import { retentionHandlers } from './retention/handlers.ts';
import { createRetention } from './retention/retention.ts';
import { createSealer } from './sealer.ts';
import { createSearchFeeder } from './search/feeder.ts';
import { searchHandlers } from './search/handlers.ts';
import { readServerKey } from './serverKey.ts';
import { createSettings } from './settings/settings.ts';
import { sharingHandlers, sharingRoutes } from './sharing/handlers.ts';
import { createSharing } from './sharing/sharing.ts';
import { statisticsStream } from './sharing/statisticsStream.ts';
import type { BlobStore } from './storage/blobStore.ts';
import { createCollector } from './storage/collector.ts';
import { createFolderBlobStore } from './storage/folderBlobStore.ts';
import type { S3Options } from './storage/s3Options.ts';
import { createSignedPaths } from './storage/signedPaths.ts';
import { createSignedUrls } from './storage/signedUrls.ts';
import { libraryExportRoutes } from './transfer/exportRoutes.ts';
import { trashHandlers } from './trash/handlers.ts';
import { createTrash } from './trash/trash.ts';
import { storageRoutes, uploadHandlers } from './upload/handlers.ts';
import { createUploads, UPLOAD_LIFETIME_MS } from './upload/uploads.ts';
import { createUsage } from './usage/usage.ts';

export interface ServerOptions {
  /** Everything that the server keeps stands below this folder. */
  readonly dataDir: string;
  readonly host?: string;
  /** 0 takes any free port. */
  readonly port?: number;
  /** Folder of the built web application, or null to serve the API alone. */
  readonly webRoot: string | null;
  /** Where people reach the server, when that is not where it listens (behind a proxy). */
  readonly publicUrl?: string | null;
  readonly logger: Logger;
  /** PostgreSQL, or null for SQLite in the data folder. */
  readonly databaseUrl?: string | null;
  /** Store for contents, or null for a folder below the data folder. */
  readonly s3?: S3Options | null;
  /** The server's secret, where several servers share a database; by default the one that is kept beside the data. */
  readonly secret?: string | null;
  /** Where mail goes out; without it mails are written as files. */
  readonly smtp?: SmtpOptions | null;
  readonly signUp?: SignUpPolicy;
  /** Whether figures for Prometheus are kept: measuring the event loop wakes the processor a hundred times a second. By default they are. */
  readonly hasMetrics?: boolean;
  /** Bearer token for the metrics; without it this machine alone may read them. */
  readonly metricsToken?: string | null;
  /** Addresses of proxies that are believed to say where a request comes from, separated by commas. */
  readonly trustProxy?: string | null;
  /** LibreOffice's program, which makes PDFs; by default `soffice` on the path. */
  readonly libreOffice?: string | null;
  /** Services of others that pages may tell, with consent; none unless given. */
  readonly services?: InsightServices;
  /** Other providers that people may sign in with. */
  readonly providers?: readonly ProviderOptions[];
  /** Threads of a new index; by default as many as this machine has processors, up to four. */
  readonly indexShards?: number;
  /** Whether the index is compared with the database at the start; by default it is. */
  readonly indexAtStart?: boolean;
  readonly now?: () => number;
}

/** A server that is put together but does not listen yet. */
export interface ArmariumServer {
  /** @throws the system's error when the port is taken. */
  listen(): Promise<{ readonly url: string; readonly port: number }>;
  /** Resolves when all that is committed is searchable. */
  indexed(): Promise<void>;
  /** Resolves when no job that is due waits. */
  settled(): Promise<void>;
  /** Ends requests under way, then closes index and database. */
  close(): Promise<void>;
}

const isLoopbackHost = (host: string) => host === 'localhost' || host === '::1' || host.startsWith('127.');

/** A wrong setting shows at the start, not with the first upload. Its code is large, and loaded where a bucket is configured. */
async function openBucket(s3: S3Options): Promise<BlobStore> {
  const { createS3BlobStore } = await import('./storage/s3BlobStore.ts');
  const bucket = createS3BlobStore(s3);
  await bucket.check();
  return bucket;
}

/** Puts the server together: the one place where its parts are made. */
export async function createServer(options: ServerOptions): Promise<ArmariumServer> {
  const { dataDir, logger, host = '127.0.0.1', port = 0, publicUrl = null, now = Date.now } = options;
  if (publicUrl === null && !isLoopbackHost(host)) {
    throw new AppError(
      'unsupported',
      'a server that others reach needs to know its own address: set ARMARIUM_PUBLIC_URL to the one that people use',
    );
  }
  let isClosing = false;
  let listeningUrl = publicUrl ?? '';
  /** Where people reach the server, for links in mails. */
  const ownUrl = () => listeningUrl;
  const key = readServerKey(dataDir, options.secret ?? null);
  const { databaseUrl = null, s3 = null, services = { posthog: null, sentry: null } } = options;
  const database = await openDatabase({ dataDir, databaseUrl });
  const signedUrls = createSignedUrls(key.derive('storage urls'), now);
  const folder = createFolderBlobStore(dataDir, signedUrls);
  const blobs: BlobStore = s3 === null ? folder : await openBucket(s3);
  const index = await openIndex({
    file: join(dataDir, 'index', 'search.db'),
    ...(options.indexShards === undefined ? {} : { shards: options.indexShards }),
    onWarning: (message) => logger.warn({ scope: 'index' }, message),
  });
  const tokens = createTokenService(database, key.derive('tokens'), now);
  const signIns = createSignIns(database, tokens, now);
  const access = createAccess(database);
  const audit = createAudit(now);
  const jobs = createJobs({ database, log: logger, now });
  const notifications = createNotifications({ database, access, log: logger, now });
  const eventStreams = createEventStreams();
  const settings = createSettings({
    database,
    sealer: createSealer(key.derive('settings')),
    defaults: { smtp: options.smtp ?? null, providers: options.providers ?? [], signUp: options.signUp ?? 'open' },
    now,
  });
  const limitsOf = settings.limitsOf;
  const plans = createPlans(limitsOf);
  const libraries = createLibraries({ database, access, plans, now });
  const locks = createLocks(now);
  const documents = createDocuments(database, locks);
  const signedPaths = createSignedPaths(key.derive('signed paths'), now);
  const commits = createCommits({ locks, plans, notifier: notifications, now });
  const feeder = createSearchFeeder({ index, database, blobs, log: logger, now });
  const usage = createUsage(database, logger, now);
  const onCommitted = (hash: string) => {
    usage.count('upload', 'commit');
    feeder.committed(hash);
  };
  const management = createLibraryManagement({
    database,
    access,
    plans,
    audit,
    notifier: notifications,
    onRenamed: (libraryId) => feeder.renamed(libraryId),
    onDeleted: (shelfId) => feeder.shelfDeleted(shelfId),
    now,
  });
  const uploads = createUploads({ database, documents, commits, locks, plans, blobs, now, onCommitted });

  const mailer = createMailer({
    jobs,
    database,
    folder: join(dataDir, 'mail'),
    smtp: () => settings.smtp(),
    defaultFrom: `${brand.name} <${brand.contact.general}>`,
    now,
  });
  const digest = createDigest({ database, mailer, key: key.derive('digests'), publicUrl: ownUrl, now });
  const hasher = createPasswordHasher();
  const throttle = createThrottle(database, now);
  const accounts = createAccounts({
    database,
    hasher,
    throttle,
    tokens,
    mailer,
    audit,
    management,
    signUpPolicy: () => settings.signUpPolicy(),
    publicUrl: ownUrl,
    now,
  });
  const secondFactor = createSecondFactor({
    database,
    sealer: createSealer(key.derive('second factors')),
    hasher,
    throttle,
    now,
  });
  const providers = createProviders({
    database,
    accounts,
    configured: () => settings.providers(),
    publicUrl: ownUrl,
    log: logger,
    now,
  });
  const versions = createAppVersions({ database, audit, blobs, spoolFolder: join(dataDir, 'incoming'), now });
  const comments = createComments({ database, access, audit, notifier: notifications, now });
  const members = createMembers({ database, access, audit, notifier: notifications, mailer, publicUrl: ownUrl, now });
  const actions = createDocumentActions({ database, access, audit, commits, documents, locks, onCommitted });
  const trash = createTrash({
    database,
    index,
    audit,
    commits,
    documents,
    plans,
    keepDays: () => settings.trashDays(),
    onCommitted,
    onRemoved: (versionIds) => feeder.removed(versionIds),
    now,
  });
  const retention = createRetention({
    database,
    versionDays: () => settings.versionDays(),
    onRemoved: (versionIds) => feeder.removed(versionIds),
    now,
  });
  const idempotency = createIdempotency(database, now);
  const collector = createCollector(database, blobs, now);
  jobs.handle('collect', async () => {
    await uploads.forgetAbandoned();
    await trash.purgeExpired();
    await retention.apply();
    await idempotency.forgetOld();
    await notifications.forgetOld();
    await throttle.forgetOld();
    await blobs.sweep(UPLOAD_LIFETIME_MS);
    const { removed, bytes } = await collector.collect();
    logger.info({ removed, bytes }, 'collected');
  });
  jobs.every('collect', 3600_000);
  jobs.handle('digest', () => digest.send());
  jobs.every('digest', 24 * 3600_000);

  const app = fastify({
    loggerInstance: logger as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    routerOptions: { ignoreTrailingSlash: true },
    genReqId: requestId,
    requestTimeout: 0,
    connectionTimeout: 120_000,
    forceCloseConnections: true,
    trustProxy: options.trustProxy ?? false,
  });
  installSecurity(app, { publicUrl, isLoopback: isLoopbackHost(host) });
  app.setErrorHandler(sendError);
  installRequestLog(app);
  if (options.hasMetrics !== false) {
    const { installMetrics } = await import('./http/metrics.ts');
    installMetrics(app, {
      token: options.metricsToken ?? null,
      database,
      indexWaiting: () => feeder.pending(),
      now,
    });
  }
  await app.register(cookie);
  await app.register(formbody);

  const authenticate = createAuthenticator(tokens);
  const originOf = createOriginOf(publicUrl);
  const converter = createConverter({
    program: options.libreOffice ?? 'soffice',
    cacheFolder: join(dataDir, 'exports'),
  });
  const exportOptions = { database, access, documents, blobs, converter, signedPaths };
  const administration = createAdministration({ database, audit, tokens, indexWaiting: () => feeder.pending(), now });
  const auditLog = createAuditLog(database);
  const adminOptions = {
    database,
    access,
    accounts,
    administration,
    audit,
    auditLog,
    jobs,
    mailer,
    settings,
    tokens,
    usage,
    services,
  };
  const extractor = createExtractor({ threadEntry: workerEntry('extractThread') });
  const texts = createTexts(blobs, extractor);
  const comparer = createComparer({ threadEntry: workerEntry('compareThread') });
  const hub = createEventHub();
  const sharing = createSharing({
    database,
    access,
    audit,
    notifier: notifications,
    mailer,
    jobs,
    hasher,
    throttle,
    texts,
    authenticate,
    sealer: createSealer(key.derive('share link tokens')),
    key: key.derive('share links'),
    publicUrl: ownUrl,
    publish: (topic, data) => hub.publish({ topic, data }),
    now,
  });
  const accountOptions = { database, plans, accounts, secondFactor, tokens, limitsOf };
  const signInOptions = { devices: createKnownDevices(key.derive('devices')), signIns, providers, originOf };
  const librariesOptions = { database, access, plans, libraries, management };
  mountApi(
    app,
    api,
    {
      auth: authHandlers({ ...accountOptions, ...signInOptions, hasWebApp: options.webRoot !== null, now }),
      account: accountHandlers(accountOptions),
      libraries: librariesHandlers(librariesOptions),
      shelves: shelvesHandlers(librariesOptions),
      compare: compareHandlers({ documents, blobs, comparer }),
      documents: documentsHandlers({ access, actions, documents, libraries, signedPaths, texts }),
      trash: trashHandlers(trash),
      upload: uploadHandlers(access, uploads),
      comments: commentsHandlers(access, comments),
      members: membersHandlers(members),
      notifications: notificationsHandlers(notifications),
      notices: noticesHandlers({ database, audit, now }),
      appVersions: appVersionsHandlers(versions),
      sharing: sharingHandlers(sharing),
      retention: retentionHandlers(access, retention),
      admin: adminHandlers(adminOptions),
      insight: insightHandlers(adminOptions),
      pdfExport: pdfExportHandlers(exportOptions),
      favorites: favoritesHandlers(database, access, now),
      search: searchHandlers(index, feeder, database, usage),
    },
    authenticate,
    idempotency,
  );
  signInRoutes(app, { ...signInOptions, database, accounts, hasher, secondFactor, throttle });
  unsubscribeRoutes(app, digest);
  notificationStream(app, { notifications, streams: eventStreams, authenticate });
  await appVersionRoutes(app, { versions, blobs, authenticate });
  exportRoutes(app, exportOptions);
  auditRoutes(app, { ...adminOptions, authenticate });
  archiveRoutes(app, { database, access, blobs, authenticate });
  libraryExportRoutes(app, { database, access, audit, blobs, authenticate, now });
  contentRoutes(app, { documents, blobs, signedPaths, authenticate });
  sharingRoutes(app, { ...sharing, blobs, authenticate });
  statisticsStream(app, { links: sharing.links, streams: eventStreams, authenticate, subscribe: hub.subscribe });
  if (s3 === null) await storageRoutes(app, folder, signedUrls);
  let openApi: ReturnType<typeof openApiDocument> | null = null;
  // Made when somebody wants to read it: few ever do.
  const document = () => {
    openApi ??= openApiDocument(api, streams);
    return openApi;
  };
  app.get('/api/openapi.json', document);
  installDocs(app, document);
  app.get('/health', () => ({ status: 'ok' }));
  app.get('/ready', async () => {
    if (isClosing) throw new AppError('storage-unavailable', 'the server is ending');
    await database.selectFrom('migrations').select('version').limit(1).execute();
    return { status: 'ready' };
  });
  const storeUrls = s3 === null ? [] : [s3.publicEndpoint ?? s3.endpoint];
  const serviceUrls = [services.posthog?.host, services.sentry?.dsn].filter((url) => url !== undefined);
  const origins = [...storeUrls, ...serviceUrls].map((url) => new URL(url).origin);
  await serveWebApp(app, options.webRoot, origins);

  return {
    async listen() {
      await app.listen({ host, port });
      if (options.indexAtStart !== false) feeder.catchUp();
      if (databaseUrl !== null) feeder.follow();
      jobs.start();
      const { port: actual } = app.server.address() as AddressInfo;
      const shown = host.includes(':') ? `[${host}]` : host === '0.0.0.0' ? '127.0.0.1' : host;
      listeningUrl = publicUrl ?? `http://${shown}:${actual}`;
      return { url: listeningUrl, port: actual };
    },
    indexed: () => feeder.idle(),
    settled: () => jobs.idle(),
    async close() {
      isClosing = true;
      eventStreams.closeAll();
      await app.close();
      await extractor.close();
      await comparer.close();
      await notifications.close();
      await usage.close();
      await jobs.stop();
      await index.close();
      await feeder.close();
      await database.destroy();
    },
  };
}
