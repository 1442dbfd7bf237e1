/** An address, or a path, with something behind it. */
const WITH_QUERY = /(\b[a-z]+:\/\/[^\s?#]*|(?<![^\s"'(])\/[^\s?#]*)[?#][^\s"')]*/giu;

/** A text in which every address ends before its query: what was searched for is nobody's business (decisions.md §12). */
export const withoutQueries = (text: string): string => text.replace(WITH_QUERY, '$1');

/** The same of all texts in a plain value. */
export function withoutQueriesIn<T>(value: T): T {
  if (value === undefined) return value;
  return JSON.parse(JSON.stringify(value), (_key, each: unknown) =>
    typeof each === 'string' ? withoutQueries(each) : each,
  ) as T;
}
