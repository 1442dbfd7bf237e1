/** In pixels. */
export interface PictureSize {
  readonly width: number;
  readonly height: number;
}

/** A picture that can be drawn. */
export type Drawable = HTMLImageElement | HTMLCanvasElement;

/** Pictures are held against each other at this size at most: enough to see, and little to count. */
const MOST = 384;
/** Of 255, in one of the colours: less is what shrinking or packing made of it. */
const SEEN = 32;

/** A picture's own size, as it is to be looked at. */
export const sizeOf = (picture: Drawable): PictureSize =>
  picture instanceof HTMLImageElement
    ? { width: picture.naturalWidth, height: picture.naturalHeight }
    : { width: picture.width, height: picture.height };

/** The room that both fit in. */
export const roomFor = (a: PictureSize, b: PictureSize): PictureSize => ({
  width: Math.max(a.width, b.width, 1),
  height: Math.max(a.height, b.height, 1),
});

/** A picture on paper, as large as it fits, in the middle. */
function fitted(picture: Drawable, { width, height }: PictureSize): HTMLCanvasElement {
  const canvas = Object.assign(document.createElement('canvas'), { width, height });
  const context = canvas.getContext('2d');
  if (context === null) return canvas;
  context.fillStyle = '#fff';
  context.fillRect(0, 0, width, height);
  const own = sizeOf(picture);
  const scale = Math.min(width / own.width, height / own.height);
  const [across, down] = [own.width * scale, own.height * scale];
  context.drawImage(picture, (width - across) / 2, (height - down) / 2, across, down);
  return canvas;
}

/** How much of two pictures differs to the eye, from 0 to 1, both fitted into one room. */
export function shareThatDiffers(a: Drawable, b: Drawable): number {
  const room = roomFor(sizeOf(a), sizeOf(b));
  const scale = Math.min(1, MOST / Math.max(room.width, room.height));
  const size = {
    width: Math.max(1, Math.round(room.width * scale)),
    height: Math.max(1, Math.round(room.height * scale)),
  };
  const context = fitted(a, size).getContext('2d');
  if (context === null) return 0;
  context.globalCompositeOperation = 'difference';
  context.drawImage(fitted(b, size), 0, 0);
  const { data } = context.getImageData(0, 0, size.width, size.height);
  let differing = 0;
  for (let at = 0; at < data.length; at += 4) {
    if (Math.max(data[at] ?? 0, data[at + 1] ?? 0, data[at + 2] ?? 0) >= SEEN) differing += 1;
  }
  return (4 * differing) / data.length;
}
