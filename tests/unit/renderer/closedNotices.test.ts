import { describe, expect, it } from 'vitest';
import { createClosedNotices } from '../../../src/renderer/features/notices/closedNotices.ts';

function memory(entries: Record<string, string> = {}) {
  const kept = new Map(Object.entries(entries));
  return {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  };
}

describe('closing a service notice with the checkbox (web-and-phone.md §4)', () => {
  it('stores its id, for one person, over visits', () => {
    const store = memory();
    createClosedNotices(store, 'ana').add('n1', ['n1', 'n2']);
    expect(createClosedNotices(store, 'ana').has('n1')).toBe(true);
    expect(createClosedNotices(store, 'ana').has('n2')).toBe(false);
    expect(createClosedNotices(store, 'ben').has('n1')).toBe(false);
  });
  it('forgets the notices that are over', () => {
    const closed = createClosedNotices(memory(), 'ana');
    closed.add('n1', ['n1']);
    closed.add('n2', ['n2']);
    expect([closed.has('n1'), closed.has('n2')]).toEqual([false, true]);
  });
  it.each(['', '{', '{"n1":true}', '[1]'])('takes %j for nothing closed', (text) => {
    expect(createClosedNotices(memory({ 'notices.closed:ana': text }), 'ana').has('n1')).toBe(false);
  });
});

describe('when service notices were last asked for (web-and-phone.md §3)', () => {
  const now = Date.parse('2026-03-01T09:00:00Z');
  it('is kept locally, so that coming back to a tab asks again after five minutes', () => {
    const store = memory();
    expect(createClosedNotices(store, 'ana').isCheckDue(now)).toBe(true);
    createClosedNotices(store, 'ana').checked(now);
    expect(store.getItem('notices.checked:ana')).toBe('2026-03-01T09:00:00.000Z');
    const other = createClosedNotices(store, 'ana');
    expect([0, 299_999, 300_000, -1].map((later) => other.isCheckDue(now + later))).toEqual([false, false, true, true]);
    expect(createClosedNotices(store, 'ben').isCheckDue(now)).toBe(true);
  });
});
