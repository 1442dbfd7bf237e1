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

/** A structured log, one JSON line an event, in a file that is rotated at start; secrets are cut out by name. */
export function createFileLogger(file: string, scope: string): Logger {
  mkdirSync(dirname(file), { recursive: true });
  rotate(file);
  return pino(
    {
      name: scope,
      level: process.env.ARMARIUM_LOG_LEVEL ?? 'info',
      redact: { paths: SECRETS.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]), remove: true },
    },
    pino.destination({ dest: file, sync: true, append: true }),
  );
}
