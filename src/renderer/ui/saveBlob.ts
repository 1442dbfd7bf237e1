const KEPT_MS = 60_000;

/** Hands content that the page holds to the browser as a file to be saved. */
export function saveBlob(name: string, blob: Blob): void {
  const url = URL.createObjectURL(blob);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // Some browsers read the content only after the click has been handled.
  setTimeout(() => URL.revokeObjectURL(url), KEPT_MS);
}
