import { describe, expect, it } from 'vitest';
import { pageMark, pageNamed } from '../../../src/shared/rules/changedPages.ts';

describe('pages that changed', () => {
  // Page 2 was put in after page 1, and what is page 4 now says something else.
  const changes = { base_pages_changed: [1, 3], pages_changed: [2, 4] };
  it.each([
    [1, 1, null],
    [null, 2, 'added'],
    [2, 3, null],
    [3, 4, 'changed'],
    [5, null, 'removed'],
  ])('tells what became of %s and %s', (base, other, mark) => {
    expect(pageMark(changes, { base, other })).toBe(mark);
  });
  it.each([
    ['On page 12 the sum is wrong', 12],
    ['Seite 3: falsch', 3],
    ['see p. 7 and page 9', 7],
    ['S.4 unten', 4],
    ['Chaps. 5 and webpage 6', null],
    ['the 3rd page', null],
    ['', null],
  ])('reads the page that is named: %s', (text, page) => {
    expect(pageNamed(text)).toBe(page);
  });
});
