import { describe, expect, it } from 'vitest';
import { rowsInSight } from '../../../src/renderer/ui/rowsInSight.ts';

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
