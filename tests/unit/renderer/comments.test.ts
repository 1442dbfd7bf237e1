import { describe, expect, it } from 'vitest';
import {
  completeMention,
  mentionAt,
  mentionRanges,
  suggestions,
} from '../../../src/renderer/features/comments/mentions.ts';
import { newestOfOthers, threadsOf } from '../../../src/renderer/features/comments/threads.ts';
import type { Comment } from '../../../src/shared/model/comment.ts';

const comment = (id: string, parent_id: string | null = null, by = 'ana') =>
  ({ id, parent_id, author: { user_id: by } }) as Comment;

describe('names in a comment', () => {
  it.each([
    ['asks @ana and @Bo Li.', ['ana', 'Bo Li'], ['@ana', '@Bo Li']],
    ['@ana.b is not @ana', ['ana', 'ana.b'], ['@ana.b', '@ana']],
    ['@ANA', ['ana'], ['@ANA']],
    ['mail@ana, @anas, @ana2', ['ana'], []],
    ['@a+b (@c*)', ['a+b', 'c*'], ['@a+b', '@c*']],
    ['@', [''], []],
  ])('%j', (text, names, found) => {
    expect(mentionRanges(text, names).map(([from, to]) => text.slice(from, to))).toEqual(found);
  });

  it.each([
    ['@', 1, { from: 0, query: '' }],
    ['hello @bo li', 12, { from: 6, query: 'bo li' }],
    ['hello @bo li', 8, { from: 6, query: 'b' }],
    ['ana@example', 11, null],
    ['@ana\nnext', 9, null],
    ['no name', 7, null],
  ])('are noticed while they are typed: %j at %i', (text, caret, typed) => {
    expect(mentionAt(text, caret)).toEqual(typed);
  });

  it('are suggested by user name or any part of the name, and completed in place', () => {
    const members = [
      { username: 'ana', name: 'Ana Archivist' },
      { username: 'bo li', name: 'Bo Arendt' },
    ];
    expect(suggestions(members, 'AR')).toEqual(members);
    expect(suggestions(members, 'bo ')).toEqual([members[1]]);
    expect(suggestions(members, 'x')).toEqual([]);
    const typed = { from: 4, query: 'b' };
    expect(completeMention('ask @b why', typed, 'bo li')).toEqual({ text: 'ask @bo li why', caret: 11 });
    expect(completeMention('ask @b', typed, 'bo li')).toEqual({ text: 'ask @bo li ', caret: 11 });
  });
});

describe('threads of comments', () => {
  it('keep answers with what they answer, the oldest first', () => {
    const all = ['d', 'c', 'b', 'a'];
    const [d, c, b, a] = all.map((id) => comment(id, id === 'c' || id === 'b' ? 'a' : null));
    if (a === undefined || b === undefined || c === undefined || d === undefined) throw new Error('four comments');
    const { threads, isTorn } = threadsOf([d, c, b, a, a]);
    expect(threads).toEqual([
      { root: d, answers: [] },
      { root: a, answers: [b, c] },
    ]);
    expect(isTorn).toBe(false);
  });

  it('are torn while the first comment is on a later page', () => {
    expect(threadsOf([comment('b', 'a')])).toEqual({ threads: [], isTorn: true });
  });

  it('hold as new the newest by others', () => {
    const list = [
      comment('d', null, 'bo'),
      comment('c', null, 'me'),
      comment('b', null, 'bo'),
      comment('a', null, 'bo'),
    ];
    expect(newestOfOthers(list, 'me', 2)).toEqual(['d', 'b']);
  });
});
