import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createWorkspace, type Workspace } from '../src/core/workspace/workspace.ts';
import { api } from '../src/shared/api/index.ts';
import type { Shelf } from '../src/shared/model/library.ts';
import { inParallel } from '../src/shared/rules/inParallel.ts';
import { createServerClient } from '../src/worker/serverClient.ts';
import { createAccount, type TestClient, uploadFiles } from '../tests/helpers/server.ts';
import { workFolder } from './corpus.ts';
import { type BenchReport, describeMachine, goal, isInstalled, percentile } from './report.ts';
import { startServer, stopServer } from './runServer.ts';

export const description =
  'shelves that are kept on this computer: coming, looking, committing, against Git on the same files';

const DOCUMENTS = 10_000;
const FOLDERS = 100;
const ROUNDS = 9;
/** As many as the workspace fetches side by side. */
const LANES = 4;

/** Documents of some two kilobytes. */
function documents(): { readonly name: string; readonly content: string }[] {
  return Array.from({ length: DOCUMENTS }, (_, at) => ({
    name: `folder ${at % FOLDERS}/document ${at}.txt`,
    content: Array.from(
      { length: 40 },
      (__, line) => `line ${line} of document ${at}, ${(at * 7919 + line).toString(36)}`,
    ).join('\n'),
  }));
}

async function timed(work: () => unknown): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

async function median(work: (round: number) => unknown): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) times.push(await timed(() => work(round)));
  return percentile(times, 0.5);
}

function git(folder: string, ...args: string[]): void {
  const identity = ['-c', 'user.name=Bench', '-c', 'user.email=bench@example.org'];
  const { status, stderr } = spawnSync('git', ['-C', folder, ...identity, ...args], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`git ${args.join(' ')}: ${stderr}`);
}

/** The same files as a Git repository, and a clone of it. */
async function timeGit(work: string, files: ReturnType<typeof documents>) {
  const origin = join(work, 'origin');
  for (const { name, content } of files) {
    mkdirSync(dirname(join(origin, name)), { recursive: true });
    writeFileSync(join(origin, name), content);
  }
  git(origin, 'init', '-q', '--initial-branch=main');
  git(origin, 'add', '-A');
  git(origin, 'commit', '-qm', 'first');
  const clone = join(work, 'clone');
  const seconds = (await timed(() => git(work, 'clone', '-q', `file://${origin}`, clone))) / 1000;
  git(clone, 'status', '--short');
  const status = await median(() => git(clone, 'status', '--short'));
  const commit = await median((round) => {
    writeFileSync(join(clone, files[round]?.name ?? ''), `edited in round ${round}\n`);
    git(clone, 'commit', '-qam', 'an edit');
  });
  return { seconds, status, commit };
}

/** Every content by itself, as fast as the server gives it: what no check-out can do without. */
async function timeContents(client: TestClient, shelf: Shelf): Promise<number> {
  const { documents: states } = await client.call(api.documents.latest, {
    params: { lib: shelf.library, id: shelf.id },
  });
  const took = await timed(() =>
    inParallel(states, LANES, async ({ current_version_id: id }) => {
      await (await client.fetch(`/api/v1/version/${id}/content/`)).arrayBuffer();
    }),
  );
  return took / 1000;
}

async function openWorkspace(home: string, url: string, client: TestClient): Promise<Workspace> {
  const workspace = createWorkspace({
    onWarning: (message) => process.stderr.write(`${message}\n`),
    askEveryMs: 3_600_000,
  });
  const server = createServerClient(url, async () => client.token, new AbortController().signal);
  await Promise.all([workspace.setFolder(home), workspace.setServer({ server, name: url })]);
  return workspace;
}

/** Runs the benchmark. */
export async function run(): Promise<BenchReport> {
  const work = workFolder('workspace');
  const files = documents();
  const peer = isInstalled('git', '--version') ? await timeGit(work, files) : null;
  const note = peer === null ? 'git is not installed' : undefined;
  const server = await startServer(join(work, 'server'));
  try {
    const client = await createAccount(server.url, undefined, { source: 'electron' });
    const shelf = await client.call(api.shelves.create, {
      params: { lib: client.account.library },
      body: { name: 'Kept' },
    });
    await uploadFiles(client, shelf, files, 'first');
    const contents = await timeContents(client, shelf);
    const home = join(work, 'home');
    mkdirSync(home);
    let workspace = await openWorkspace(home, server.url, client);
    let folder = '';
    const checkOut =
      (await timed(async () => {
        folder = (await workspace.checkOut(shelf.id)).folder;
        await workspace.sync();
      })) / 1000;
    const { state, counts } = workspace.at(folder).state();
    if (state !== 'ready' || counts.UC !== DOCUMENTS) throw new Error(`the check-out is ${state}`);
    const look = await median(() => workspace.sync());
    const ask = await median(() => workspace.at(folder).look({ files: false }));
    const commit = await median(async (round) => {
      const name = files[round]?.name ?? '';
      writeFileSync(join(folder, ...name.split('/')), `edited in round ${round}\n`);
      await workspace.at(folder).commit([name], 'an edit');
    });
    await workspace.close();
    const start = await timed(async () => {
      workspace = await openWorkspace(home, server.url, client);
      await workspace.sync();
    });
    await workspace.close();
    const ratio = (ours: number, theirs: number | undefined) => (theirs === undefined ? null : ours / theirs);
    return {
      name: 'workspace',
      machine: describeMachine(),
      goals: [
        goal('check-out against fetching the contents alone', checkOut / contents, 'x', { atMost: 2 }),
        goal('nothing changed here: a look against git status', ratio(look, peer?.status), 'x', { atMost: 5 }, note),
        goal('nothing changed there: asking the shelf', ask, 'ms', { atMost: 25 }),
        goal('one edited document committed, p50', commit, 'ms', { atMost: 1000 }),
      ],
      rows: [
        {
          step: 'check-out',
          seconds: checkOut,
          git: peer?.seconds ?? null,
          note: 'git: clone of the same files from the same disk',
        },
        { step: 'the contents alone', seconds: contents, git: null, note: 'fetched four at a time, not written' },
        { step: 'a look', seconds: look / 1000, git: (peer?.status ?? 0) / 1000, note: 'git: status' },
        {
          step: 'a commit of one document',
          seconds: commit / 1000,
          git: (peer?.commit ?? 0) / 1000,
          note: 'git: commit -a',
        },
        { step: 'start and first look', seconds: start / 1000, git: null, note: '' },
      ],
    };
  } finally {
    await stopServer(server);
    rmSync(work, { recursive: true, force: true });
  }
}
