import { type BlobUrls, embeddedImage } from '../kit/blobUrls.ts';
import type { FramedDocument } from '../kit/DocumentFrame.tsx';
import { readHtml } from '../kit/readHtml.ts';
import { documentLink, sanitise } from '../kit/sanitise.ts';
import { decodeHtml } from './decodeHtml.ts';

export interface RenderedHtml extends FramedDocument {
  /** Gives back the images that it brought along. */
  readonly close: () => void;
}

/** An HTML file as what is drawn of it: its elements and its own styles. */
export function renderHtml(
  bytes: Uint8Array<ArrayBuffer>,
  urls: BlobUrls,
  missingImage: (description: string) => string,
): RenderedHtml {
  const { html, styles } = readHtml(decodeHtml(bytes), false);
  const body = sanitise(html, { image: (address) => embeddedImage(urls, address), link: documentLink, missingImage });
  return { body, styles, close: urls.close };
}
