import { execFile } from 'node:child_process';
import { join } from 'node:path';

/** The program itself. */
export const COMMAND_LINE = join(import.meta.dirname, '..', '..', 'src', 'cli', 'main.ts');

/** Runs the command line as a person would. */
export function armarium(args: readonly string[], input = '', env: NodeJS.ProcessEnv = {}) {
  return new Promise<{ code: number; output: string }>((done) => {
    const options = { env: { ...process.env, ...env } };
    const child = execFile(process.execPath, [COMMAND_LINE, ...args], options, (error, stdout, stderr) => {
      done({ code: error === null ? 0 : Number(error.code), output: stdout + stderr });
    });
    child.stdin?.end(input);
  });
}
