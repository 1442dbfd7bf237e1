import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { expect } from 'vitest';
import { createWorkspace, type Workspace } from '../../../src/core/workspace/workspace.ts';
import { api } from '../../../src/shared/api/index.ts';
import type { Shelf } from '../../../src/shared/model/library.ts';
import type { Checkout, WorkspaceDocument } from '../../../src/shared/model/workspace.ts';
import { createServerClient } from '../../../src/worker/serverClient.ts';
import type { Account, TestClient } from '../../helpers/server.ts';

/** Somebody's computer: a workspace folder that is kept in step with a server. */
export interface Computer {
  readonly client: TestClient & { readonly account: Account };
  readonly workspace: Workspace;
  readonly home: string;
  /** Warnings that were told of. */
  readonly warnings: readonly string[];
  /** The checkout of a shelf, made when there is none yet, once it was looked at. */
  keep(shelf: Shelf): Promise<Kept>;
  /** Speaks with another server, or none, from now on. */
  link(url: string | null, name?: string): Promise<void>;
  close(): Promise<void>;
}

/** A checkout as a test uses it: names are those of documents. */
export interface Kept {
  readonly folder: string;
  path(name: string): string;
  write(name: string, content: string): Promise<void>;
  read(name: string): Promise<string>;
  has(name: string): boolean;
  /** Names and contents of all documents that are here. */
  contents(): Promise<Record<string, string>>;
  /** Looks at both sides; the codes of all that is not the same. */
  codes(): Promise<Record<string, WorkspaceDocument['code']>>;
  document(name: string): WorkspaceDocument | undefined;
  state(): Checkout;
  commit(names: readonly string[], message?: string): Promise<string | null>;
}

/** Takes up somebody's workspace; `home` is one that was there before. */
export async function openComputer(
  url: string,
  { client: person, home, name = url }: { client: Computer['client']; home?: string; name?: string },
): Promise<Computer> {
  const folder = home ?? (await mkdtemp(join(tmpdir(), 'armarium-workspace-')));
  const warnings: string[] = [];
  const workspace = createWorkspace({ onWarning: (message) => warnings.push(message), askEveryMs: 3_600_000 });
  let controller = new AbortController();

  async function link(to: string | null, called = name): Promise<void> {
    controller.abort();
    controller = new AbortController();
    const server = to === null ? null : createServerClient(to, async () => person.token, controller.signal);
    await workspace.setServer(server === null ? null : { server, name: called });
    // The look that begins by this.
    for (const { folder: at } of workspace.checkouts()) await workspace.at(at).settled();
  }

  await workspace.setFolder(folder);
  await link(url);

  return {
    client: person,
    workspace,
    home: folder,
    warnings,
    link,
    async keep(shelf) {
      const there = workspace.checkouts().find(({ shelf_id }) => shelf_id === shelf.id);
      const { folder: at } = there ?? (await workspace.checkOut(shelf.id));
      await workspace.sync();
      const path = (document: string) => join(at, ...document.split('/'));
      const state = () => {
        const found = workspace.checkouts().find(({ folder: each }) => each === at);
        if (found === undefined) throw new Error('the checkout has gone');
        return found;
      };
      return {
        folder: at,
        path,
        async write(document, content) {
          await mkdir(dirname(path(document)), { recursive: true });
          await writeFile(path(document), content);
        },
        read: (document) => readFile(path(document), 'utf8'),
        has: (document) => existsSync(path(document)),
        async contents() {
          const entries = await readdir(at, { recursive: true, withFileTypes: true });
          const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
          const own = files.filter((file) => !relative(at, file).startsWith('.armarium'));
          return Object.fromEntries(
            await Promise.all(own.sort().map(async (file) => [relative(at, file), await readFile(file, 'utf8')])),
          );
        },
        async codes() {
          await workspace.sync();
          const { documents, count } = workspace.at(at).changes();
          expect(count).toBe(documents.length);
          return Object.fromEntries(documents.map(({ name: document, code }) => [document, code]));
        },
        document: (document) =>
          workspace
            .at(at)
            .changes()
            .documents.find((each) => each.name === document),
        state,
        commit: (names, message = 'from the workspace') => workspace.at(at).commit(names, message),
      };
    },
    async close() {
      controller.abort();
      await workspace.close();
      if (home === undefined) await rm(folder, { recursive: true, force: true });
    },
  };
}

let shelves = 0;

/** A shelf of the computer's person. */
export async function makeShelf({ client }: Pick<Computer, 'client'>): Promise<Shelf> {
  shelves += 1;
  const name = `Contracts ${shelves}`;
  return client.call(api.shelves.create, { params: { lib: client.account.library }, body: { name } });
}
