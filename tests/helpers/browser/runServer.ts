import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '..', '..', '..');
const COMPILED = join(ROOT, '.cache', 'compiled');

export interface RunningServer {
  readonly url: string;
  /** Where the server writes its data and, without a mail server, its mails. */
  readonly dataDir: string;
  close(): Promise<void>;
}

/** Starts the server as people do, from the command line, on a free port and with data of its own. @param env settings */
export async function runServer(env: NodeJS.ProcessEnv = {}): Promise<RunningServer> {
  const data = await mkdtemp(join(tmpdir(), 'armarium-e2e-'));
  const child: ChildProcess = spawn(
    process.execPath,
    [
      '--disable-warning=ExperimentalWarning',
      join(ROOT, 'src', 'cli', 'main.ts'),
      'serve',
      '--data',
      data,
      '--port',
      '0',
    ],
    // What one server compiled the next one takes over, which halves its start.
    { stdio: ['ignore', 'pipe', 'inherit'], env: { ...process.env, NODE_COMPILE_CACHE: COMPILED, ...env } },
  );
  const url = await new Promise<string>((found, fail) => {
    let heard = '';
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      heard += text;
      const match = /listening on (\S+)/u.exec(heard);
      if (match?.[1] !== undefined) found(match[1]);
    });
    child.once('exit', (code) => fail(new Error(`the server ended with code ${code}`)));
  });
  return {
    url,
    dataDir: data,
    async close() {
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
      await rm(data, { recursive: true, force: true });
    },
  };
}
