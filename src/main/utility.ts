import type { UtilityProcess } from 'electron';
import type { Logger } from 'pino';

/** A process that was asked to end and has not is ended after so long: quitting must not hang on it. */
const PATIENCE_MS = 5000;

/** Asks a utility process to end by `ask`, and resolves when it is gone. One that had to be ended stands in the log. */
export async function endUtilityProcess(process: UtilityProcess, ask: () => void, log: Logger): Promise<void> {
  const gone = new Promise<void>((done) => process.once('exit', () => done()));
  const timer = setTimeout(() => {
    log.error({ pid: process.pid }, 'a process did not end when it was asked to');
    process.kill();
  }, PATIENCE_MS);
  ask();
  await gone;
  clearTimeout(timer);
}
