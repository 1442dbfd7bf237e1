import { describe, expect, it } from 'vitest';
import { changeStarts, type DiffView, diffRows, rowWith } from '../../../src/renderer/features/compare/diffRows.ts';
import { shownChanges } from '../../../src/renderer/features/history/changes.ts';
import type { ComparedLine, Comparison } from '../../../src/shared/model/compare.ts';
import type { CommitChange } from '../../../src/shared/model/library.ts';

/** Lines by a sign and a text, such as `-old`. */
const line = (written: string, page: number | null = null): ComparedLine => ({
  kind: written[0] === '+' ? 'added' : written[0] === '-' ? 'removed' : 'equal',
  text: written.slice(1),
  base_line: 1,
  other_line: 1,
  page,
  changed: null,
});

const comparison = (start: number, lines: readonly ComparedLine[]) =>
  ({
    changes: [{ base_start: start, other_start: start, lines: [...lines] }],
    base_pages: ['Page 1', 'Page 2'],
    other_pages: ['Page 1', 'Page 2'],
  }) as unknown as Comparison;

const drawn = (start: number, lines: readonly ComparedLine[], view: DiffView) =>
  diffRows(comparison(start, lines), view).map((row) => {
    if (row.kind !== 'lines') return row.kind === 'page' ? row.name : `from ${row.line}`;
    return `${row.base?.text ?? ''}|${row.other?.text ?? ''}`;
  });

describe('the rows of a comparison', () => {
  const lines = [' a', '-b', '-c', '+B', ' d', '+e'].map((each) => line(each));
  it('stand beside one another as far as both sides go', () => {
    expect(drawn(1, lines, 'side-by-side')).toEqual(['a|a', 'b|B', 'c|', 'd|d', '|e']);
  });
  it('stand under one another inline', () => {
    expect(drawn(1, lines, 'inline')).toEqual(['a|a', 'b|', 'c|', '|B', 'd|d', '|e']);
  });
  it('tell what is left out before them, and on which page they are', () => {
    expect(drawn(9, [line(' a', 1), line('+b', 2)], 'inline')).toEqual(['from 9', 'Page 1', 'a|a', 'Page 2', '|b']);
  });
  it('are gone through change by change', () => {
    expect(changeStarts(diffRows(comparison(1, lines), 'side-by-side'))).toEqual([1, 4]);
  });
  it.each([
    ['C', 2],
    ['b', 1],
    ['D', 3],
    ['nowhere', null],
    ['', null],
  ])('begin with a change that has %j, else with any line', (text, row) => {
    const rows = diffRows(
      comparison(
        1,
        [' b', '-b', '-c', ' d'].map((each) => line(each)),
      ),
      'inline',
    );
    expect(rowWith(rows, text)).toBe(row);
  });
});

describe('the changes of a commit', () => {
  const change = (code: CommitChange['code'], document_id: string, name: string) =>
    ({ code, document_id, name }) as CommitChange;
  it('show a new name as one change', () => {
    const changes = [
      change('D', '1', 'old'),
      change('A', '1', 'new'),
      change('D', '2', 'gone'),
      change('M', '3', 'kept'),
    ];
    expect(shownChanges({ changes }).map(({ change: { name }, before }) => [name, before])).toEqual([
      ['new', 'old'],
      ['gone', null],
      ['kept', null],
    ]);
  });
});
