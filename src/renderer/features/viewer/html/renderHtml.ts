import { type BlobUrls, embeddedImage } from '../kit/blobUrls.ts';
import type { FramedDocument } from '../kit/DocumentFrame.tsx';
import { documentLink, sanitise } from '../kit/sanitise.ts';
import { decodeHtml } from './decodeHtml.ts';

export interface RenderedHtml extends FramedDocument {
  /** Gives back the images that it brought along. */
  readonly close: () => void;
}

/** The style sheets that are written into a page; those that it would load stay away. */
function ownStyles(html: string): readonly string[] {
  const page = new DOMParser().parseFromString(html, 'text/html');
  return [...page.querySelectorAll('style')].map((style) => {
    const text = style.textContent ?? '';
    return style.media === '' ? text : `@media ${style.media.replace(/[{};]/gu, '')} {${text}}`;
  });
}

/** An HTML file as what is drawn of it: its elements and its own styles. */
export function renderHtml(
  bytes: Uint8Array<ArrayBuffer>,
  urls: BlobUrls,
  missingImage: (description: string) => string,
): RenderedHtml {
  const html = decodeHtml(bytes);
  const body = sanitise(html, { image: (address) => embeddedImage(urls, address), link: documentLink, missingImage });
  return { body, styles: ownStyles(html), close: urls.close };
}
