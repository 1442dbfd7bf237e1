import { defaultOptions, type HElement, parseAsync, renderDocument } from 'docx-preview';
import { unzipSync, zipSync } from 'fflate';
import type { FramedDocument } from '../kit/DocumentFrame.tsx';
import { refused } from '../kit/refusal.ts';
import { documentLink, sanitiseElement } from '../kit/sanitise.ts';
import { openParts } from '../zip/archive.ts';

export interface RenderedDocx extends FramedDocument {
  /** Gives back the images that it brought along. */
  readonly close: () => void;
}

/** What pages are made of; embedded programs, other documents and fonts stay packed. */
const DRAWN =
  /^(?:\[Content_Types\]\.xml|_rels\/|docProps\/|word\/(?!fonts\/|embeddings\/|afchunk|vbaProject)|customXml\/)/iu;

const LOOKS = `
  .docx-wrapper { background: light-dark(#f3f1ec, #121315); padding: 24px 24px 8px; }
  .docx-wrapper > section.docx { box-shadow: 0 1px 4px rgb(31 35 40 / 25%); margin-bottom: 16px; }
  body { margin: 0; }
`;

/** Styles that are texts are set past the parser, which the content policy forbids them to. */
function element(part: HElement | Node | string): Node {
  if (typeof part === 'string' || part instanceof Node || typeof part.style !== 'string') return defaultOptions.h(part);
  const { style, ...rest } = part;
  const made = defaultOptions.h(rest as HElement);
  if (made instanceof HTMLElement || made instanceof SVGElement) made.style.cssText = style;
  return made;
}

/**
 * A Word document as pages. It is packed again from the parts that are drawn, within limits, so that neither a bomb nor what
 * else is in it reaches the library that draws it. @throws AppError `unsupported`
 */
export async function renderDocx(
  bytes: Uint8Array,
  missingImage: (description: string) => string,
): Promise<RenderedDocx> {
  const parts = openParts(bytes);
  if (!parts.names.includes('word/document.xml')) throw refused('damaged');
  const packed = zipSync(unzipSync(bytes, { filter: ({ name }) => DRAWN.test(name) }), { level: 0 });
  const nodes = await render(packed).catch((error: unknown) => {
    throw refused('damaged', error);
  });
  const styles = nodes.filter((node) => node instanceof HTMLStyleElement).map((node) => node.textContent ?? '');
  const body = document.implementation.createHTMLDocument().body;
  body.append(...nodes.filter((node) => !(node instanceof HTMLStyleElement)));
  const urls = [...body.querySelectorAll('img')].map(({ src }) => src).filter((src) => src.startsWith('blob:'));
  sanitiseElement(body, {
    // The library makes images of the document's own parts alone.
    image: (source) => (urls.includes(source) ? source : null),
    link: documentLink,
    missingImage,
  });
  const close = () => {
    for (const url of urls) URL.revokeObjectURL(url);
  };
  return { body, styles: [...styles, LOOKS], close };
}

async function render(packed: Uint8Array): Promise<readonly Node[]> {
  const options = {
    ignoreFonts: true,
    ignoreLastRenderedPageBreak: false,
    renderAltChunks: false,
    h: element,
  };
  return renderDocument(await parseAsync(packed, options), options);
}
