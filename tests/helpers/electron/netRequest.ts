import { EventEmitter } from 'node:events';
import { type IncomingMessage, request as openHttp } from 'node:http';
import type Electron from 'electron';
import { checkOptions, strict } from './strict.ts';

const OPTIONS = ['method', 'url', 'headers', 'redirect', 'credentials', 'cache'];

/**
 * `net.request` over Node: the events of Electron's ClientRequest, where a redirect is told of and not followed unless it is
 * asked for, and a request that was given up says so.
 */
export function openRequest(options: Electron.ClientRequestConstructorOptions): Electron.ClientRequest {
  checkOptions('net.request', options, OPTIONS);
  if (options.redirect !== 'manual') throw new Error('net.request: only redirect: manual is part of the stand-in');
  const emitter = new EventEmitter();
  const request = openHttp(options.url ?? '', { method: options.method, headers: options.headers as never });
  let isAborted = false;
  request.on('response', (response: IncomingMessage) => {
    const { statusCode = 0, headers } = response;
    if (statusCode >= 300 && statusCode < 400 && headers.location !== undefined) {
      response.resume();
      emitter.emit('redirect', statusCode, options.method, new URL(headers.location, options.url).href, headers);
      return;
    }
    emitter.emit('response', response);
  });
  request.on('error', (error) => {
    if (!isAborted) emitter.emit('error', error);
  });
  return strict(
    'ClientRequest',
    Object.assign(emitter, {
      end: (data?: Buffer) => void request.end(data),
      abort() {
        if (isAborted) return;
        isAborted = true;
        request.destroy();
        emitter.emit('abort');
      },
    }),
  ) as unknown as Electron.ClientRequest;
}
