/** What the service worker has to decide; pure, so that it is tested without one. */
import { RECEIVE_PATH } from '../../shared/rules/receive.ts';

/** The files of one build that it needs to start without a network, as the build lists them. */
export interface Shell {
  /** Tells this build's files from those of any other. */
  readonly version: string;
  /** Paths; of the page itself it is `/`. */
  readonly files: readonly string[];
  /** Paths of what documents are shown with, which is kept as soon as a document is. */
  readonly views: readonly string[];
}

/** Paths whose pages the server makes, or whose answers are documents: they are never answered from here. */
const SERVERS_OWN =
  /^\/(?:api|auth|storage|updates|assets|sign-in|sign-up|forgot-password|reset-password|verify-email|second-step|health|ready|metrics)(?:\/|$)/u;
/** Files whose names tell their content. */
const NAMED_BY_CONTENT = /^\/assets\//u;

/** The part of a request that is decided on. */
export interface AskedFor {
  readonly method: string;
  readonly mode: string;
  readonly url: string;
}

/**
 * What is done about a request: `page` and `file` come from the network and without one from the shell, `kept-file` from
 * the shell at once, `receive` takes in files that were shared; with anything else the worker has nothing to do.
 */
export type Way = 'page' | 'file' | 'kept-file' | 'receive' | 'none';

/** Decides on a request. Calls, documents and signed addresses are none of the worker's business. */
export function wayOf({ method, mode, url }: AskedFor, origin: string, files: ReadonlySet<string>): Way {
  const { origin: to, pathname } = new URL(url);
  if (to !== origin) return 'none';
  if (method === 'POST') return pathname === RECEIVE_PATH ? 'receive' : 'none';
  if (method !== 'GET') return 'none';
  if (mode === 'navigate') return SERVERS_OWN.test(pathname) ? 'none' : 'page';
  if (!files.has(pathname)) return 'none';
  return NAMED_BY_CONTENT.test(pathname) ? 'kept-file' : 'file';
}
