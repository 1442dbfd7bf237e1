import { useState } from 'react';
import { type Later, useLater } from './later.tsx';

/** A trigger, and the code of the overlay that it opens, which loads after the first content. */
export interface Overlay<T> {
  /** The overlay's code; null while the plain trigger shows. */
  readonly code: T | null;
  /** The plain trigger was pressed: the overlay opens as soon as it can. */
  readonly isWanted: boolean;
  /** For the plain trigger. */
  readonly trigger: {
    readonly 'aria-expanded': false;
    readonly 'data-state': 'closed';
    readonly onClick: () => void;
    readonly onFocus: () => void;
    readonly onBlur: () => void;
  };
}

/** The plain trigger stays while it has the focus, which would be lost with it, until it is pressed. */
export function useOverlay<T>(later: Later<T>): Overlay<T> {
  const loaded = useLater(later);
  const [isWanted, setWanted] = useState(false);
  const [isFocused, setFocused] = useState(false);
  return {
    code: isFocused && !isWanted ? null : loaded,
    isWanted,
    trigger: {
      'aria-expanded': false,
      'data-state': 'closed',
      onClick: () => setWanted(true),
      onFocus: () => setFocused(true),
      onBlur: () => setFocused(false),
    },
  };
}
