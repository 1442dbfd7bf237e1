import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { FastifyInstance } from 'fastify';

const ID = /^[\w.-]{8,64}$/u;

/** The id of a request: the one that a proxy gave it, when it looks like one, or one of our own. */
export function requestId(request: IncomingMessage): string {
  const given = request.headers['x-request-id'];
  return typeof given === 'string' && ID.test(given) ? given : randomUUID();
}

/**
 * One line for each request: its id, what was asked for by the route's pattern, how it ended and how long it took. Addresses
 * as they were sent hold names, ids and secrets, so none of them is logged.
 */
export function installRequestLog(app: FastifyInstance): void {
  app.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id);
  });
  app.addHook('onResponse', async (request, reply) => {
    const route = request.routeOptions.url ?? 'none';
    const line = { method: request.method, route, status: reply.statusCode, ms: Math.round(reply.elapsedTime) };
    request.log.info(line, 'request');
  });
}
