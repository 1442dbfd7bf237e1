import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

/** A server in a process of its own. */
export interface RunningServer {
  readonly url: string;
  readonly process: ChildProcess;
}

/** Starts the server on the data in a folder, with the web application out of another where one is named. */
export async function startServer(dataDir: string, webRoot?: string): Promise<RunningServer> {
  const args = [join(import.meta.dirname, 'serverChild.ts'), dataDir, ...(webRoot === undefined ? [] : [webRoot])];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const [url] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  return { url, process: child };
}

/** Ends it; resolves when it is gone. */
export async function stopServer({ process: child }: RunningServer): Promise<void> {
  child.kill('SIGTERM');
  if (child.exitCode === null) await once(child, 'exit');
}
