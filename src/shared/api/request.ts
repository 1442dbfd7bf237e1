import { z } from 'zod';
import { AppError, fromWireError, WireError } from '../errors.ts';
import { type CallDefinition, type CallInput, type CallOutput, fillPath } from './call.ts';

/** A call as any HTTP client can send it. */
export interface HttpRequestParts {
  readonly method: CallDefinition['method'];
  /** Path and query, relative to the server's origin. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
}

type Values = Readonly<Record<string, unknown>>;

function encodePairs(values: Values): string {
  return Object.entries(values)
    .flatMap(([name, value]) =>
      Array.isArray(value) ? value.map((each) => [name, each] as const) : [[name, value] as const],
    )
    .filter(([, value]) => value !== undefined && value !== null)
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(String(value))}`)
    .join('&');
}

/** Turns a call and its input into the request: path parameters filled, query and body encoded as the contract says. */
export function buildRequest<T extends CallDefinition>(call: T, input: CallInput<T>): HttpRequestParts {
  const { params = {}, query = {}, body } = input as { params?: Record<string, string>; query?: Values; body?: Values };
  const pairs = encodePairs(query);
  const form = call.bodyFormat === 'form';
  return {
    method: call.method,
    path: fillPath(call.path, params) + (pairs === '' ? '' : `?${pairs}`),
    headers:
      body === undefined
        ? { accept: 'application/json' }
        : {
            accept: 'application/json',
            'content-type': form ? 'application/x-www-form-urlencoded' : 'application/json',
          },
    body: body === undefined ? undefined : form ? encodePairs(body) : JSON.stringify(body),
  };
}

const ErrorBody = z.object({ error: WireError });

/**
 * Reads an answer by the contract.
 * @throws AppError with the server's code; `server-unreachable` for an answer that is not the product's (a proxy's or a
 * captive portal's page), `internal` for one that breaks the contract.
 */
export function readResponse<T extends CallDefinition>(call: T, status: number, text: string): CallOutput<T> {
  const json = parseJson(text);
  if (status >= 200 && status < 300) {
    const parsed = call.response.safeParse(call.status === 204 ? null : (json ?? undefined));
    if (parsed.success) return parsed.data as CallOutput<T>;
    if (json === null && text !== '') throw notOurs(call, status);
    throw new AppError('internal', `${call.method} ${call.path} answered what the contract does not allow`, {
      details: { issues: parsed.error.issues.slice(0, 5).map((issue) => `${issue.path.join('.')}: ${issue.message}`) },
    });
  }
  const failed = ErrorBody.safeParse(json);
  if (failed.success) throw fromWireError(failed.data.error);
  throw notOurs(call, status);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return null;
  }
}

function notOurs(call: CallDefinition, status: number): AppError {
  return new AppError(
    'server-unreachable',
    `${call.method} ${call.path}: status ${status} and no answer of the product`,
    {
      details: { status },
    },
  );
}
