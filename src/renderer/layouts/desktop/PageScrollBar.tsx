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
    const follow = () => {
      if (isFar()) track.scrollTop = scrollY;
    };
    const lead = () => {
      if (isFar()) scrollTo({ top: track.scrollTop, behavior: 'instant' });
    };
    const measure = () => {
      page.style.height = `${document.documentElement.scrollHeight - innerHeight + track.clientHeight}px`;
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
