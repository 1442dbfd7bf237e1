import type { SearchQuery } from '../../../shared/model/search.ts';
import { extensionsOf, type FileKind, NAMED_KINDS } from '../../ui/fileKind.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

/** How far back a search looks, in days. */
export const AGES = { day: 1, week: 7, month: 30, year: 365 } as const;
export type Age = keyof typeof AGES;
export const AGE_NAMES = Object.keys(AGES) as readonly Age[];

/** What narrows a search besides its text, the same for both tabs; an empty text narrows nothing. */
export interface SearchFilters {
  readonly kind: Exclude<FileKind, 'other'> | '';
  readonly age: Age | '';
  readonly author: string;
  readonly library: string;
  readonly shelf: string;
  /** Globs; several are separated by commas outside of braces. */
  readonly include: string;
  readonly exclude: string;
}

export const NO_FILTERS: SearchFilters = {
  kind: '',
  age: '',
  author: '',
  library: '',
  shelf: '',
  include: '',
  exclude: '',
};

export const KIND_NAMES = NAMED_KINDS;

/** How many of the filters are set. */
export function countFilters(filters: SearchFilters): number {
  return Object.values(filters).filter((value: string) => value.trim() !== '').length;
}

const given = (text: string) => (text.trim() === '' ? null : text.trim());

/** One glob out of those that are separated by commas. */
function globOf(text: string): string[] {
  const globs = text
    .split(/,(?![^{]*\})/u)
    .map((glob) => glob.trim())
    .filter((glob) => glob !== '');
  return globs.length <= 1 ? globs : [`{${globs.join(',')}}`];
}

/** What the filters say of a query that is asked at a time (milliseconds since the epoch). */
export function narrowedBy(
  { kind, age, author, library, shelf, include, exclude }: SearchFilters,
  nowMs: number,
): Pick<SearchQuery, 'types' | 'author' | 'since' | 'until' | 'library' | 'shelf' | 'include' | 'exclude'> {
  return {
    types: kind === '' ? [] : extensionsOf(kind),
    author: given(author),
    since: age === '' ? null : new Date(nowMs - AGES[age] * DAY_MS).toISOString(),
    until: null,
    library: given(library),
    shelf: given(shelf),
    include: globOf(include),
    exclude: globOf(exclude),
  };
}
