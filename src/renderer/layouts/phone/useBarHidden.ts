import { useEffect, useState } from 'react';
import { isBarHidden } from './gestures.ts';

/** Whether the bar is out of the way, because the page was scrolled down. */
export function useBarHidden(): boolean {
  const [isHidden, setHidden] = useState(false);
  useEffect(() => {
    let last = scrollY;
    const onScroll = () => {
      // Beyond its ends a page only bounces.
      const now = Math.max(0, Math.min(scrollY, document.documentElement.scrollHeight - innerHeight));
      const from = last;
      last = now;
      setHidden((before) => isBarHidden(before, from, now));
    };
    addEventListener('scroll', onScroll, { passive: true });
    return () => removeEventListener('scroll', onScroll);
  }, []);
  return isHidden;
}
