/** What a file is to the eye: a tint beside its letters. */
export type FileKind = 'text' | 'pdf' | 'word' | 'sheet' | 'slides' | 'image' | 'video' | 'code' | 'other';

const EXTENSIONS: Readonly<Record<Exclude<FileKind, 'other'>, string>> = {
  text: 'txt md markdown rst log rtf epub eml',
  pdf: 'pdf',
  word: 'doc docx odt',
  sheet: 'xls xlsx ods csv tsv',
  slides: 'ppt pptx odp',
  image: 'jpg jpeg png gif bmp tiff ico webp svg avif',
  video: 'mp4 mov avi wmv flv webm mkv',
  code: 'c h cc cpp hpp cs css go html htm java js json jsx kt lua php pl ps1 py r rb rs sh sql swift toml ts tsx vue xml yaml yml',
};

/** Kinds that a name tells. */
export const NAMED_KINDS = Object.keys(EXTENSIONS) as readonly Exclude<FileKind, 'other'>[];

/** The extensions of a kind, in lower case without the dot. */
export const extensionsOf = (kind: Exclude<FileKind, 'other'>): string[] => EXTENSIONS[kind].split(' ');

const KINDS: ReadonlyMap<string, FileKind> = new Map(
  Object.entries(EXTENSIONS).flatMap(([kind, list]) =>
    list.split(' ').map((extension) => [extension, kind as FileKind] as const),
  ),
);

/** The extension of a file name in lower case, or an empty text. */
export function extensionOf(name: string): string {
  const base = name.slice(name.lastIndexOf('/') + 1);
  const dot = base.lastIndexOf('.');
  return dot <= 0 ? '' : base.slice(dot + 1).toLowerCase();
}

/** Kind and letters of a file by its name. */
export function fileKind(name: string): { readonly kind: FileKind; readonly letters: string } {
  const extension = extensionOf(name);
  return { kind: KINDS.get(extension) ?? 'other', letters: extension.slice(0, 4).toUpperCase() };
}

/** A document's name within its shelf: the folders before it, with their slash, and the name itself. */
export function splitName(name: string): { readonly folder: string; readonly base: string } {
  const slash = Math.max(name.lastIndexOf('/'), name.lastIndexOf('\\'));
  return { folder: name.slice(0, slash + 1), base: name.slice(slash + 1) };
}
