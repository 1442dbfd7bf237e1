import { fillPath } from '../../../shared/api/call.ts';
import { STREAM_ROUTES } from '../../../shared/api/documents.ts';
import { TRANSFER_ROUTES } from '../../../shared/api/transfer.ts';
import { AppError, fromWireError, isWireError } from '../../../shared/errors.ts';
import type { ApiClient } from '../../api/client.ts';
import { saveBlob } from '../../ui/saveBlob.ts';

/** Documents that the server puts in one ZIP, unless it is the whole shelf. */
export const ZIP_MOST = 1000;

async function send(ids: readonly string[], signal: AbortSignal): Promise<Response> {
  try {
    return await fetch(TRANSFER_ROUTES.documentsDownload, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ ids }),
      credentials: 'same-origin',
      signal,
    });
  } catch (error) {
    if (signal.aborted) throw new AppError('cancelled', 'the download was given up', { cause: error });
    throw new AppError('server-unreachable', 'the download got no answer', { cause: error });
  }
}

async function refusal(response: Response): Promise<AppError> {
  const body: unknown = await response.json().catch(() => null);
  const wire = typeof body === 'object' && body !== null && 'error' in body ? body.error : null;
  return isWireError(wire) ? fromWireError(wire) : new AppError('internal', `the server answered ${response.status}`);
}

function follow(address: string, name: string): void {
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
}

/** A whole shelf as a ZIP, straight to the browser's downloads. */
export function downloadShelf(library: string, shelfId: string, name: string): void {
  follow(fillPath(TRANSFER_ROUTES.shelfDownload, { lib: library, id: shelfId }), `${name}.zip`);
}

/** One document, straight to the browser's downloads. */
export function downloadDocument(id: string, name: string): void {
  follow(fillPath(STREAM_ROUTES.documentDownload, { id }), name);
}

/** Documents as a ZIP: asked for by a message, so the page receives it before it is saved. */
export async function downloadZip(
  client: ApiClient,
  ids: readonly string[],
  name: string,
  signal: AbortSignal,
): Promise<void> {
  let response = await send(ids, signal);
  if (response.status === 401 && (await client.resume())) response = await send(ids, signal);
  if (!response.ok) throw await refusal(response);
  saveBlob(`${name}.zip`, await response.blob());
}
