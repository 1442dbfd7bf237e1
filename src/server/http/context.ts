import type { FastifyReply, FastifyRequest } from 'fastify';
import { AppError } from '../../shared/errors.ts';

/** The signed-in user, as far as calls need to know. */
export interface Actor {
  readonly id: string;
  readonly isAdmin: boolean;
  /** The sign-in that the request came by. */
  readonly familyId: string;
}

/** Who asks, and from where: what the audit log keeps. */
export interface Caller {
  readonly actor: Actor;
  readonly address: string;
}

/** What a handler knows besides its arguments. */
export interface CallContext {
  readonly actor: Actor | null;
  readonly request: FastifyRequest;
  readonly reply: FastifyReply;
  /** Ends when the client has gone. */
  readonly signal: AbortSignal;
}

/** The actor of a call whose access is `user`: the dispatcher has let nobody else in. */
export function actorOf(context: CallContext): Actor {
  if (context.actor === null) throw new AppError('unauthenticated', 'signing in is needed');
  return context.actor;
}

/** Who sends a call whose access is `user`. */
export function callerOf(context: CallContext): Caller {
  return { actor: actorOf(context), address: context.request.ip };
}
