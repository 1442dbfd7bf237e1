/** What Chromium tells of the connection; other browsers tell nothing. */
const connection = () => (navigator as { connection?: EventTarget & { readonly saveData?: boolean } }).connection;

/** Whether the person asked for data to be saved. */
export const isSavingData = () => connection()?.saveData === true;

/** Tells when that may have changed. @returns what ends it */
export function onDataSaving(listener: () => void): () => void {
  const told = connection();
  told?.addEventListener('change', listener);
  return () => told?.removeEventListener('change', listener);
}
