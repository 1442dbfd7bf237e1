import { GAP, type PageSize, pixelsPerPoint, turned } from './pageLayout.ts';

/** How large pages are shown: as wide as there is room, as a whole, or by a factor. */
export type Zoom = 'width' | 'page' | number;

export const SMALLEST_ZOOM = 0.25;
export const LARGEST_ZOOM = 5;
/** What buttons and keys step through, and what the menu offers. */
export const ZOOM_STEPS = [0.25, 0.33, 0.5, 0.67, 0.75, 0.9, 1, 1.1, 1.25, 1.5, 1.75, 2, 2.5, 3, 4, 5] as const;

export const clampZoom = (zoom: number) => Math.min(LARGEST_ZOOM, Math.max(SMALLEST_ZOOM, zoom));

/** The next larger or smaller step; a factor that stands between two goes to the nearer one first. */
export function stepZoom(zoom: number, direction: 1 | -1): number {
  const next =
    direction === 1
      ? ZOOM_STEPS.find((step) => step > zoom + 0.005)
      : ZOOM_STEPS.findLast((step) => step < zoom - 0.005);
  return next ?? (direction === 1 ? LARGEST_ZOOM : SMALLEST_ZOOM);
}

/** The factor that a way of showing pages comes to, for a page in a room of so many pixels. */
export function zoomFactor(zoom: Zoom, page: PageSize, rotation: number, room: PageSize): number {
  if (typeof zoom === 'number') return clampZoom(zoom);
  const { width, height } = turned(page, rotation);
  const wide = (room.width - 2 * GAP) / (pixelsPerPoint(1) * Math.max(1, width));
  const high = (room.height - 2 * GAP) / (pixelsPerPoint(1) * Math.max(1, height));
  return clampZoom(zoom === 'width' ? wide : Math.min(wide, high));
}
