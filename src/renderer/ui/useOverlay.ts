import { type MouseEvent, startTransition, useState } from 'react';
import { type Later, useLater } from './later.tsx';

/** A plain trigger that becomes the overlay's own when it is first pressed: a list has hundreds of menus, and few are opened. */
export interface Overlay<T> {
  /** The overlay's code; null while the plain trigger shows. */
  readonly code: T | null;
  /** It was pressed by a key, which leads to the overlay's first item. */
  readonly isByKey: boolean;
  /** For the plain trigger. */
  readonly trigger: {
    readonly 'aria-expanded': false;
    readonly 'data-state': 'closed';
    readonly onClick: (event: MouseEvent) => void;
  };
}

/** The overlay opens as soon as its code is there, which loads after the first content. */
export function useOverlay<T>(later: Later<T>): Overlay<T> {
  const loaded = useLater(later);
  const [pressed, setPressed] = useState<'no' | 'by-pointer' | 'by-key'>('no');
  return {
    code: pressed === 'no' ? null : loaded,
    isByKey: pressed === 'by-key',
    trigger: {
      'aria-expanded': false,
      'data-state': 'closed',
      onClick: ({ detail }) => {
        // A press of a key is a click that no pointer counted.
        const how = detail === 0 ? 'by-key' : 'by-pointer';
        // The press is answered before the overlay is made, which takes long the first time.
        startTransition(() => setPressed(how));
      },
    },
  };
}
