import type { FileKind } from '../../../ui/fileKind.ts';

/** Kinds beside those that have a tint of their own, told only where a file is not shown. */
export type NamedKind =
  | FileKind
  | 'audio'
  | 'archive'
  | 'font'
  | 'database'
  | 'program'
  | 'diskImage'
  | 'book'
  | 'mail';

const EXTENSIONS: Readonly<Record<Exclude<NamedKind, FileKind>, string>> = {
  audio: 'mp3 wav ogg oga opus flac m4a aac wma aiff mid midi',
  archive: 'zip 7z rar tar gz tgz bz2 xz zst jar',
  font: 'ttf otf woff woff2 eot',
  database: 'db sqlite sqlite3 mdb accdb',
  program: 'exe msi dll so dylib deb rpm appimage apk bin class wasm',
  diskImage: 'iso dmg img vhd vmdk qcow2',
  book: 'epub mobi azw3',
  mail: 'eml msg',
};

const KINDS: ReadonlyMap<string, NamedKind> = new Map(
  Object.entries(EXTENSIONS).flatMap(([kind, list]) =>
    list.split(' ').map((extension) => [extension, kind as NamedKind] as const),
  ),
);

/** What files of an extension are; null when the extension alone does not tell or has a tint. */
export const namedKind = (extension: string): NamedKind | null => KINDS.get(extension) ?? null;
