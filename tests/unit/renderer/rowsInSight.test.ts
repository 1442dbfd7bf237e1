import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isWithin, rowsInSight, sharedRows, widened } from '../../../src/renderer/ui/rowsInSight.ts';

const range = () =>
  fc.tuple(fc.nat(50), fc.integer({ min: 1, max: 50 })).map(([first, length]) => ({ first, end: first + length }));

const ROW = 50;
const SIGHT = 400;

describe('the rows of a long list that are drawn', () => {
  it.each([
    { where: 'at the top', above: 0, count: 100, spare: 0, first: 0, end: 8 },
    { where: 'while the list begins further down', above: -120, count: 100, spare: 0, first: 0, end: 6 },
    { where: 'within a row, which counts on both sides', above: 25, count: 100, spare: 0, first: 0, end: 9 },
    { where: 'with spare ones on both sides', above: 1000, count: 100, spare: 3, first: 17, end: 31 },
    { where: 'at the end', above: 4600, count: 100, spare: 3, first: 89, end: 100 },
    { where: 'below the end, after rows went', above: 4600, count: 10, spare: 3, first: 10, end: 10 },
    { where: 'above the list, which is out of sight', above: -900, count: 100, spare: 3, first: 0, end: 0 },
    { where: 'of none', above: 0, count: 0, spare: 3, first: 0, end: 0 },
  ])('$where', ({ above, count, spare, first, end }) => {
    expect(rowsInSight(above, ROW, SIGHT, count, spare)).toEqual({ first, end });
  });
});

describe('rows that are made whole little by little', () => {
  const drawn = { first: 10, end: 30 };

  it.each([
    { where: 'begin at the first one drawn', from: { first: 0, end: 0 }, to: { first: 10, end: 16 } },
    { where: 'go on downwards', from: { first: 10, end: 16 }, to: { first: 10, end: 22 } },
    { where: 'go on upwards once the end is there', from: { first: 18, end: 28 }, to: { first: 14, end: 30 } },
    { where: 'leave out what is no longer drawn', from: { first: 4, end: 14 }, to: { first: 10, end: 20 } },
    { where: 'begin anew far away', from: { first: 90, end: 99 }, to: { first: 10, end: 16 } },
    { where: 'end where all are', from: drawn, to: drawn },
  ])('$where', ({ from, to }) => {
    expect(widened(from, drawn, 6)).toEqual(to);
  });

  it('are all of those drawn after some steps', () => {
    fc.assert(
      fc.property(range(), range(), (whole, wanted) => {
        let now = whole;
        for (let step = 0; step < 40; step += 1) {
          const next = widened(now, wanted, 3);
          expect(isWithin(next, wanted)).toBe(true);
          expect(sharedRows(next, wanted)).toBeGreaterThanOrEqual(sharedRows(now, wanted));
          now = next;
        }
        expect(now).toEqual(wanted);
      }),
    );
  });
});
