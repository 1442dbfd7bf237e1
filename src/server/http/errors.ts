import { randomUUID } from 'node:crypto';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { AppError, type ErrorCode, isAppError, toWireError } from '../../shared/errors.ts';
import { databaseFault, isImpossibleValue } from '../database/faults.ts';

/** HTTP status of every code; the one place that knows. */
const STATUS: Readonly<Record<ErrorCode, number>> = {
  'bad-request': 400,
  unauthenticated: 401,
  'session-expired': 401,
  forbidden: 403,
  'not-found': 404,
  conflict: 409,
  archived: 403,
  locked: 423,
  gone: 410,
  'password-required': 403,
  'email-required': 403,
  'name-invalid': 422,
  'name-taken': 409,
  'email-taken': 409,
  // Not 401: the session of who gives a wrong password has not ended.
  'credentials-invalid': 422,
  'password-weak': 422,
  throttled: 429,
  'plan-limit-reached': 403,
  'payload-too-large': 413,
  'content-mismatch': 422,
  'upload-incomplete': 409,
  'query-invalid': 422,
  'query-too-slow': 422,
  'index-unavailable': 503,
  cancelled: 499,
  'timed-out': 504,
  'server-unreachable': 502,
  'sign-in-failed': 400,
  'folder-unavailable': 422,
  'storage-full': 507,
  'storage-unavailable': 503,
  unsupported: 501,
  internal: 500,
};

/** Faults of the disk and the database below us, told apart once. */
function storageFault(error: unknown): AppError | null {
  const code = (error as NodeJS.ErrnoException | null)?.code ?? '';
  const fault = databaseFault(error);
  if (fault === 'full' || ['ENOSPC', 'EDQUOT'].includes(code))
    return new AppError('storage-full', "the server's disk is full", { cause: error });
  if (fault === 'unavailable' || ['EIO', 'EROFS', 'EMFILE', 'ENFILE'].includes(code))
    return new AppError('storage-unavailable', "the server's storage does not work at present", { cause: error });
  return null;
}

/** What Fastify or the database refuses of a request, in the product's codes. */
function requestFault(error: unknown): AppError | null {
  const { statusCode, message } = error as FastifyError;
  if (isImpossibleValue(error)) return new AppError('bad-request', 'a value cannot be stored', { cause: error });
  if (statusCode === 413) return new AppError('payload-too-large', 'the request is larger than it may be');
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500) return new AppError('bad-request', message);
  return null;
}

/** Turns whatever was thrown into the answer. What nobody expected is logged once, under the id that the client gets. */
export function sendError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  let known = isAppError(error) ? error : (storageFault(error) ?? requestFault(error));
  if (known === null) {
    const errorId = randomUUID();
    request.log.error({ errorId, err: error }, 'unexpected error');
    known = new AppError('internal', 'the server could not do it', { errorId });
  } else if (known.code.startsWith('storage')) request.log.error({ err: error }, known.message);
  return reply.code(STATUS[known.code]).send({ error: toWireError(known) });
}
