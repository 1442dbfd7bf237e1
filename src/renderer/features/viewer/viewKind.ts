import { extensionOf, fileKind } from '../../ui/fileKind.ts';

export type ViewKind = 'text' | 'image' | 'pdf' | 'none';

/** Images that a browser draws without running anything. */
const IMAGES: ReadonlySet<string> = new Set('jpg jpeg png gif bmp webp avif ico'.split(' '));
/** Kept as text though their kind says otherwise. */
const TEXTS: ReadonlySet<string> = new Set(
  'csv tsv svg ini conf cfg env tex bib srt vtt patch diff properties gitignore'.split(' '),
);
const NOT_TEXT: ReadonlySet<string> = new Set('rtf epub'.split(' '));

/** How a version can be shown, by its name and the type it was stored with. */
export function viewKind(name: string, mime: string): ViewKind {
  const extension = extensionOf(name);
  if (IMAGES.has(extension)) return 'image';
  if (TEXTS.has(extension)) return 'text';
  if (NOT_TEXT.has(extension)) return 'none';
  const { kind } = fileKind(name);
  if (kind === 'pdf') return 'pdf';
  if (kind === 'text' || kind === 'code') return 'text';
  if (kind !== 'other') return 'none';
  return mime.startsWith('text/') || mime === 'application/json' || mime === 'application/xml' || extension === ''
    ? 'text'
    : 'none';
}
