import type { OutgoingHttpHeaders } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** Shows that the connection lives, to proxies that close silent ones. */
const HEARTBEAT_MS = 25_000;
/** A client that leaves this much unread is gone or stuck. */
const MAX_UNREAD_BYTES = 1024 * 1024;

/** An open stream of server-sent events (HTML §9.2). */
export interface EventStream {
  send(event: string, data: unknown, id?: string): void;
  close(): void;
}

/** Streams that are open, so that they end with the server: a connection that never ends would keep it from closing. */
export interface EventStreams {
  /**
   * Answers a request with a stream. `isAlive` is asked at each heartbeat, and the stream ends when it says no; `onClose` is
   * told when it is over, whoever ended it.
   */
  open(
    request: FastifyRequest,
    reply: FastifyReply,
    options: { readonly isAlive: () => Promise<boolean>; readonly onClose: () => void },
  ): EventStream;
  closeAll(): void;
}

/** Makes the set of open streams. */
export function createEventStreams(): EventStreams {
  const open = new Set<EventStream>();
  return {
    open(request, reply, { isAlive, onClose }) {
      reply.hijack();
      const { raw } = reply;
      raw.writeHead(200, {
        ...(reply.getHeaders() as OutgoingHttpHeaders),
        'content-type': 'text/event-stream; charset=utf-8',
        'cache-control': 'no-store',
        'x-accel-buffering': 'no',
      });
      raw.write('retry: 3000\n\n');

      const beat = async () => {
        if (await isAlive()) raw.write(': alive\n\n');
        else stream.close();
      };
      const timer = setInterval(() => {
        beat().catch((error: unknown) => {
          request.log.error({ err: error }, 'an event stream could not be kept');
          stream.close();
        });
      }, HEARTBEAT_MS);
      timer.unref();

      const stream: EventStream = {
        send(event, data, id) {
          if (raw.writableLength > MAX_UNREAD_BYTES) {
            stream.close();
            return;
          }
          raw.write(`${id === undefined ? '' : `id: ${id}\n`}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
        },
        close: () => raw.end(),
      };
      open.add(stream);
      const over = () => {
        clearInterval(timer);
        open.delete(stream);
        onClose();
      };
      if (raw.destroyed) over();
      else raw.once('close', over);
      return stream;
    },
    closeAll() {
      for (const stream of open) stream.close();
    },
  };
}
