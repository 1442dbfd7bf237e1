import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { APP_VERSION_FILE } from '../../src/shared/api/appVersions.ts';
import { fillPath } from '../../src/shared/api/call.ts';
import { api } from '../../src/shared/api/index.ts';
import type { Platform } from '../../src/shared/model/appVersion.ts';
import type { TestClient } from './server.ts';

/** Publishes a version of the desktop application with its installers, as an administrator does. */
export async function publishVersion(
  admin: TestClient,
  version: string,
  platform: Platform,
  files: Readonly<Record<string, string | Uint8Array>>,
  notes: { readonly release_notes?: string; readonly release_note_type?: 'text' | 'markdown' | 'html' } = {},
): Promise<void> {
  const draft = { version, platform, ...notes };
  const { id } = await admin.call(api.appVersions.create, { body: draft });
  for (const [name, body] of Object.entries(files)) {
    const answer = await admin.fetch(fillPath(APP_VERSION_FILE, { id, name }), {
      method: 'PUT',
      body: body as BodyInit,
    });
    if (!answer.ok) throw new Error(`the installer was not taken: ${await answer.text()}`);
  }
  await admin.call(api.appVersions.update, { params: { id }, body: { ...draft, published: true } });
}

/** What may go wrong between a server and an update client. */
export type Mischief = (answer: {
  readonly path: string;
  readonly body: Buffer;
  readonly response: ServerResponse;
}) => void;

/** Stands between update clients and a server, and does to its answers what a test wants. */
export interface BadLine {
  readonly url: string;
  /** Paths that were asked for, without their queries. */
  readonly asked: string[];
  /** Null passes everything on as it is. */
  mischief: Mischief | null;
  close(): Promise<void>;
}

/** Opens a line to a server. */
export async function openBadLine(origin: string): Promise<BadLine> {
  const line = { url: '', asked: [] as string[], mischief: null as Mischief | null };
  const server: Server = createServer((request: IncomingMessage, response) => {
    const path = new URL(request.url ?? '/', origin).pathname;
    line.asked.push(path);
    void (async () => {
      const answer = await fetch(origin + (request.url ?? '/'));
      const body = Buffer.from(await answer.arrayBuffer());
      response.statusCode = answer.status;
      if (line.mischief !== null) line.mischief({ path, body, response });
      else response.setHeader('content-length', body.length).end(body);
    })();
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  line.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return Object.assign(line, {
    close: async () => {
      server.closeAllConnections();
      await new Promise<void>((done) => server.close(() => done()));
    },
  });
}
