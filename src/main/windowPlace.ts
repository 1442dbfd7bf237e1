/** A rectangle on the desktop, in points. */
export interface Area {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export interface Size {
  readonly width: number;
  readonly height: number;
}

export const SMALLEST: Size = { width: 720, height: 480 };
const USUAL: Size = { width: 1280, height: 832 };
/** So much of the title bar must be in sight for a window to be taken hold of. */
const HOLD: Size = { width: 120, height: 20 };
const TITLE_BAR = 40;

function overlap(one: Area, other: Area): Size {
  const span = (from: number, length: number, otherFrom: number, otherLength: number) =>
    Math.max(0, Math.min(from + length, otherFrom + otherLength) - Math.max(from, otherFrom));
  return {
    width: span(one.x, one.width, other.x, other.width),
    height: span(one.y, one.height, other.y, other.height),
  };
}

function fitted(size: Size, area: Size | undefined): Size {
  return {
    width: Math.max(SMALLEST.width, Math.min(size.width, area?.width ?? size.width)),
    height: Math.max(SMALLEST.height, Math.min(size.height, area?.height ?? size.height)),
  };
}

/**
 * Where a window opens: where it stood, as far as that is on a display that is still there; else in the middle of the
 * first one, in its size. No place means that the system chooses.
 */
export function placeWindow(saved: Area | null, displays: readonly Area[]): Size | Area {
  if (saved === null) return fitted(USUAL, displays[0]);
  const bar = { ...saved, height: TITLE_BAR };
  const display = displays.find((each) => {
    const { width, height } = overlap(bar, each);
    return width >= HOLD.width && height >= HOLD.height;
  });
  if (display === undefined) return fitted(saved, displays[0]);
  return { x: saved.x, y: Math.max(saved.y, display.y), ...fitted(saved, display) };
}
