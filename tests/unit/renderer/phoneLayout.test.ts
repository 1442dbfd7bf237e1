import { describe, expect, it } from 'vitest';
import { matchRoute } from '../../../src/renderer/app/routes.ts';
import { isBarHidden, isSwipe, pullOf } from '../../../src/renderer/layouts/phone/gestures.ts';
import { parentOf } from '../../../src/renderer/layouts/phone/parents.ts';

const at = (x: number, y = 300) => ({ x, y });

describe('the sidebar under a finger (web-and-phone.md §9)', () => {
  it.each([
    ['from the edge to the right', at(30), at(120), false, 'opens'],
    ['from beside the edge', at(31), at(120), false, null],
    ['from the edge to the left', at(30), at(2), false, null],
    ['hardly moved', at(10), at(19), false, null],
    ['rather down', at(10), at(60, 380), false, null],
    ['to the left over the open one', at(250), at(160), true, 'closes'],
    ['to the right over the open one', at(10), at(120), true, null],
  ] as const)('%s', (_name, start, end, isOpen, pull) => expect(pullOf(start, end, isOpen)).toBe(pull));

  it('follows a finger that went more than 80 px', () => {
    const slowly = (from: number, to: number) => isSwipe(at(from), { ...at(from), time: 0 }, { ...at(to), time: 1000 });
    expect(slowly(10, 90)).toBe(false);
    expect(slowly(10, 91)).toBe(true);
    expect(slowly(250, 169)).toBe(true);
  });

  it('does not follow one that is flung back at 0.3 pixels a millisecond (desktop-shell.md §9)', () => {
    const back = (start: number, before: number, to: number) =>
      isSwipe(at(start), { ...at(before), time: 0 }, { ...at(to), time: 100 });
    expect(back(10, 200, 171)).toBe(true);
    expect(back(10, 200, 170)).toBe(false);
    expect(back(250, 60, 89)).toBe(true);
    expect(back(250, 60, 90)).toBe(false);
  });
});

describe('the bar of a page that is scrolled (web-and-phone.md §9)', () => {
  it.each([
    ['not before 100 px', false, 0, 100, false],
    ['down past 100 px', false, 90, 101, true],
    ['up again', true, 400, 399, false],
    ['further down', true, 400, 500, true],
    ['to where it was', true, 400, 400, true],
    ['back at the top', true, 200, 0, false],
  ] as const)('%s', (_name, before, from, to, isHidden) => expect(isBarHidden(before, from, to)).toBe(isHidden));
});

const SHELF = '/Monastery/3f0c6a52-8f0c-4d0e-9a54-0d6f5f3c2b1a';

describe('the way back (web-and-phone.md §2)', () => {
  it.each([
    [SHELF, '/Monastery'],
    [`${SHELF}/upload`, SHELF],
    [`${SHELF}/version/77aa6a52-8f0c-4d0e-9a54-0d6f5f3c2b1a`, SHELF],
    [`/m${SHELF}/share/stat`, `${SHELF}/share`],
    ['/terms', '/'],
    ['/Monastery', null],
    ['/settings', null],
    ['/shared/token', null],
  ])('of %s leads to %s', (path, parent) => expect(parentOf(matchRoute(path))).toBe(parent));
});
