import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { type ArmariumServer, createServer, type ServerOptions } from '../../src/server/app.ts';
import type { CallDefinition, CallInput, CallOutput } from '../../src/shared/api/call.ts';
import { api } from '../../src/shared/api/index.ts';
import { buildRequest, readResponse } from '../../src/shared/api/request.ts';
import type { Commit, Shelf } from '../../src/shared/model/library.ts';
import { CLIENT_IDS } from '../../src/shared/rules/clientIds.ts';

export interface TestServer {
  readonly url: string;
  readonly port: number;
  readonly dataDir: string;
  readonly server: ArmariumServer;
  close(): Promise<void>;
}

/** A server on a free port with its data in a folder of its own, which goes with it. */
export async function startTestServer(overrides: Partial<ServerOptions> = {}): Promise<TestServer> {
  const dataDir = overrides.dataDir ?? (await mkdtemp(join(tmpdir(), 'armarium-server-')));
  const server = await createServer({ webRoot: null, logger: pino({ level: 'silent' }), ...overrides, dataDir });
  const { url, port } = await server.listen();
  return {
    url,
    port,
    dataDir,
    server,
    async close() {
      await server.close();
      if (overrides.dataDir === undefined) await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** A client as a browser or as the desktop is one: it keeps cookies or a bearer token, and sends what such a client sends. */
export class TestClient {
  readonly url: string;
  readonly cookies = new Map<string, string>();
  /** To which paths the cookies are sent. */
  readonly paths = new Map<string, string>();
  token: string | null = null;
  refreshToken: string | null = null;

  constructor(url: string) {
    this.url = url;
  }

  async fetch(path: string, init: RequestInit = {}): Promise<Response> {
    const headers = new Headers(init.headers);
    if (this.token !== null) headers.set('authorization', `Bearer ${this.token}`);
    else {
      if (this.cookies.size > 0)
        headers.set('cookie', [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; '));
      if (!headers.has('origin') && init.method !== undefined && init.method !== 'GET') headers.set('origin', this.url);
    }
    const response = await fetch(this.url + path, { redirect: 'manual', ...init, headers });
    for (const line of response.headers.getSetCookie()) {
      const [pair = ''] = line.split(';');
      const [name = '', value = ''] = pair.split('=');
      if (value === '') this.cookies.delete(name);
      else this.cookies.set(name, value);
      this.paths.set(name, /; path=([^;]*)/iu.exec(line)?.[1] ?? '/');
    }
    return response;
  }

  async call<T extends CallDefinition>(call: T, input: CallInput<T>): Promise<CallOutput<T>> {
    const request = buildRequest(call, input);
    const response = await this.fetch(request.path, {
      method: request.method,
      headers: request.headers,
      ...(request.body === undefined ? {} : { body: request.body }),
    });
    return readResponse(call, response.status, await response.text());
  }
}

export interface Account {
  readonly email: string;
  readonly password: string;
  readonly username: string;
  readonly library: string;
}

/** Somebody who is not on the server yet. */
export function somebody(name = 'ana'): Account {
  const unique = `${name}-${randomUUID().slice(0, 8)}`;
  return {
    email: `${unique}@example.org`,
    password: 'four quiet reading rooms',
    username: unique,
    library: `Library of ${unique}`,
  };
}

/** The first half of a sign-in, up to the sign-in page's answer. */
export async function beginSignIn(client: TestClient, source: 'web' | 'electron', redirectUri?: string) {
  const verifier = randomBytes(32).toString('base64url');
  const uuid = randomUUID();
  const redirect_uri = redirectUri ?? (source === 'web' ? `${client.url}/callback` : 'http://127.0.0.1:49152/callback');
  const challenge = {
    uuid,
    client_id: source === 'web' ? CLIENT_IDS.web : CLIENT_IDS.desktop,
    redirect_uri,
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256' as const,
  };
  const { auth_url } =
    source === 'web'
      ? await client.call(api.auth.initiate, { body: { ...challenge, source } })
      : await client.call(api.auth.initiateElectron, { query: { ...challenge, response_type: 'code' } });
  return {
    verifier,
    uuid,
    redirect_uri,
    client_id: challenge.client_id,
    request: new URL(auth_url).searchParams.get('request') ?? '',
  };
}

/** Fills in the server's own page. */
export async function submitForm(
  client: TestClient,
  kind: 'sign-in' | 'sign-up',
  request: string,
  account: Account,
): Promise<Response> {
  return client.fetch(`/${kind}`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded', origin: client.url },
    body: new URLSearchParams({ request, email: account.email, password: account.password }).toString(),
  });
}

/** Signs somebody in (or up) the whole way; the client is that person's from then on. */
export async function signIn(
  client: TestClient,
  account: Account,
  kind: 'sign-in' | 'sign-up' = 'sign-in',
  source: 'web' | 'electron' = 'web',
) {
  const begun = await beginSignIn(client, source);
  const response = await submitForm(client, kind, begun.request, account);
  const location = new URL(response.headers.get('location') ?? 'about:blank');
  const code = location.searchParams.get('code') ?? '';
  const state = location.searchParams.get('state') ?? '';
  const { valid } = await client.call(api.auth.verify, { body: { code, state, uuid: begun.uuid } });
  const body = {
    grant_type: 'authorization_code' as const,
    code,
    redirect_uri: begun.redirect_uri,
    client_id: begun.client_id,
    code_verifier: begun.verifier,
    uuid: begun.uuid,
    source,
  };
  const answer = await client.call(api.auth.token, { body });
  client.token = answer.access_token ?? null;
  client.refreshToken = answer.refresh_token ?? null;
  return { valid, body };
}

/** Makes an account with its first library, and the client that is signed in to it. */
export async function createAccount(
  url: string,
  account = somebody(),
  { source = 'web', name = account.username }: { readonly source?: 'web' | 'electron'; readonly name?: string } = {},
): Promise<TestClient & { readonly account: Account }> {
  const client = new TestClient(url);
  await signIn(client, account, 'sign-up', source);
  await client.call(api.auth.completeSignup, {
    body: { username: account.username, name, library_name: account.library, accepted_terms: true },
  });
  return Object.assign(client, { account });
}

/** What an uploader sends: a name and its content. */
export interface TestFile {
  readonly name: string;
  readonly content: string | Uint8Array;
  readonly base_version?: number;
  readonly mime?: string;
}

/** Uploads files as one commit, by the protocol. */
export async function uploadFiles(
  client: TestClient,
  shelf: Shelf,
  files: readonly TestFile[],
  message = '',
): Promise<Commit | null> {
  const params = { lib: shelf.library, id: shelf.id };
  const { documents } = await client.call(api.upload.info, { params });
  const prepared = files.map((file) => {
    const bytes = new Uint8Array(typeof file.content === 'string' ? Buffer.from(file.content) : file.content);
    return {
      bytes,
      announced: {
        name: file.name,
        size: bytes.length,
        sha256: createHash('sha256').update(bytes).digest('hex'),
        mime: file.mime ?? 'text/plain',
        base_version: file.base_version ?? documents.find((each) => each.name === file.name)?.current_version ?? 0,
      },
    };
  });
  const ready = await client.call(api.upload.ready, {
    params,
    body: { message, files: prepared.map(({ announced }) => announced) },
  });
  for (const [index, file] of ready.files.entries()) {
    if (file.transfer === 'none' || file.version_id === null) continue;
    const { url } = await client.call(api.upload.presignedUrl, { params, body: { version_id: file.version_id } });
    const response = await fetch(new URL(url, client.url), {
      method: 'PUT',
      body: prepared[index]?.bytes ?? new Uint8Array(),
    });
    if (!response.ok) throw new Error(`PUT answered ${response.status}: ${await response.text()}`);
  }
  return (await client.call(api.upload.report, { params, body: { upload_id: ready.upload_id } })).commit;
}
