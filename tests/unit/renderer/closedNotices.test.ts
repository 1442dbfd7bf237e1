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
