import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { listFiles } from './corpus.ts';
import { isInstalled } from './report.ts';

/** What it took a peer to index a corpus. */
export interface PeerFigures {
  readonly seconds: number;
  readonly bytes: number;
  readonly peakRssBytes: number;
}

/** The most memory that a process has had so far; 0 where the system does not tell. */
function peakMemory(pid: number | undefined): number {
  const status = `/proc/${pid}/status`;
  if (!existsSync(status)) return 0;
  return Number(/^VmHWM:\s+(\d+) kB/mu.exec(readFileSync(status, 'utf8'))?.[1] ?? 0) * 1024;
}

/** Runs a program to its end. */
async function measured(program: string, args: readonly string[], env: NodeJS.ProcessEnv = {}) {
  const started = performance.now();
  const child = spawn(program, args, { env: { ...process.env, ...env }, stdio: 'ignore' });
  let peakRssBytes = 0;
  const look = setInterval(() => {
    peakRssBytes = Math.max(peakRssBytes, peakMemory(child.pid));
  }, 10);
  await once(child, 'exit');
  clearInterval(look);
  return { seconds: (performance.now() - started) / 1000, peakRssBytes };
}

/** codesearch's indexer on the same files, when it is installed. */
export async function codesearch(folder: string, file: string): Promise<PeerFigures | null> {
  if (!isInstalled('cindex', '-help')) return null;
  const figures = await measured('cindex', [folder], { CSEARCHINDEX: file });
  return { ...figures, bytes: statSync(file).size };
}

/** Milliseconds that codesearch takes to count a text in every file that has it, by the index in `file`. */
export function timeCodesearch(file: string, text: string): number {
  const started = performance.now();
  spawnSync('csearch', ['-i', '-c', `\\Q${text}\\E`], { env: { ...process.env, CSEARCHINDEX: file }, stdio: 'ignore' });
  return performance.now() - started;
}

/** recoll indexes about 2 MB a second: of more than this, nobody would wait for it. */
const RECOLL_BYTES = 150e6;

/** recoll's indexer on the same files; a string says why it was not measured. */
export async function recoll(folder: string, bytes: number, configuration: string): Promise<PeerFigures | string> {
  if (!isInstalled('recollindex', '-h')) return 'not installed, not measured';
  if (bytes > RECOLL_BYTES) return 'takes minutes, not measured on a corpus of this size';
  mkdirSync(configuration, { recursive: true });
  writeFileSync(join(configuration, 'recoll.conf'), `topdirs = "${folder}"\nidxflushmb = 100\nloglevel = 1\n`);
  const figures = await measured('recollindex', ['-c', configuration]);
  const size = listFiles(configuration).reduce((sum, file) => sum + statSync(file).size, 0);
  return { ...figures, bytes: size };
}

/** Milliseconds that recoll takes to its first so many documents, with what it shows of each. */
export function timeRecoll(configuration: string, text: string, listed: number): number {
  const started = performance.now();
  spawnSync('recollq', ['-c', configuration, '-n', String(listed), '-A', '-q', `"${text.replaceAll('"', ' ')}"`], {
    stdio: 'ignore',
  });
  return performance.now() - started;
}
