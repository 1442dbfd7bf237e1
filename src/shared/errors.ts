/**
 * Every error that may cross a border (HTTP, IPC, worker). The code is what callers decide on; the message is for
 * developers. User-facing text is a table from code in the renderer, HTTP status a table in the server.
 */
export const ERROR_CODES = [
  'bad-request',
  'unauthenticated',
  'session-expired',
  'forbidden',
  'not-found',
  'conflict',
  'archived',
  'locked',
  'gone',
  'password-required',
  'email-required',
  'name-invalid',
  'name-taken',
  'email-taken',
  'credentials-invalid',
  'password-weak',
  'throttled',
  'plan-limit-reached',
  'payload-too-large',
  'content-mismatch',
  'upload-incomplete',
  'query-invalid',
  'query-too-slow',
  'index-unavailable',
  'cancelled',
  'timed-out',
  'server-unreachable',
  'sign-in-failed',
  'folder-unavailable',
  'storage-full',
  'storage-unavailable',
  'unsupported',
  'internal',
] as const;
export type ErrorCode = (typeof ERROR_CODES)[number];

/** JSON-safe context of an error. Never secrets, never document text. */
export type ErrorDetails = Readonly<Record<string, string | number | boolean | null | readonly string[]>>;

/** An error as data, the only form in which errors travel between processes. */
export interface WireError {
  readonly code: ErrorCode;
  readonly message: string;
  readonly details?: ErrorDetails | undefined;
  /** Set for `internal`: the id under which the stack stands in the log. */
  readonly errorId?: string | undefined;
}

const isText = (value: unknown) => typeof value === 'string';
const isDetail = (value: unknown) =>
  value === null ||
  ['string', 'number', 'boolean'].includes(typeof value) ||
  (Array.isArray(value) && value.every(isText));

/** Whether a value that came over a border is an error. Without zod: whoever shows nothing but an error needs no more. */
export function isWireError(value: unknown): value is WireError {
  if (typeof value !== 'object' || value === null) return false;
  const { code, message, details, errorId }: { [K in keyof WireError]?: unknown } = value;
  return (
    ERROR_CODES.some((known) => known === code) &&
    isText(message) &&
    (details === undefined ||
      (typeof details === 'object' && details !== null && Object.values(details).every(isDetail))) &&
    (errorId === undefined || isText(errorId))
  );
}

/** The result envelope of every call over IPC or between threads (style: every call settles). */
export type Outcome<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly error: WireError };

export interface AppErrorOptions {
  readonly details?: ErrorDetails;
  readonly cause?: unknown;
  readonly errorId?: string;
}

/** The one error type that our code throws on purpose. */
export class AppError extends Error {
  override readonly name = 'AppError';
  readonly code: ErrorCode;
  readonly details: ErrorDetails | undefined;
  readonly errorId: string | undefined;

  constructor(code: ErrorCode, message: string, options: AppErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.details = options.details;
    this.errorId = options.errorId;
  }
}

/** Whether `error` is an {@link AppError}, with `code` when one is given. */
export function isAppError(error: unknown, code?: ErrorCode): error is AppError {
  return error instanceof AppError && (code === undefined || error.code === code);
}

/** Rebuilds the error that the other side threw, so that callers just use try and catch. */
export function fromWireError(wire: WireError): AppError {
  return new AppError(wire.code, wire.message, {
    ...(wire.details === undefined ? {} : { details: wire.details }),
    ...(wire.errorId === undefined ? {} : { errorId: wire.errorId }),
  });
}

/** The wire form of an error that was thrown on purpose. Unknown errors are turned into `internal` by the dispatcher, which logs them. */
export function toWireError(error: AppError): WireError {
  return {
    code: error.code,
    message: error.message,
    ...(error.details === undefined ? {} : { details: { ...error.details } }),
    ...(error.errorId === undefined ? {} : { errorId: error.errorId }),
  };
}

/** Makes the compiler prove that a switch is exhaustive. */
export function assertNever(value: never): never {
  throw new AppError('internal', `unexpected value ${String(value)}`);
}
