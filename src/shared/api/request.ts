import { AppError, fromWireError, isWireError } from '../errors.ts';
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

/** How an answer becomes what the call returns, or an error: {@link readResponse} or {@link readOwnResponse}. */
export type ReadResponse = <T extends CallDefinition>(call: T, status: number, text: string) => CallOutput<T>;

/**
 * Reads an answer by the contract.
 * @throws AppError with the server's code; `server-unreachable` for an answer that is not the product's (a proxy's or a
 * captive portal's page), `internal` for one that breaks the contract.
 */
export const readResponse: ReadResponse = <T extends CallDefinition>(call: T, status: number, text: string) => {
  const json = jsonOf(call, status, text);
  const parsed = call.response.safeParse(json);
  if (parsed.success) return parsed.data as CallOutput<T>;
  throw new AppError('internal', `${call.method} ${call.path} answered what the contract does not allow`, {
    details: { issues: parsed.error.issues.slice(0, 5).map((issue) => `${issue.path.join('.')}: ${issue.message}`) },
  });
};

/**
 * Reads an answer of the server that the page itself comes from: both are of one build, which types hold to the contract, so
 * the contract's schemas need not be loaded with the page. Errors are those of {@link readResponse} but the last.
 */
export const readOwnResponse: ReadResponse = <T extends CallDefinition>(call: T, status: number, text: string) =>
  jsonOf(call, status, text) as CallOutput<T>;

/** The JSON of an answer that did what was asked. */
function jsonOf(call: CallDefinition, status: number, text: string): unknown {
  const json = parseJson(text);
  if (status >= 200 && status < 300) {
    if (call.status === 204) return null;
    if (json === undefined) throw notOurs(call, status);
    return json;
  }
  if (typeof json === 'object' && json !== null && 'error' in json && isWireError(json.error)) {
    throw fromWireError(json.error);
  }
  throw notOurs(call, status);
}

/** What a JSON text says; undefined for any other text. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
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
