import { existsSync, readdirSync } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { api } from '../../../src/shared/api/index.ts';
import { isAppError } from '../../../src/shared/errors.ts';
import type { Shelf } from '../../../src/shared/model/library.ts';
import type { ConflictAction } from '../../../src/shared/model/workspace.ts';
import { addMember } from '../../helpers/members.ts';
import { createAccount, startTestServer, type TestServer } from '../../helpers/server.ts';
import { type Computer, type Kept, makeShelf, openComputer } from './workspaceFixture.ts';

const NAMES = ['a.txt', 'b.txt', 'folder/c.txt', 'folder/deep/d.txt'] as const;
const ACTIONS: readonly ConflictAction[] = ['keep-mine', 'keep-theirs', 'keep-both'];

/** What must be somewhere, whatever happens: every content is written once. */
interface Model {
  written: number;
  /** Contents on each of the two computers that no commit has taken yet. */
  readonly owed: readonly [Set<string>, Set<string>];
  /** Contents that a commit has taken. */
  readonly committed: Set<string>;
}

class Real {
  readonly shelf: Shelf;
  readonly server: TestServer;
  readonly computers: [Computer, Computer];
  readonly copies: [Kept, Kept];
  constructor(server: TestServer, shelf: Shelf, computers: [Computer, Computer], copies: [Kept, Kept]) {
    this.server = server;
    this.shelf = shelf;
    this.computers = computers;
    this.copies = copies;
  }
}

type Side = 0 | 1;

/** A refusal that a person sees and goes on after; everything else is a fault. */
async function mayRefuse(work: Promise<unknown>): Promise<boolean> {
  try {
    await work;
    return true;
  } catch (error) {
    if (isAppError(error, 'conflict') || isAppError(error, 'unauthenticated')) return false;
    throw error;
  }
}

/** Somebody takes what is at a place away, by hand: nobody owes it any more. */
async function letGo(model: Model, copy: Kept, side: Side, name: string): Promise<void> {
  if (copy.has(name)) model.owed[side].delete(await copy.read(name));
}

async function everyVersion(client: Computer['client'], shelf: Shelf): Promise<Set<string>> {
  const params = { lib: shelf.library, id: shelf.id };
  const { commits } = await client.call(api.documents.commits, { params, query: { page_size: 500 } });
  const ids = commits.flatMap(({ changes }) => changes.flatMap(({ version_id }) => version_id ?? []));
  const texts = await Promise.all(ids.map(async (id) => (await client.fetch(`/api/v1/version/${id}/content/`)).text()));
  return new Set(texts);
}

/** What was written is on the computer where it was, or in the history of the shelf. */
async function check(model: Model, { copies, computers, shelf }: Real): Promise<void> {
  for (const side of [0, 1] as const) {
    const here = new Set(Object.values(await copies[side].contents()));
    for (const content of model.owed[side]) expect(here, `content ${content} of computer ${side}`).toContain(content);
  }
  const there = await everyVersion(computers[0].client, shelf);
  for (const content of model.committed) expect(there).toContain(content);
}

abstract class Command implements fc.AsyncCommand<Model, Real> {
  readonly side: Side;
  constructor(side: Side) {
    this.side = side;
  }
  check = () => true;
  abstract act(model: Model, copy: Kept, real: Real): Promise<void>;
  abstract toString(): string;
  async run(model: Model, real: Real): Promise<void> {
    await this.act(model, real.copies[this.side], real);
    await check(model, real);
  }
}

class Write extends Command {
  readonly name: string;
  constructor(side: Side, name: string) {
    super(side);
    this.name = name;
  }
  async act(model: Model, copy: Kept): Promise<void> {
    await letGo(model, copy, this.side, this.name);
    model.written += 1;
    const content = `${model.written}`.padStart(6, '0');
    await copy.write(this.name, content);
    model.owed[this.side].add(content);
  }
  toString = () => `${this.side}: write ${this.name}`;
}

class Delete extends Command {
  readonly name: string;
  constructor(side: Side, name: string) {
    super(side);
    this.name = name;
  }
  async act(model: Model, copy: Kept): Promise<void> {
    await letGo(model, copy, this.side, this.name);
    await rm(copy.path(this.name), { force: true });
  }
  toString = () => `${this.side}: delete ${this.name}`;
}

class Move extends Command {
  readonly from: string;
  readonly to: string;
  constructor(side: Side, from: string, to: string) {
    super(side);
    this.from = from;
    this.to = to;
  }
  async act(model: Model, copy: Kept): Promise<void> {
    if (this.from === this.to || !copy.has(this.from)) return;
    await letGo(model, copy, this.side, this.to);
    await mkdir(dirname(copy.path(this.to)), { recursive: true });
    await rename(copy.path(this.from), copy.path(this.to));
  }
  toString = () => `${this.side}: move ${this.from} to ${this.to}`;
}

class Sync extends Command {
  async act(_model: Model, copy: Kept): Promise<void> {
    await copy.codes();
  }
  toString = () => `${this.side}: sync`;
}

/** Commits all that can be, with conflicts left for later. */
async function commitAll(model: Model, copy: Kept, side: Side): Promise<void> {
  const codes = Object.entries(await copy.codes());
  const names = codes.filter(([, code]) => code === 'A' || code === 'M' || code === 'D').map(([name]) => name);
  if (names.length === 0) return;
  const contents = await Promise.all(names.filter(copy.has).map(copy.read));
  if (!(await mayRefuse(copy.commit(names)))) return;
  for (const content of contents) {
    model.owed[side].delete(content);
    model.committed.add(content);
  }
}

class Commit extends Command {
  async act(model: Model, copy: Kept): Promise<void> {
    await commitAll(model, copy, this.side);
  }
  toString = () => `${this.side}: commit`;
}

async function settle(model: Model, copy: Kept, computer: Computer, side: Side, action: ConflictAction) {
  const codes = Object.entries(await copy.codes());
  const checkout = computer.workspace.at(copy.folder);
  for (const [name, code] of codes) {
    if (code !== 'C') continue;
    if (action === 'keep-theirs') {
      // Somebody gives the copy up: it goes to the trash.
      for (const path of await checkout.copies([name])) {
        await letGo(model, copy, side, name);
        await rm(path);
      }
    }
    await mayRefuse(checkout.resolve(name, action));
  }
}

class Settle extends Command {
  readonly action: ConflictAction;
  constructor(side: Side, action: ConflictAction) {
    super(side);
    this.action = action;
  }
  async act(model: Model, copy: Kept, { computers }: Real): Promise<void> {
    await settle(model, copy, computers[this.side], this.side, this.action);
  }
  toString = () => `${this.side}: settle conflicts, ${this.action}`;
}

class Offline extends Command {
  async act(_model: Model, _copy: Kept, { computers }: Real): Promise<void> {
    await computers[this.side].link(null);
  }
  toString = () => `${this.side}: offline`;
}

class Online extends Command {
  async act(_model: Model, _copy: Kept, { computers, server }: Real): Promise<void> {
    await computers[this.side].link(server.url);
  }
  toString = () => `${this.side}: online`;
}

class Restart extends Command {
  async act(_model: Model, _copy: Kept, real: Real): Promise<void> {
    const before = real.computers[this.side];
    await before.workspace.close();
    const computer = await openComputer(real.server.url, { client: before.client, home: before.home });
    real.computers[this.side] = computer;
    real.copies[this.side] = await computer.keep(real.shelf);
  }
  toString = () => `${this.side}: restart`;
}

describe('two computers and a shelf, through any sequence of changes', () => {
  let server: TestServer;
  let people: [Computer['client'], Computer['client']];
  beforeAll(async () => {
    server = await startTestServer();
    const make = () => createAccount(server.url, undefined, { source: 'electron' });
    people = [await make(), await make()];
  });
  afterAll(() => server.close());

  it('lose nothing, and are the same once everything is settled and committed', async () => {
    const side = fc.constantFrom<Side>(0, 1);
    const name = fc.constantFrom(...NAMES);
    const commands = fc.commands(
      [
        fc.tuple(side, name).map(([at, each]) => new Write(at, each)),
        fc.tuple(side, name).map(([at, each]) => new Write(at, each)),
        fc.tuple(side, name).map(([at, each]) => new Delete(at, each)),
        fc.tuple(side, name, name).map(([at, from, to]) => new Move(at, from, to)),
        side.map((at) => new Sync(at)),
        side.map((at) => new Commit(at)),
        side.map((at) => new Commit(at)),
        fc.tuple(side, fc.constantFrom(...ACTIONS)).map(([at, action]) => new Settle(at, action)),
        side.map((at) => new Offline(at)),
        side.map((at) => new Online(at)),
        side.map((at) => new Restart(at)),
      ],
      { size: '+1', maxCommands: 30 },
    );
    await fc.assert(
      fc.asyncProperty(commands, async (sequence) => {
        const computers: [Computer, Computer] = [
          await openComputer(server.url, { client: people[0] }),
          await openComputer(server.url, { client: people[1] }),
        ];
        const shelf = await makeShelf(computers[0]);
        addMember(server, shelf.id, people[1].account.username, 'editor');
        const copies: [Kept, Kept] = [await computers[0].keep(shelf), await computers[1].keep(shelf)];
        const real = new Real(server, shelf, computers, copies);
        const model: Model = { written: 0, owed: [new Set(), new Set()], committed: new Set() };
        try {
          await fc.asyncModelRun(() => ({ model, real }), sequence);
          for (const at of [0, 1, 0, 1] as const) {
            await real.computers[at].link(server.url);
            await settle(model, real.copies[at], real.computers[at], at, 'keep-both');
            await settle(model, real.copies[at], real.computers[at], at, 'keep-mine');
            await commitAll(model, real.copies[at], at);
            await check(model, real);
          }
          for (const copy of real.copies) expect(await copy.codes()).toEqual({});
          const contents = await Promise.all(real.copies.map((copy) => copy.contents()));
          expect(contents[0]).toEqual(contents[1]);
          const { documents } = await people[0].call(api.documents.latest, {
            params: { lib: shelf.library, id: shelf.id },
          });
          expect(documents.map((document) => document.name).sort()).toEqual(Object.keys(contents[0] ?? {}).sort());
          for (const { warnings } of real.computers) expect(warnings).toEqual([]);
          for (const { folder } of real.copies) {
            const left = ['incoming', 'taken'].map((name) => join(folder, '.armarium', name)).filter(existsSync);
            expect(left.flatMap((each) => readdirSync(each))).toEqual([]);
          }
        } finally {
          for (const computer of real.computers) {
            await computer.close();
            await rm(computer.home, { recursive: true, force: true });
          }
        }
      }),
      { numRuns: Number(process.env.ARMARIUM_MODEL_RUNS ?? 20), endOnFailure: true },
    );
  }, 600_000);
});
