import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  dateGroup,
  dayKey,
  formatDateTime,
  formatLongDate,
  formatSize,
  relativeTime,
  truncate,
  truncateMiddle,
} from '../../../src/shared/rules/format.ts';

const at = (year: number, month: number, day: number, hours = 0, minutes = 0) =>
  new Date(year, month, day, hours, minutes);
const DAY = 24 * 3600_000;

describe('sizes: Bytes, KB, MB, GB, TB, base 1024 (web-and-phone.md §9)', () => {
  it.each([
    [0, '0 Bytes'],
    [1, '1 Bytes'],
    [1023, '1,023 Bytes'],
    [1024, '1 KB'],
    [1536, '1.5 KB'],
    [1_048_575, '1 MB'],
    [5 * 1024 ** 3, '5 GB'],
    [1024 ** 5, '1,024 TB'],
  ])('%d is %s', (bytes, text) => expect(formatSize(bytes)).toBe(text));

  it('speaks the notation of the language', () => expect(formatSize(1536, 'de')).toBe('1,5 KB'));

  it('never shows 1024 of a unit that has a larger one', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 2 ** 49 }), (bytes) => {
        const [number = '', unit] = formatSize(bytes).split(' ');
        expect(unit === 'TB' || Number(number.replaceAll(',', '')) < 1024).toBe(true);
      }),
    );
  });

  it('never makes a larger file look smaller', () => {
    const units = ['Bytes', 'KB', 'MB', 'GB', 'TB'];
    const value = (bytes: number) => {
      const [number = '', unit = ''] = formatSize(bytes).split(' ');
      return Number(number.replaceAll(',', '')) * 1024 ** units.indexOf(unit);
    };
    fc.assert(
      fc.property(fc.nat(2 ** 31 - 1), fc.nat(2 ** 31 - 1), (a, b) => {
        expect(value(Math.max(a, b))).toBeGreaterThanOrEqual(value(Math.min(a, b)));
      }),
    );
  });
});

describe('dates: MM-DD-YYYY HH:mm local time, Never when empty (web-and-phone.md §9)', () => {
  it('MM-DD-YYYY HH:mm local, Never when empty', () => {
    expect(formatDateTime(at(2026, 2, 9, 7, 5))).toBe('03-09-2026 07:05');
    for (const empty of [null, undefined, '', 'no date']) expect(formatDateTime(empty)).toBe('Never');
  });

  it.each([
    [at(2025, 10, 3, 0, 7), 'Nov 3, 2025 12:07 AM'],
    [at(2025, 0, 31, 12, 0), 'Jan 31, 2025 12:00 PM'],
    [at(2025, 11, 9, 23, 59), 'Dec 9, 2025 11:59 PM'],
  ])('MMM D, YYYY h:mm A', (date, text) => expect(formatLongDate(date)).toBe(text));

  it('groups past searches by calendar days', () => {
    const now = at(2026, 5, 15, 1, 0).getTime();
    expect(dateGroup(at(2026, 5, 15, 0, 1), now)).toBe('today');
    expect(dateGroup(at(2026, 5, 14, 23, 59), now)).toBe('past7Days');
    expect(dateGroup(at(2026, 5, 8, 0, 0), now)).toBe('past7Days');
    expect(dateGroup(at(2026, 5, 7, 23, 59), now)).toBe('past30Days');
    expect(dateGroup(at(2026, 4, 16, 0, 0), now)).toBe('past30Days');
    expect(dateGroup(at(2026, 4, 15, 23, 59), now)).toBe('older');
    expect(dateGroup(now + DAY, now)).toBe('today');
  });

  it('names a day in local time', () => expect(dayKey(at(2026, 0, 2, 0, 0))).toBe('2026-01-02'));
});

describe('relative time (web-and-phone.md §9)', () => {
  const now = at(2026, 5, 15, 12).getTime();
  it.each([
    [0, 'Just now'],
    [59_999, 'Just now'],
    [60_000, '1m ago'],
    [3600_000, '1h ago'],
    [23 * 3600_000 + 3599_000, '23h ago'],
    [DAY, '1d ago'],
    [29 * DAY, '29d ago'],
    [30 * DAY, '1M ago'],
    [364 * DAY, '12M ago'],
    [365 * DAY, '1y ago'],
    [-5 * 60_000, 'in 5m'],
    [-2 * DAY, 'in 2d'],
  ])('%d ms ago is "%s"', (distance, text) => expect(relativeTime(now - distance, now)).toBe(text));
});

describe('truncation: default 45 characters, names with a middle ellipsis (web-and-phone.md §9)', () => {
  it('cuts at 45 by default and keeps what fits', () => {
    expect(truncate('x'.repeat(45))).toBe('x'.repeat(45));
    expect(truncate('x'.repeat(46))).toBe(`${'x'.repeat(45)}…`);
    expect(truncate('abcdefghijkl', 10)).toBe('abcdefghij…');
  });

  it('keeps both ends with a middle ellipsis, 20 characters in all', () => {
    expect(truncateMiddle('Annual report of the library 2025.pdf')).toBe('Annual rep… 2025.pdf');
  });

  it('never cuts a character in two, and never exceeds its length', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.integer({ min: 1, max: 60 }), (text, max) => {
        for (const cut of [truncate(text, max), truncateMiddle(text, max)]) {
          expect(cut.isWellFormed() || !text.isWellFormed()).toBe(true);
          expect([...cut].length).toBeLessThanOrEqual(Math.max(max + 1, 1));
        }
        expect([...truncateMiddle(text, max)].length).toBeLessThanOrEqual(max);
      }),
    );
  });
});
