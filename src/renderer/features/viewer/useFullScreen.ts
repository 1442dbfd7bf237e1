import { useEffect, useState } from 'react';

/**
 * Whether the viewer has the window for itself, and the screen where the browser lets it. The page as a whole goes full
 * screen, not the viewer alone: menus and messages stand outside of it.
 */
export function useFullScreen(): readonly [isFull: boolean, toggle: () => void] {
  const [isFull, setIsFull] = useState(false);
  useEffect(() => {
    if (!isFull) return;
    const root = document.documentElement;
    root.style.overflow = 'hidden';
    const leave = () => {
      if (document.fullscreenElement === null) setIsFull(false);
    };
    const onKeyDown = ({ key, defaultPrevented }: KeyboardEvent) => {
      if (key === 'Escape' && !defaultPrevented) setIsFull(false);
    };
    // Where it is not allowed, the window is what there is.
    document.documentElement.requestFullscreen?.().catch(() => undefined);
    addEventListener('fullscreenchange', leave);
    addEventListener('keydown', onKeyDown);
    return () => {
      root.style.overflow = '';
      removeEventListener('fullscreenchange', leave);
      removeEventListener('keydown', onKeyDown);
      if (document.fullscreenElement !== null) void document.exitFullscreen();
    };
  }, [isFull]);
  return [isFull, () => setIsFull((before) => !before)];
}
