import { existsSync, mkdirSync, renameSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { type Logger, pino } from 'pino';

const KEEP = 5;
const MAX_BYTES = 5 * 1024 * 1024;

/** Fields that never reach a log, wherever they stand. */
const SECRETS = ['access_token', 'refresh_token', 'password', 'code', 'code_verifier', 'authorization', 'cookie'];

function rotate(file: string): void {
  if (!existsSync(file) || statSync(file).size < MAX_BYTES) return;
  for (let age = KEEP - 1; age >= 1; age -= 1) {
    if (existsSync(`${file}.${age}`)) renameSync(`${file}.${age}`, `${file}.${age + 1}`);
  }
  renameSync(file, `${file}.1`);
}

export type LogLevel = 'debug' | 'info' | 'warn' | 'error';

const options = (scope: string, level: LogLevel) => ({
  name: scope,
  level,
  redact: { paths: SECRETS.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]), remove: true },
});

/** A structured log, one JSON line an event, in a file that is rotated at start; secrets are cut out by name. */
export function createFileLogger(file: string, scope: string, level: LogLevel = 'info'): Logger {
  mkdirSync(dirname(file), { recursive: true });
  rotate(file);
  return pino(options(scope, level), pino.destination({ dest: file, sync: true, append: true }));
}

/** The same on standard output, for containers. */
export function createStdoutLogger(scope: string, level: LogLevel = 'info'): Logger {
  return pino(options(scope, level));
}
