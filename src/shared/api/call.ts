import type { z } from 'zod';
import type { ErrorCode } from '../errors.ts';

/**
 * One HTTP call of the product. The same object makes the server's route and validation, the client's function and
 * types, and the API's documentation; nothing about a call is written twice.
 */
export interface CallDefinition {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Path with `{name}` parameters, as in the specification, with its trailing slash where it has one. */
  readonly path: `/${string}`;
  readonly summary: string;
  /** `public`: anyone. `user`: signed in. `admin`: user type 0. The server checks it before the handler runs. */
  readonly access: 'public' | 'user' | 'admin';
  readonly params?: z.ZodObject;
  readonly query?: z.ZodObject;
  readonly body?: z.ZodType;
  /** The specification's form-encoded calls; JSON otherwise. */
  readonly bodyFormat?: 'json' | 'form';
  readonly response: z.ZodType;
  /** Set for a call that answers without content; its response is null then. */
  readonly status?: 204;
  /** Besides `bad-request`, `unauthenticated`, `forbidden`, `throttled` and `internal`, which any call may answer. */
  readonly errors: readonly ErrorCode[];
  /**
   * Sending it twice would do its work twice. Clients send such a call with an `idempotency-key` header, the same for every
   * attempt, and the server does it once.
   */
  readonly once?: true;
  /** Largest body in bytes, when it is not the default of 1 MiB. */
  readonly bodyLimit?: number;
  /** Longest wait in milliseconds, when it is not the default of 10 s. */
  readonly timeoutMs?: number;
}

/** Declares a call, keeping its exact types. */
export function call<const T extends CallDefinition>(definition: T): T {
  return definition;
}

/** A part that may be left out where everything in it may. */
type InputPart<K extends string, Input> =
  Record<never, never> extends Input ? { readonly [P in K]?: Input } : { readonly [P in K]: Input };

type Part<T, K extends string, Side extends 'input' | 'output'> = K extends keyof T
  ? T[K] extends z.ZodType
    ? Side extends 'input'
      ? InputPart<K, z.input<T[K]>>
      : { readonly [P in K]: z.output<T[K]> }
    : unknown
  : unknown;

/** What a caller passes: `{ params, query, body }`, each only where the call has it. */
export type CallInput<T extends CallDefinition> = Part<T, 'params', 'input'> &
  Part<T, 'query', 'input'> &
  Part<T, 'body', 'input'>;

/** What a handler receives, after validation and defaults. */
export type CallArguments<T extends CallDefinition> = Part<T, 'params', 'output'> &
  Part<T, 'query', 'output'> &
  Part<T, 'body', 'output'>;

/** What a handler returns and a caller receives. */
export type CallOutput<T extends CallDefinition> = z.output<T['response']>;

/** Whoever makes calls of the contract, from a page or from a process. */
export interface ApiCaller {
  /** @throws AppError with the server's code, or `server-unreachable`, `timed-out`, `cancelled`. */
  call<T extends CallDefinition>(definition: T, input: CallInput<T>): Promise<CallOutput<T>>;
}

/** The contract as a tree: areas of calls. */
export type ApiContract = Readonly<Record<string, Readonly<Record<string, CallDefinition>>>>;

/** Fills `{name}` parameters, percent-encoded; a `.` or `..` segment is refused by the URL parser, so it is escaped too. */
export function fillPath(path: string, params: Readonly<Record<string, string | number>>): string {
  return path.replace(/\{(\w+)\}/gu, (_, name: string) => {
    const value = encodeURIComponent(String(params[name]));
    return /^\.{1,2}$/u.test(value) ? value.replaceAll('.', '%2E') : value;
  });
}
