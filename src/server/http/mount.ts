import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { ApiContract, CallArguments, CallDefinition, CallOutput } from '../../shared/api/call.ts';
import { AppError } from '../../shared/errors.ts';
import type { Actor, CallContext } from './context.ts';
import type { Idempotency } from './idempotency.ts';

/** The handlers of a contract: a missing one does not compile. */
export type ApiHandlers<T extends ApiContract> = {
  readonly [A in keyof T]: {
    readonly [K in keyof T[A]]: (args: CallArguments<T[A][K]>, context: CallContext) => Promise<CallOutput<T[A][K]>>;
  };
};

const BODY_LIMIT = 1024 * 1024;

/** The contract's path in the router's words. */
export function routePath(path: string): string {
  return path.replace(/\{(\w+)\}/gu, ':$1');
}

/** Fields that the contract does not name are refused, so that none can slip through to the database. */
function strict(schema: z.ZodType): z.ZodType {
  return schema instanceof z.ZodObject ? schema.strict() : schema;
}

function parse(schema: z.ZodType | undefined, value: unknown, what: string): unknown {
  if (schema === undefined) return undefined;
  const parsed = strict(schema).safeParse(value);
  if (parsed.success) return parsed.data;
  const issues = parsed.error.issues
    .slice(0, 10)
    .map(({ path, message }) => `${[what, ...path].join('.')}: ${message}`);
  throw new AppError('bad-request', issues.join('; '), { details: { issues } });
}

/** Aborts when the client goes before the answer is written. */
function clientGone(reply: FastifyReply): AbortSignal {
  const controller = new AbortController();
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) controller.abort();
  });
  return controller.signal;
}

/** Mounts every call: access is checked, then all input parsed, then the handler called. */
export function mountApi<T extends ApiContract>(
  app: FastifyInstance,
  contract: T,
  handlers: ApiHandlers<T>,
  authenticate: (request: FastifyRequest) => Promise<Actor | null>,
  idempotency: Idempotency,
): void {
  for (const [area, calls] of Object.entries(contract)) {
    for (const [name, call] of Object.entries(calls) as [string, CallDefinition][]) {
      const handler = (
        handlers as Record<string, Record<string, (args: unknown, context: CallContext) => Promise<unknown>>>
      )[area]?.[name];
      app.route({
        method: call.method,
        url: routePath(call.path),
        bodyLimit: call.bodyLimit ?? BODY_LIMIT,
        handler: async (request, reply) => {
          const actor = await authenticate(request);
          if (call.access !== 'public' && actor === null) throw new AppError('unauthenticated', 'signing in is needed');
          if (call.access === 'admin' && actor?.isAdmin !== true)
            throw new AppError('forbidden', 'only an administrator may');
          const args = {
            params: parse(call.params, request.params, 'path'),
            query: parse(call.query, request.query, 'query'),
            body: parse(call.body, request.body ?? {}, 'body'),
          };
          reply.header('cache-control', 'no-store');
          const work = () =>
            handler?.(args, { actor, request, reply, signal: clientGone(reply) }) ?? Promise.resolve(undefined);
          const answer = await (call.once === true ? idempotency.once(actor, request, work) : work());
          return call.status === 204 ? reply.code(204).send() : answer;
        },
      });
    }
  }
}
