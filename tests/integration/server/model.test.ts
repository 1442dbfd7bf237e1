import { createHash } from 'node:crypto';
import { join } from 'node:path';
import SqliteDatabase from 'better-sqlite3';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { api } from '../../../src/shared/api/index.ts';
import { isAppError } from '../../../src/shared/errors.ts';
import type { Commit, Shelf } from '../../../src/shared/model/library.ts';
import { canonicalCommit } from '../../../src/shared/rules/commit.ts';
import { nameKey } from '../../../src/shared/rules/names.ts';
import { createAccount, startTestServer, type TestServer, uploadFiles } from '../../helpers/server.ts';

/** A document as the model knows it: the contents of its versions, oldest first. */
interface ModelDocument {
  id: string;
  name: string;
  versions: string[];
  deleted: boolean;
}

/** What a shelf should hold. */
interface Model {
  readonly documents: ModelDocument[];
  commits: number;
}

interface Real {
  readonly client: Awaited<ReturnType<typeof createAccount>>;
  readonly shelf: Shelf;
}

const NAMES = ['a.txt', 'A.TXT', 'folder/b.txt', 'c.txt'] as const;
const hashOf = (text: string) => createHash('sha256').update(text).digest('hex');
const present = (model: Readonly<Model>, name: string) =>
  model.documents.find((document) => !document.deleted && nameKey(document.name) === nameKey(name));

/** What became of a call: its code when it was refused. */
async function outcome<T>(work: Promise<T>): Promise<{ value: T | null; code: string | null }> {
  try {
    return { value: await work, code: null };
  } catch (error) {
    if (!isAppError(error)) throw error;
    return { value: null, code: error.code };
  }
}

class Upload implements fc.AsyncCommand<Model, Real> {
  readonly name: string;
  readonly content: string;
  constructor(name: string, content: string) {
    this.name = name;
    this.content = content;
  }
  check = () => true;
  async run(model: Model, { client, shelf }: Real): Promise<void> {
    const document = present(model, this.name);
    const base_version = document?.versions.length ?? 0;
    const commit = await uploadFiles(client, shelf, [{ name: this.name, content: this.content, base_version }]);
    if (document?.versions.at(-1) === this.content) {
      expect(commit).toBeNull();
      return;
    }
    model.commits += 1;
    if (document === undefined) {
      const id = commit?.changes[0]?.document_id ?? '';
      model.documents.push({ id, name: this.name, versions: [this.content], deleted: false });
    } else document.versions.push(this.content);
  }
  toString = () => `upload ${this.name} as ${this.content}`;
}

class Delete implements fc.AsyncCommand<Model, Real> {
  readonly name: string;
  constructor(name: string) {
    this.name = name;
  }
  check = (model: Readonly<Model>) => present(model, this.name) !== undefined;
  async run(model: Model, { client }: Real): Promise<void> {
    const document = present(model, this.name);
    if (document === undefined) return;
    await client.call(api.documents.remove, { params: { id: document.id }, body: {} });
    document.deleted = true;
    model.commits += 1;
  }
  toString = () => `delete ${this.name}`;
}

class Rename implements fc.AsyncCommand<Model, Real> {
  readonly from: string;
  readonly to: string;
  constructor(from: string, to: string) {
    this.from = from;
    this.to = to;
  }
  check = (model: Readonly<Model>) => present(model, this.from) !== undefined;
  async run(model: Model, { client }: Real): Promise<void> {
    const document = present(model, this.from);
    if (document === undefined) return;
    const other = present(model, this.to);
    const { code } = await outcome(
      client.call(api.documents.rename, { params: { id: document.id }, body: { name: this.to } }),
    );
    if (document.name === this.to) expect(code).toBe('conflict');
    else if (other !== undefined && other !== document) expect(code).toBe('name-taken');
    else {
      expect(code).toBeNull();
      document.name = this.to;
      document.versions.push(document.versions.at(-1) ?? '');
      model.commits += 1;
    }
  }
  toString = () => `rename ${this.from} to ${this.to}`;
}

class Restore implements fc.AsyncCommand<Model, Real> {
  readonly nth: number;
  constructor(nth: number) {
    this.nth = nth;
  }
  check = (model: Readonly<Model>) => model.documents.some(({ deleted }) => deleted);
  async run(model: Model, { client }: Real): Promise<void> {
    const trash = model.documents.filter(({ deleted }) => deleted);
    const document = trash[this.nth % trash.length];
    if (document === undefined) return;
    const isTaken = present(model, document.name) !== undefined;
    const { code } = await outcome(client.call(api.trash.restore, { params: { id: document.id }, body: {} }));
    expect(code).toBe(isTaken ? 'name-taken' : null);
    if (isTaken) return;
    document.deleted = false;
    document.versions.push(document.versions.at(-1) ?? '');
    model.commits += 1;
  }
  toString = () => `restore deleted document ${this.nth}`;
}

class RestoreVersion implements fc.AsyncCommand<Model, Real> {
  readonly name: string;
  readonly nth: number;
  constructor(name: string, nth: number) {
    this.name = name;
    this.nth = nth;
  }
  check = (model: Readonly<Model>) => present(model, this.name) !== undefined;
  async run(model: Model, { client }: Real): Promise<void> {
    const document = present(model, this.name);
    if (document === undefined) return;
    const number = (this.nth % document.versions.length) + 1;
    const content = document.versions[number - 1] ?? '';
    const { versions } = await client.call(api.documents.history, { params: { id: document.id } });
    const version = versions.find((each) => each.number === number);
    const { code } = await outcome(
      client.call(api.documents.restoreVersion, { params: { id: version?.id ?? '' }, body: {} }),
    );
    expect(code).toBe(content === document.versions.at(-1) ? 'conflict' : null);
    if (code !== null) return;
    document.versions.push(content);
    model.commits += 1;
  }
  toString = () => `restore version ${this.nth} of ${this.name}`;
}

/** The shelf is what the model says, in every list that shows it. */
async function compare(model: Model, { client, shelf }: Real): Promise<void> {
  const params = { lib: shelf.library, id: shelf.id };
  const { shelf: shown, documents } = await client.call(api.documents.shelfDetail, { params });
  const there = model.documents.filter(({ deleted }) => !deleted);
  const byId = (a: { id: string }, b: { id: string }) => (a.id < b.id ? -1 : 1);
  expect(
    documents.map(({ id, name, current_version, sha256 }) => ({ id, name, current_version, sha256 })).sort(byId),
  ).toEqual(
    there
      .map(({ id, name, versions }) => ({
        id,
        name,
        current_version: versions.length,
        sha256: hashOf(versions.at(-1) ?? ''),
      }))
      .sort(byId),
  );
  expect(shown.document_count).toBe(there.length);
  for (const { id, versions } of model.documents) {
    const history = await client.call(api.documents.history, { params: { id } });
    expect(history.versions.map(({ sha256 }) => sha256)).toEqual(versions.map(hashOf).reverse());
  }
  const { commits, count } = await client.call(api.documents.commits, { params, query: { page_size: 500 } });
  expect(count).toBe(model.commits);
  const { user_id } = await client.call(api.auth.userinfo, {});
  for (const [index, commit] of commits.entries()) {
    expect(commit.parent).toBe(commits[index + 1]?.hash ?? null);
    expect(hashOf(canonical(commit, shelf.id, user_id))).toBe(commit.hash);
  }
}

function canonical(commit: Commit, shelfId: string, authorId: string): string {
  const changes = commit.changes.map(({ code, name, version_number, sha256 }) => ({
    code,
    name,
    versionNumber: version_number,
    sha256,
  }));
  return canonicalCommit({ ...commit, shelfId, authorId, createdAt: commit.created_at, changes });
}

describe('a shelf through any sequence of changes', () => {
  let server: TestServer;
  let client: Real['client'];
  let shelves = 0;
  beforeAll(async () => {
    server = await startTestServer();
    client = await createAccount(server.url);
  });
  afterAll(() => server.close());

  it('holds what was put there, with a history that can be checked', async () => {
    const name = fc.constantFrom(...NAMES);
    const commands = fc.commands(
      [
        fc.tuple(name, fc.constantFrom('one', 'two', 'three')).map(([each, content]) => new Upload(each, content)),
        name.map((each) => new Delete(each)),
        fc.tuple(name, name).map(([from, to]) => new Rename(from, to)),
        fc.nat({ max: 5 }).map((nth) => new Restore(nth)),
        fc.tuple(name, fc.nat({ max: 5 })).map(([each, nth]) => new RestoreVersion(each, nth)),
      ],
      { size: '+1', maxCommands: 25 },
    );
    await fc.assert(
      fc.asyncProperty(commands, async (sequence) => {
        shelves += 1;
        const lib = client.account.library;
        const shelf = await client.call(api.shelves.create, { params: { lib }, body: { name: `Shelf ${shelves}` } });
        const model: Model = { documents: [], commits: 0 };
        const real = { client, shelf };
        await fc.asyncModelRun(() => ({ model, real }), sequence);
        await compare(model, real);
      }),
      { numRuns: 40, endOnFailure: false },
    );
    const database = new SqliteDatabase(join(server.dataDir, 'armarium.db'), { readonly: true });
    expect(database.pragma('foreign_key_check')).toEqual([]);
    database.close();
  }, 120_000);
});

describe('a plan with one place left', () => {
  it('gives it to one of many who want it at once', async () => {
    const server = await startTestServer();
    await createAccount(server.url);
    const ben = await createAccount(server.url);
    const lib = ben.account.library;
    await ben.call(api.shelves.create, { params: { lib }, body: { name: 'First' } });
    const wanted = Array.from({ length: 50 }, (_, index) =>
      outcome(ben.call(api.shelves.create, { params: { lib }, body: { name: `Wanted ${index}` } })),
    );
    const codes = (await Promise.all(wanted)).map(({ code }) => code);
    expect(codes.filter((code) => code === null)).toHaveLength(1);
    expect(codes.filter((code) => code === 'plan-limit-reached')).toHaveLength(49);
    await server.close();
  });
});
