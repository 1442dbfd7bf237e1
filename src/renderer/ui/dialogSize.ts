/** How wide a dialog may be; the empty one is the usual (web-and-phone.md §5). */
export const DIALOG_SIZES = ['', 'sm', 'lg', 'xl'] as const;
export type DialogSize = (typeof DIALOG_SIZES)[number];

/** The classes of a dialog. A size that came past the compiler would otherwise show as a dialog without a width. */
export function dialogClass(size: DialogSize): string {
  if (!DIALOG_SIZES.includes(size)) throw new RangeError(`no dialog has the size ${size}`);
  return size === '' ? 'dialog' : `dialog dialog--${size}`;
}
