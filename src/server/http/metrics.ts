import type { FastifyInstance } from 'fastify';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { AppError } from '../../shared/errors.ts';
import { secretsEqual } from '../auth/secrets.ts';
import type { Database } from '../database/connection.ts';

export interface MetricsOptions {
  /** Bearer token of who may read them; null lets this machine alone. */
  readonly token: string | null;
  readonly database: Database;
  /** Changes that the index does not have yet. */
  readonly indexWaiting: () => number;
  readonly now: () => number;
}

const BUCKETS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
const isLoopback = (address: string) => address === '127.0.0.1' || address === '::1' || address === '::ffff:127.0.0.1';

/** Figures for Prometheus at `/metrics`. Routes are named by their patterns, so that no name of anybody's is a label. */
export function installMetrics(app: FastifyInstance, { token, database, indexWaiting, now }: MetricsOptions): void {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry, prefix: 'armarium_' });
  const registers = [registry];
  const requests = new Histogram({
    name: 'armarium_request_seconds',
    help: 'Requests by method, route and status',
    labelNames: ['method', 'route', 'status'],
    buckets: BUCKETS,
    registers,
  });
  const errors = new Counter({
    name: 'armarium_errors_total',
    help: 'Requests that failed on the side of the server',
    labelNames: ['route'],
    registers,
  });
  const received = new Counter({
    name: 'armarium_received_bytes_total',
    help: 'Bytes of request bodies by their announced length',
    registers,
  });
  new Gauge({
    name: 'armarium_index_waiting',
    help: 'Commits that search does not know yet',
    registers,
    collect() {
      this.set(indexWaiting());
    },
  });
  new Gauge({
    name: 'armarium_jobs',
    help: 'Jobs by kind: waiting, due, failing',
    labelNames: ['kind', 'state'],
    registers,
    async collect() {
      this.reset();
      const rows = await database.selectFrom('jobs').select(['kind', 'run_at_ms', 'last_error']).execute();
      for (const { kind, run_at_ms, last_error } of rows) {
        this.inc({ kind, state: last_error !== null ? 'failing' : Number(run_at_ms) <= now() ? 'due' : 'waiting' });
      }
    },
  });

  app.addHook('onResponse', async (request, reply) => {
    const route = request.routeOptions.url ?? 'none';
    const status = String(reply.statusCode);
    requests.observe({ method: request.method, route, status }, reply.elapsedTime / 1000);
    if (reply.statusCode >= 500) errors.inc({ route });
    received.inc(Number(request.headers['content-length'] ?? 0));
  });

  app.get('/metrics', async (request, reply) => {
    const given = /^Bearer (\S+)$/u.exec(request.headers.authorization ?? '')?.[1] ?? '';
    // A proxy on this machine is no reader on this machine.
    const isLocal = isLoopback(request.socket.remoteAddress ?? '') && request.headers['x-forwarded-for'] === undefined;
    if (token === null ? !isLocal : !secretsEqual(given, token)) {
      throw new AppError('forbidden', 'metrics are for who has the token, or for this machine');
    }
    return reply
      .type(registry.contentType)
      .header('cache-control', 'no-store')
      .send(await registry.metrics());
  });
}
