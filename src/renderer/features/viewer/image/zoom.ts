/** Width and height. */
export interface Extent {
  readonly width: number;
  readonly height: number;
}

/** How large an image is drawn: 1 is a pixel of it a pixel of the page; fitting follows the room there is. */
export type Zoom = number | 'fit';
export type Turn = 0 | 90 | 180 | 270;

const SMALLEST = 0.02;
const LARGEST = 32;
/** Between two steps of the buttons and keys. */
const STEP = 1.25;

/** An image as it lies, turned by quarters. */
export const turned = ({ width, height }: Extent, turn: Turn): Extent =>
  turn % 180 === 0 ? { width, height } : { width: height, height: width };

/** The turn that follows. */
export const nextTurn = (turn: Turn): Turn => ((turn + 90) % 360) as Turn;

/** The scale at which all of an image is in sight; small ones stay as they are. */
export function fittingScale(image: Extent, room: Extent): number {
  if (image.width === 0 || image.height === 0) return 1;
  return Math.min(1, room.width / image.width, room.height / image.height);
}

export const withinBounds = (scale: number): number => Math.min(LARGEST, Math.max(SMALLEST, scale));

/** The scale one step larger or smaller, stopping at 1 on the way. */
export function steppedScale(scale: number, direction: 1 | -1): number {
  const next = direction === 1 ? scale * STEP : scale / STEP;
  const passesOne = (scale < 0.999 && next > 1.001) || (scale > 1.001 && next < 0.999);
  return withinBounds(passesOne ? 1 : next);
}
