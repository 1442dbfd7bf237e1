/**
 * The service worker of the web application: it starts the application without a network, and takes in files that are
 * shared with it. Built alone (`scripts/installable.ts`), with the list of this build's files.
 *
 * It keeps nothing but those public files, all of one build: no answer of the server, no document, no signed address. With a
 * network the page is the server's, always, so that no update is ever missed.
 */
import { RECEIVE_FAILED, RECEIVE_FIELD, RECEIVE_PATH } from '../../shared/rules/receive.ts';
import { receive } from './received.ts';
import { type Shell, wayOf } from './shell.ts';

declare const __SHELL__: Shell;

/** The part of a service worker's own interface that is used; the types of pages do not have it. */
interface WorkEvent extends Event {
  waitUntil(work: Promise<unknown>): void;
}
interface FetchEvent extends WorkEvent {
  readonly request: Request;
  respondWith(answer: Promise<Response>): void;
}
interface WorkMessage extends WorkEvent {
  readonly data: unknown;
}
interface WorkerScope {
  readonly location: Location;
  readonly clients: { claim(): Promise<void> };
  skipWaiting(): Promise<void>;
  addEventListener(name: 'install' | 'activate', listener: (event: WorkEvent) => void): void;
  addEventListener(name: 'message', listener: (event: WorkMessage) => void): void;
  addEventListener(name: 'fetch', listener: (event: FetchEvent) => void): void;
}

const scope = self as unknown as WorkerScope;
const shell = __SHELL__;
const SHELLS = 'shell ';
const cacheName = SHELLS + shell.version;
const files: ReadonlySet<string> = new Set([...shell.files, ...shell.views]);
/** A reverse proxy's, when the server behind it is away. */
const AWAY: ReadonlySet<number> = new Set([502, 503, 504]);

const kept = async (path: string) => (await caches.open(cacheName)).match(path, { ignoreVary: true });

/** From the network; without one from the shell. */
async function fresh(path: string, request: Request): Promise<Response> {
  try {
    const answer = await fetch(request);
    return AWAY.has(answer.status) ? ((await kept(path)) ?? answer) : answer;
  } catch (error) {
    const found = await kept(path);
    if (found === undefined) throw error;
    return found;
  }
}

async function takeIn(request: Request): Promise<Response> {
  try {
    const given = (await request.formData()).getAll(RECEIVE_FIELD);
    await receive(given.filter((each) => each instanceof File));
    return Response.redirect(RECEIVE_PATH, 303);
  } catch {
    // The page says that nothing was kept.
    return Response.redirect(RECEIVE_FAILED, 303);
  }
}

/** All of the files or none. */
async function fill(): Promise<void> {
  const cache = await caches.open(cacheName);
  if ((await cache.match('/', { ignoreVary: true })) === undefined) await cache.addAll(shell.files);
}

/** What of the views is not there yet, each file by itself: one that does not come is asked for the next time. */
async function fillViews(): Promise<void> {
  const cache = await caches.open(cacheName);
  const there = new Set((await cache.keys()).map(({ url }) => new URL(url).pathname));
  await Promise.allSettled(shell.views.filter((path) => !there.has(path)).map((path) => cache.add(path)));
}

async function empty(): Promise<void> {
  await Promise.all((await caches.keys()).map((name) => caches.delete(name)));
}

scope.addEventListener('install', (event) => {
  // Pages come from the network anyway, so nothing has to wait for the pages of the build before.
  event.waitUntil(fill().then(() => scope.skipWaiting()));
});

scope.addEventListener('activate', (event) => {
  const takeOver = async () => {
    const others = (await caches.keys()).filter((name) => name.startsWith(SHELLS) && name !== cacheName);
    await Promise.all(others.map((name) => caches.delete(name)));
    await scope.clients.claim();
  };
  event.waitUntil(takeOver());
});

scope.addEventListener('message', (event) => {
  if (event.data === 'fill') event.waitUntil(fill());
  if (event.data === 'fill views') event.waitUntil(fillViews());
  if (event.data === 'empty') event.waitUntil(empty());
});

scope.addEventListener('fetch', (event) => {
  const { request } = event;
  const path = new URL(request.url).pathname;
  switch (wayOf(request, scope.location.origin, files)) {
    case 'page':
      return event.respondWith(fresh('/', request));
    case 'file':
      return event.respondWith(fresh(path, request));
    case 'kept-file':
      return event.respondWith(kept(path).then((found) => found ?? fetch(request)));
    case 'receive':
      return event.respondWith(takeIn(request));
    case 'none':
      return undefined;
  }
});
