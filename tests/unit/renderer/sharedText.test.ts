import { describe, expect, it } from 'vitest';
import { findInRows, MOST_MATCHES, rowsOf } from '../../../src/renderer/features/shared/documentText.ts';

describe('finding in a shared document: literal in any case, 500 matches (web-and-phone.md §9)', () => {
  it('joins what an answer cut, and names pages but not the whole of a plain file', () => {
    const rows = rowsOf([
      { label: 'Page 1', text: 'one\nt' },
      { label: 'Page 1', text: 'wo\n' },
      { label: 'Page 2', text: 'three' },
    ]);
    expect(rows.map(({ text }) => text)).toEqual(['Page 1', 'one', 'two', 'Page 2', 'three']);
    expect(rowsOf([{ label: 'Content', text: 'all' }])).toEqual([{ kind: 'line', text: 'all' }]);
  });

  it('finds whatever the case, not in the names of pages, and no more than are told apart', () => {
    const rows = rowsOf([{ label: 'Page 1', text: 'A page of a PAGE' }]);
    expect(findInRows(rows, 'page').map(({ range }) => range)).toEqual([
      [2, 6],
      [12, 16],
    ]);
    expect(findInRows(rowsOf([{ label: 'Content', text: 'x '.repeat(900) }]), 'x')).toHaveLength(MOST_MATCHES);
  });
});
