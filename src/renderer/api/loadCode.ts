import { AppError } from '../../shared/errors.ts';

const FIRST_PAUSE_MS = 1000;
const LONGEST_PAUSE_MS = 30_000;

/** Loads code that somebody asked for. @throws AppError `server-unreachable` */
export async function loadCode<T>(load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (error) {
    throw new AppError('server-unreachable', 'the code could not be loaded', { cause: error });
  }
}

/** Loads code that nobody waits at, or without which nothing can be shown: tries again until it is there. */
export async function loadUntilThere<T>(load: () => Promise<T>): Promise<T> {
  for (let pause = FIRST_PAUSE_MS; ; pause = Math.min(pause * 2, LONGEST_PAUSE_MS)) {
    try {
      return await load();
    } catch {
      // Out of reach, which the application says at another place.
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
  }
}
