import { describe, expect, it } from 'vitest';
import { bucketsOf, firstDayOf } from '../../../src/renderer/ui/chart/buckets.ts';

const day = (text: string, views: number) => ({ day: text, values: [views, 1] });

describe('a chart over time', () => {
  it('draws every day of a period, also those on which nothing happened', () => {
    const buckets = bucketsOf([day('2026-03-02', 4)], 2, '2026-02-28', '2026-03-03');
    expect(buckets.map(({ from, values }) => [from, ...values])).toEqual([
      ['2026-02-28', 0, 0],
      ['2026-03-01', 0, 0],
      ['2026-03-02', 4, 1],
      ['2026-03-03', 0, 0],
    ]);
  });

  it('joins days where there are many, and loses none of their figures', () => {
    const days = [day('2024-01-01', 1), day('2025-06-30', 2), day('2026-03-01', 3)];
    const buckets = bucketsOf(days, 2, null, '2026-03-01');
    expect(buckets.length).toBeLessThanOrEqual(60);
    expect(buckets.reduce((sum, { values: [views = 0] }) => sum + views, 0)).toBe(6);
    expect([buckets[0]?.from, buckets.at(-1)?.to]).toEqual(['2024-01-01', '2026-03-01']);
  });

  it('counts today among the days of a period', () => {
    expect(firstDayOf(7, Date.UTC(2026, 2, 7))).toBe('2026-03-01');
    expect(firstDayOf(null, 0)).toBeNull();
  });
});
