import { describe, expect, it } from 'vitest';
import { placeWindow } from '../../../src/main/windowPlace.ts';

const first = { x: 0, y: 24, width: 1920, height: 1056 };
const second = { x: 1920, y: 0, width: 1280, height: 1024 };

describe('where the window opens', () => {
  it('takes its usual size at first, as far as the display has room', () => {
    expect(placeWindow(null, [first])).toEqual({ width: 1280, height: 832 });
    expect(placeWindow(null, [{ x: 0, y: 0, width: 1024, height: 700 }])).toEqual({ width: 1024, height: 700 });
  });
  it('comes back where it was', () => {
    const saved = { x: 2000, y: 100, width: 900, height: 700 };
    expect(placeWindow(saved, [first, second])).toEqual(saved);
  });
  it('keeps its size, and leaves the place to the system, when that display has gone', () => {
    const saved = { x: 2000, y: 100, width: 900, height: 700 };
    expect(placeWindow(saved, [first])).toEqual({ width: 900, height: 700 });
  });
  it('is never where its title bar cannot be taken hold of', () => {
    expect(placeWindow({ x: 1900, y: 100, width: 900, height: 700 }, [first])).toEqual({ width: 900, height: 700 });
    expect(placeWindow({ x: 100, y: -500, width: 900, height: 700 }, [first])).toEqual({ width: 900, height: 700 });
    expect(placeWindow({ x: 100, y: 10, width: 900, height: 700 }, [first])).toMatchObject({ x: 100, y: 24 });
  });
  it('is no larger than the display, and no smaller than its content needs', () => {
    expect(placeWindow({ x: 0, y: 24, width: 4000, height: 3000 }, [first])).toMatchObject({
      width: 1920,
      height: 1056,
    });
    expect(placeWindow({ x: 0, y: 24, width: 10, height: 10 }, [first])).toMatchObject({ width: 720, height: 480 });
  });
});
