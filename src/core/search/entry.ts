import { basename } from 'node:path';
import type { Sections } from './prepare.ts';
import type { Place } from './queryFilter.ts';

/** A file or version that a query may find. */
export interface Entry extends Place {
  readonly id: number;
  readonly size: number;
  /** JSON of the sections of its text (schema.ts). */
  readonly sections: string | null;
  readonly version: {
    readonly versionId: string;
    readonly number: number;
    readonly commitHash: string;
    readonly message: string;
  } | null;
}

/** The name of an entry in NFC: of a file without its folders, of a document with the folders of its shelf. */
export function nameOf({ path, version }: Pick<Entry, 'path' | 'version'>): string {
  return (version === null ? basename(path) : path).normalize('NFC');
}

/** Reads the sections of an entry's text. */
export function sectionsOf({ sections }: Entry): Sections | null {
  return sections === null ? null : (JSON.parse(sections) as Sections);
}
