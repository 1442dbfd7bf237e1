import { AppError } from '../../shared/errors.ts';

/** Loads code that somebody asked for. @throws AppError `server-unreachable` */
export async function loadCode<T>(load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (error) {
    throw new AppError('server-unreachable', 'the code could not be loaded', { cause: error });
  }
}
