import { extensionOf } from '../../../ui/fileKind.ts';
import { type BlobUrls, embeddedImage, imageType } from '../kit/blobUrls.ts';
import { resolvePart } from '../kit/paths.ts';
import { readHtml } from '../kit/readHtml.ts';
import { refused } from '../kit/refusal.ts';
import { outsideLink, sanitise } from '../kit/sanitise.ts';
import { openParts, type Parts } from '../zip/archive.ts';

/** A line of the contents. */
export interface BookEntry {
  readonly title: string;
  /** Of what it leads to in the text. */
  readonly id: string;
  readonly depth: number;
}

export interface Book {
  readonly title: string;
  /** All chapters in reading order, each an element of its own. */
  readonly body: HTMLElement;
  readonly contents: readonly BookEntry[];
  /** Gives back the images that it brought along. */
  readonly close: () => void;
}

const XML = 'application/xml';

const parse = (text: string | null): Document => new DOMParser().parseFromString(text ?? '', XML);

/** Elements of a name, whatever prefix a file gives their namespace. */
const named = (root: Document | Element, name: string): readonly Element[] => [
  ...root.getElementsByTagNameNS('*', name),
];

interface Package {
  readonly path: string;
  readonly title: string;
  /** Paths of the parts, by their ids in the package. */
  readonly parts: ReadonlyMap<string, string>;
  readonly spine: readonly string[];
  /** The contents as a page of the book, and how older books have them. */
  readonly nav: string | null;
  readonly ncx: string | null;
}

function readPackage(parts: Parts): Package {
  const path = named(parse(parts.text('META-INF/container.xml')), 'rootfile')[0]?.getAttribute('full-path') ?? '';
  const source = parts.text(path);
  if (source === null) throw refused('damaged');
  const opf = parse(source);
  const items = named(opf, 'item');
  const pathOf = (item: Element | undefined) => resolvePart(path, item?.getAttribute('href') ?? '');
  const byId = new Map(items.map((item) => [item.getAttribute('id') ?? '', pathOf(item) ?? '']));
  const spine = named(opf, 'itemref').map((item) => byId.get(item.getAttribute('idref') ?? ''));
  const nav = items.find((item) => /(?:^|\s)nav(?:\s|$)/u.test(item.getAttribute('properties') ?? ''));
  const ncx = items.find((item) => item.getAttribute('media-type') === 'application/x-dtbncx+xml');
  return {
    path,
    title: named(opf, 'title')[0]?.textContent?.trim() ?? '',
    parts: byId,
    spine: spine.filter((part) => part !== undefined),
    nav: nav === undefined ? null : pathOf(nav),
    ncx: ncx === undefined ? null : pathOf(ncx),
  };
}

const chapterId = (index: number) => `chapter-${index + 1}`;
const placeId = (index: number, id: string) => `${chapterId(index)}-${id}`;

/** The contents by the page that newer books have for them, or by the file of older ones. */
function readContents(parts: Parts, { nav, ncx }: Package, idOf: (from: string, target: string) => string | null) {
  const entries: BookEntry[] = [];
  const add = (title: string | null | undefined, id: string | null, depth: number) => {
    const clean = (title ?? '').replace(/\s+/gu, ' ').trim();
    if (clean !== '' && id !== null) entries.push({ title: clean, id, depth });
  };
  if (nav !== null) {
    const page = parse(parts.text(nav));
    const lists = named(page, 'nav');
    const list =
      lists.find((each) => each.getAttributeNS('http://www.idpf.org/2007/ops', 'type') === 'toc') ?? lists[0];
    for (const link of list === undefined ? [] : named(list, 'a')) {
      let depth = -1;
      for (let at = link.parentElement; at !== null && at !== list; at = at.parentElement)
        if (at.localName === 'ol') depth += 1;
      add(link.textContent, idOf(nav, link.getAttribute('href') ?? ''), Math.max(0, depth));
    }
  } else if (ncx !== null) {
    for (const point of named(parse(parts.text(ncx)), 'navPoint')) {
      let depth = 0;
      for (let at = point.parentElement; at?.localName === 'navPoint'; at = at.parentElement) depth += 1;
      const target = named(point, 'content')[0]?.getAttribute('src') ?? '';
      add(named(point, 'text')[0]?.textContent, idOf(ncx, target), depth);
    }
  }
  return entries;
}

export interface BookTexts {
  readonly missingImage: (description: string) => string;
  /** What a chapter is called that no list names. */
  readonly chapter: (number: number) => string;
}

/** Opens an EPUB: its chapters in one text, with links between them, its own images, and none of its styles. */
export function openBook(bytes: Uint8Array, urls: BlobUrls, { missingImage, chapter: chapterName }: BookTexts): Book {
  const parts = openParts(bytes);
  if (parts.names.includes('META-INF/encryption.xml') && !parts.names.includes('META-INF/container.xml')) {
    throw refused('encrypted');
  }
  const book = readPackage(parts);
  if (book.spine.length === 0) throw refused('damaged');
  const chapterOf = new Map(book.spine.map((path, index) => [path, index]));
  const idOf = (from: string, target: string): string | null => {
    const path = target.startsWith('#') ? from : resolvePart(from, target);
    const index = path === null ? undefined : chapterOf.get(path);
    if (index === undefined) return null;
    const place = target.split('#')[1] ?? '';
    return place === '' ? chapterId(index) : placeId(index, place);
  };
  const images = new Map<string, string | null>();
  const imageOf = (path: string): string | null => {
    const known = images.get(path);
    if (known !== undefined) return known;
    const type = imageType(extensionOf(path));
    const image = type === null ? null : parts.read(path);
    const url = type === null || image === null ? null : urls.add(image, type);
    images.set(path, url);
    return url;
  };
  const body = document.implementation.createHTMLDocument().body;
  for (const [index, path] of book.spine.entries()) {
    const chapter = sanitise(readHtml(parts.text(path) ?? '', true).html, {
      image: (source) => {
        const own = resolvePart(path, source);
        return own === null ? embeddedImage(urls, source) : imageOf(own);
      },
      link: (target) => {
        const id = idOf(path, target);
        return id === null ? outsideLink(target) : `#${id}`;
      },
      missingImage,
      id: (id) => placeId(index, id),
    });
    const section = document.createElement('section');
    section.className = 'chapter';
    section.id = chapterId(index);
    section.append(...chapter.childNodes);
    body.append(section);
  }
  const listed = readContents(parts, book, idOf);
  const contents =
    listed.length > 0
      ? listed
      : book.spine.map((_path, index) => ({ title: chapterName(index + 1), id: chapterId(index), depth: 0 }));
  return { title: book.title, body, contents, close: urls.close };
}
