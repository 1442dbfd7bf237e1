import type { Range } from '../../../shared/model/search.ts';

const escaped = (text: string) => text.replaceAll(/[\\^$.*+?()[\]{}|/-]/gu, '\\$&');

/** As the server reads names out of a text: what goes on before or behind a name belongs to another word. */
const WORD = '[\\p{LC}\\p{N}_]';

/** Where a text names members by `@username`. */
export function mentionRanges(text: string, usernames: readonly string[]): readonly Range[] {
  const names = usernames.filter((name) => name !== '').sort((a, b) => b.length - a.length);
  if (names.length === 0 || !text.includes('@')) return [];
  const pattern = new RegExp(`(?<!${WORD})@(?:${names.map(escaped).join('|')})(?!${WORD})`, 'giu');
  return [...text.matchAll(pattern)].map((match): Range => [match.index, match.index + match[0].length]);
}

/** A name that is being typed. */
export interface TypedMention {
  /** Where its `@` stands. */
  readonly from: number;
  readonly query: string;
}

/** The `@…` before the caret, or null. User names may hold spaces, so only the end of the line ends one. */
export function mentionAt(text: string, caret: number): TypedMention | null {
  const before = text.slice(0, caret);
  const from = before.lastIndexOf('@');
  if (from < 0 || /[\p{LC}\p{N}_]$/u.test(before.slice(0, from))) return null;
  const query = before.slice(from + 1);
  return query.includes('\n') ? null : { from, query };
}

/** Somebody who can be named. */
export interface Mentionable {
  readonly username: string;
  readonly name: string;
}

const SUGGESTED = 6;

/** Members whose user name, or a part of whose name, begins with what was typed. */
export function suggestions<T extends Mentionable>(members: readonly T[], query: string): readonly T[] {
  const wanted = query.toLocaleLowerCase();
  const begins = (text: string) => text.toLocaleLowerCase().startsWith(wanted);
  return members
    .filter(({ username, name }) => begins(username) || begins(name) || name.split(/\s+/u).some(begins))
    .slice(0, SUGGESTED);
}

/** The text with the typed name completed, and where the caret goes. */
export function completeMention(
  text: string,
  { from, query }: TypedMention,
  username: string,
): { readonly text: string; readonly caret: number } {
  const rest = text.slice(from + 1 + query.length);
  const head = `${text.slice(0, from)}@${username}`;
  return { text: `${head}${rest.startsWith(' ') ? '' : ' '}${rest}`, caret: head.length + 1 };
}
