import type { ClientRequest, ClientRequestConstructorOptions, IncomingMessage } from 'electron';
import { ElectronHttpExecutor } from 'electron-updater/out/electronHttpExecutor.js';
import { AppError } from '../../shared/errors.ts';

/** A connection that brings nothing for so long is given up. */
const SILENCE_MS = 60_000;

/** `net.request`, or what stands in for it in tests. */
export type OpenRequest = (options: ClientRequestConstructorOptions) => ClientRequest;

interface RequestOptions extends ClientRequestConstructorOptions {
  readonly headers?: Record<string, string | string[]>;
  readonly path?: string;
}

/**
 * How electron-updater reaches the network: the feed's own origin and nothing else, no redirects, and nothing that tells one
 * installation from another.
 */
export class FeedExecutor extends ElectronHttpExecutor {
  /** Set with the feed's address; null reaches nothing. */
  origin: string | null = null;
  private readonly open: OpenRequest;
  private readonly silenceMs: number;
  private last: ClientRequest | null = null;

  constructor(open: OpenRequest, silenceMs = SILENCE_MS) {
    super();
    this.open = open;
    this.silenceMs = silenceMs;
  }

  override createRequest(options: RequestOptions, callback: (response: IncomingMessage) => void): ClientRequest {
    const { protocol = '', hostname = '', port, path = '/', method = 'GET' } = options;
    const origin = `${protocol}//${hostname}${port === undefined || String(port) === '' ? '' : `:${port}`}`;
    if (this.origin === null || new URL(origin).origin !== this.origin) {
      throw new AppError('forbidden', 'an update may come from its own server only');
    }
    const headers = Object.entries(options.headers ?? {}).filter(
      ([name]) => name.toLowerCase() !== 'x-user-staging-id',
    );
    const request = this.open({
      method,
      url: origin + path,
      headers: Object.fromEntries(headers),
      redirect: 'manual',
      credentials: 'omit',
      cache: 'no-store',
    });
    request.on('response', callback);
    this.last = request;
    return request;
  }

  /** A download that is cancelled ends its request, which the library lets run on. */
  override download(...given: Parameters<ElectronHttpExecutor['download']>): Promise<string> {
    const [, , { cancellationToken }] = given;
    this.last = null;
    const downloaded = super.download(...given);
    // It was made at once, unless the download had been cancelled before.
    const request = this.last as ClientRequest | null;
    cancellationToken.once('cancel', () => request?.abort());
    return downloaded;
  }

  protected override addRedirectHandlers(
    request: ClientRequest,
    _options: unknown,
    reject: (error: Error) => void,
  ): void {
    request.on('redirect', () => {
      reject(new AppError('forbidden', 'the feed leads elsewhere'));
      request.abort();
    });
  }

  /** Electron's requests have no sockets to set a time on. */
  override addErrorAndTimeoutHandlers(request: ClientRequest, reject: (error: Error) => void): void {
    let timer: NodeJS.Timeout;
    const stop = () => clearTimeout(timer);
    const wait = () => {
      stop();
      timer = setTimeout(() => {
        reject(new AppError('timed-out', 'the server has stopped sending'));
        request.abort();
      }, this.silenceMs);
    };
    wait();
    request.on('error', (error) => {
      stop();
      reject(error);
    });
    request.on('abort', stop);
    request.on('response', (response) => {
      wait();
      response.on('data', wait);
      for (const end of ['end', 'error', 'aborted'] as const) response.on(end as 'end', stop);
      response.on('aborted', () => reject(new AppError('server-unreachable', 'the connection was lost')));
    });
  }
}
