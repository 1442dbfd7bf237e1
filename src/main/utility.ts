import type { UtilityProcess } from 'electron';

/** A process that was asked to end and has not is ended after so long: quitting must not hang on it. */
const PATIENCE_MS = 5000;

/** Asks a utility process to end by `ask`, and resolves when it is gone. */
export async function endUtilityProcess(process: UtilityProcess, ask: () => void): Promise<void> {
  const gone = new Promise<void>((done) => process.once('exit', () => done()));
  const timer = setTimeout(() => process.kill(), PATIENCE_MS);
  ask();
  await gone;
  clearTimeout(timer);
}
