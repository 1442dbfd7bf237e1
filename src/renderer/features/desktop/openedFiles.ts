import type { Opened } from '../../../shared/bridge/index.ts';
import { AppError } from '../../../shared/errors.ts';

/** Reads a file that the application was asked to open; the shell hands out its contents under an id. */
export async function readOpened({ id, name }: Opened['files'][number]): Promise<File> {
  const response = await fetch(`/opened/${id}`);
  if (!response.ok) throw new AppError('not-found', 'the file has gone', { details: { name } });
  return new File([await response.blob()], name);
}
