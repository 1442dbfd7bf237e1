import { describe, expect, it } from 'vitest';
import { noticeDraftOf, noticeFormOf, noticeProblem } from '../../../src/renderer/features/admin/noticeDraft.ts';
import { typedNumber } from '../../../src/renderer/features/admin/numbers.ts';

const NOW = Date.parse('2026-03-01T09:30:00Z');

describe('a notice that is written', () => {
  const fresh = { ...noticeFormOf(null, NOW), content: 'We move.' };

  it('shows from now on for a week, unless told otherwise', () => {
    expect(noticeDraftOf(fresh)).toMatchObject({
      start_date: '2026-03-01T09:30:00.000Z',
      end_date: '2026-03-08T09:30:00.000Z',
      active: true,
    });
  });

  it('keeps what it was when it is opened and saved', () => {
    const draft = noticeDraftOf({ ...fresh, title: 'News', content_type: 'html', active: false });
    const kept = { id: 'n', state: 'off', read_count: 3, updated_at: draft.start_date, ...draft } as const;
    expect(noticeDraftOf(noticeFormOf(kept, NOW))).toEqual(draft);
  });

  it.each([
    [{}, null],
    [{ content: ' \n' }, 'content'],
    [{ start: '' }, 'start'],
    [{ end: '' }, 'end'],
    [{ end: fresh.start }, 'end'],
  ])('with %j is held back for %j', (change, problem) => {
    expect(noticeProblem({ ...fresh, ...change })).toBe(problem);
  });
});

it.each([
  ['', null],
  [' 12 ', 12],
  ['0', undefined],
  ['101', undefined],
  ['-1', undefined],
  ['1.5', undefined],
  ['1e1', undefined],
  ['many', undefined],
])('takes %j between 1 and 100 for %j', (text, number) => expect(typedNumber(text, 1, 100)).toBe(number));
