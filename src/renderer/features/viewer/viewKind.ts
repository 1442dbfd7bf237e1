import { extensionOf, fileKind } from '../../ui/fileKind.ts';
import { isAudio, isVideo } from './media/mediaKinds.ts';

/** `layer`: there is no view of the kind, but perhaps a text that can be read. */
export type ViewKind =
  | 'text'
  | 'image'
  | 'pdf'
  | 'media'
  | 'markdown'
  | 'table'
  | 'office'
  | 'epub'
  | 'html'
  | 'zip'
  | 'layer';

/** Extensions that a view is for; what the table does not name goes by its kind. */
const EXTENSIONS: Readonly<Partial<Record<ViewKind, string>>> = {
  image: 'jpg jpeg png gif bmp tif tiff ico webp svg avif',
  pdf: 'pdf',
  markdown: 'md markdown mdown mkd',
  table: 'csv tsv xlsx xlsm ods',
  office: 'doc docx docm dotx odt ott ppt pptx pptm ppsx odp xls rtf eml',
  epub: 'epub',
  html: 'html htm xhtml',
  zip: 'zip jar',
  text: 'ini conf cfg env tex bib srt vtt patch diff properties gitignore',
};

const KINDS: ReadonlyMap<string, ViewKind> = new Map(
  Object.entries(EXTENSIONS).flatMap(([kind, list]) =>
    list.split(' ').map((extension) => [extension, kind as ViewKind] as const),
  ),
);

/** What a type says where the name says nothing. */
const TYPES: Readonly<Record<string, ViewKind>> = {
  'application/pdf': 'pdf',
  'application/zip': 'zip',
  'application/epub+zip': 'epub',
  'application/json': 'text',
  'application/xml': 'text',
  'text/html': 'html',
  'text/markdown': 'markdown',
  'text/csv': 'table',
};

/** How a version can be shown, by its name and the type it was stored with. */
export function viewKind(name: string, mime: string): ViewKind {
  const extension = extensionOf(name);
  const named = KINDS.get(extension);
  if (named !== undefined) return named;
  if (isAudio(name, mime) || isVideo(name, mime)) return 'media';
  const { kind } = fileKind(name);
  if (kind === 'text' || kind === 'code') return 'text';
  const type = mime.split(';')[0]?.trim().toLowerCase() ?? '';
  if (TYPES[type] !== undefined && extension === '') return TYPES[type];
  if (type.startsWith('image/') && extension === '') return 'image';
  return type.startsWith('text/') || TYPES[type] === 'text' || extension === '' ? 'text' : 'layer';
}
