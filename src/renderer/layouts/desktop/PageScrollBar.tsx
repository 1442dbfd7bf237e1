import { useEffect, useRef } from 'react';

/**
 * The scroll bar of the page, beside which the window's own buttons reach into the corner: the browser's would stand beside the
 * title bar too. The page itself goes on to be what scrolls; this follows it, and leads it when it is dragged.
 */
export function PageScrollBar() {
  const bar = useRef<HTMLDivElement>(null);
  const length = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const [track, page] = [bar.current, length.current];
    const root = document.getElementById('root');
    if (track === null || page === null || root === null) return;
    const isFar = () => Math.abs(track.scrollTop - scrollY) > 1;
    // What one did to the other is heard of a frame later, when a smooth scroll has gone on: to answer it would hold that back there.
    let followed: number | null = null;
    let led: number | null = null;
    const follow = () => {
      if (scrollY === led) return;
      led = null;
      if (!isFar()) return;
      track.scrollTop = scrollY;
      followed = track.scrollTop;
    };
    const lead = () => {
      if (track.scrollTop === followed) return;
      followed = null;
      if (!isFar()) return;
      scrollTo({ top: track.scrollTop, behavior: 'instant' });
      led = scrollY;
    };
    const measure = () => {
      page.style.height = `${document.documentElement.scrollHeight - innerHeight + track.clientHeight}px`;
      led = null;
      follow();
    };
    const observer = new ResizeObserver(measure);
    for (const each of [root, track]) observer.observe(each);
    addEventListener('scroll', follow, { passive: true });
    track.addEventListener('scroll', lead, { passive: true });
    return () => {
      observer.disconnect();
      removeEventListener('scroll', follow);
      track.removeEventListener('scroll', lead);
    };
  }, []);
  return (
    <div ref={bar} className="page-scroll-bar" aria-hidden="true" tabIndex={-1}>
      <div ref={length} />
    </div>
  );
}
