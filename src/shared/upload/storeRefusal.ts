import { AppError, fromWireError, isWireError } from '../errors.ts';

/** What a store says that takes a content not: our own server's error, or what its status means. */
export function storeRefusal(status: number, text: string): AppError {
  try {
    const { error } = JSON.parse(text) as { error: unknown };
    if (isWireError(error)) return fromWireError(error);
  } catch {
    // Another store's answer (S3 sends XML).
  }
  return new AppError(status >= 500 ? 'server-unreachable' : 'storage-unavailable', `the store answered ${status}`, {
    details: { status },
  });
}
