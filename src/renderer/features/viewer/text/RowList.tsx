import {
  type ReactNode,
  type Ref,
  useCallback,
  useEffect,
  useImperativeHandle,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';

/** Browsers draw nothing beyond some 16 million pixels; and a scroll bar is no finer than this anyway. */
const TALLEST = 8_000_000;
const OVERSCAN = 12;
/** After the last scrolling the scroll bar is put where the rows are. */
const SETTLE_MS = 150;

/** What stands at the upper edge: a row, and how many pixels of it are above. */
interface Anchor {
  readonly row: number;
  readonly above: number;
}

export interface RowListHandle {
  /** Brings a row into the middle, unless it is in sight. */
  reveal(row: number): void;
}

export interface RowListProps {
  readonly count: number;
  /** Of a row that was not measured; of every row, where they are not wrapped. */
  readonly rowHeight: number;
  readonly isWrapped: boolean;
  readonly label: string;
  readonly className: string;
  readonly renderRow: (row: number) => ReactNode;
  /** Told which rows are drawn. */
  readonly onRange: (from: number, to: number) => void;
  readonly ref: Ref<RowListHandle>;
}

/**
 * A list of however many rows of whatever height, of which only those in sight are drawn. What stands at the upper edge is
 * what counts: small movements of the scroll bar move it by as many pixels, large ones by their share of the whole, so that
 * neither the tallest page that a browser has nor heights that nobody measured matter.
 */
export function RowList({ count, rowHeight, isWrapped, label, className, renderRow, onRange, ref }: RowListProps) {
  const scroller = useRef<HTMLElement>(null);
  const rows = useRef<HTMLDivElement>(null);
  const heights = useRef(new Map<number, number>());
  const lastTop = useRef(0);
  const settle = useRef<ReturnType<typeof setTimeout> | null>(null);
  const [anchor, setAnchor] = useState<Anchor>({ row: 0, above: 0 });
  const [room, setRoom] = useState({ height: 0, width: 0 });
  const height = Math.min(TALLEST, Math.max(1, count) * rowHeight);
  const isExact = !isWrapped && count * rowHeight <= TALLEST;

  const heightOf = useCallback(
    (row: number) => (isWrapped ? (heights.current.get(row) ?? rowHeight) : rowHeight),
    [isWrapped, rowHeight],
  );
  const moved = useCallback(
    ({ row, above }: Anchor, by: number): Anchor => {
      let at = row;
      let rest = above + by;
      while (rest < 0 && at > 0) {
        at -= 1;
        rest += heightOf(at);
      }
      while (at < count - 1 && rest >= heightOf(at)) {
        rest -= heightOf(at);
        at += 1;
      }
      return { row: at, above: Math.max(0, rest) };
    },
    [count, heightOf],
  );
  /** The scroll bar's place for what is in sight. */
  const topFor = useCallback(
    ({ row, above }: Anchor) => {
      const position = (row + above / heightOf(row)) * rowHeight;
      const most = height - room.height;
      const whole = Math.max(1, count * rowHeight - room.height);
      return isExact ? position : Math.min(most, (position / whole) * most);
    },
    [count, height, heightOf, isExact, room.height, rowHeight],
  );

  useLayoutEffect(() => {
    const box = scroller.current;
    if (box === null) return;
    const observer = new ResizeObserver(() => {
      setRoom((before) => {
        if (before.width !== box.clientWidth) heights.current.clear();
        return { height: box.clientHeight, width: box.clientWidth };
      });
    });
    observer.observe(box);
    return () => observer.disconnect();
  }, []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: wrapped otherwise, all rows have other heights
  useEffect(() => heights.current.clear(), [isWrapped]);

  const putBar = useCallback(
    (next: Anchor) => {
      const box = scroller.current;
      if (box === null) return;
      box.scrollTop = topFor(next);
      lastTop.current = box.scrollTop;
    },
    [topFor],
  );

  const onScroll = () => {
    const box = scroller.current;
    if (box === null) return;
    const by = box.scrollTop - lastTop.current;
    lastTop.current = box.scrollTop;
    if (by === 0) return;
    const most = box.scrollHeight - box.clientHeight;
    const isFar = Math.abs(by) > 2 * room.height;
    const isAtEdge = box.scrollTop <= 0 || box.scrollTop >= most - 1;
    const share = most <= 0 ? 0 : box.scrollTop / most;
    const position = isExact ? box.scrollTop : share * Math.max(0, count * rowHeight - room.height);
    const next =
      isExact || isFar || isAtEdge
        ? { row: Math.min(count - 1, Math.floor(position / rowHeight)), above: position % rowHeight }
        : moved(anchor, by);
    setAnchor(next);
    if (isExact) return;
    if (settle.current !== null) clearTimeout(settle.current);
    settle.current = setTimeout(() => putBar(next), SETTLE_MS);
  };
  useEffect(
    () => () => {
      if (settle.current !== null) clearTimeout(settle.current);
    },
    [],
  );

  const first = Math.max(0, anchor.row - OVERSCAN);
  let before = 0;
  for (let row = first; row < anchor.row; row += 1) before += heightOf(row);
  let end = anchor.row;
  for (let filled = -anchor.above; end < count && filled < room.height; end += 1) filled += heightOf(end);
  end = Math.min(count, end + OVERSCAN);

  useEffect(() => onRange(first, end), [first, end, onRange]);

  // Heights are known once rows are drawn: what stands at the edge stays there, and the last row does not leave the bottom.
  useLayoutEffect(() => {
    const box = rows.current;
    if (box === null || room.height === 0) return;
    let isOther = false;
    if (isWrapped) {
      for (const child of box.children) {
        const row = Number((child as HTMLElement).dataset.row);
        const measured = (child as HTMLElement).offsetHeight;
        if (heightOf(row) !== measured) isOther = true;
        heights.current.set(row, measured);
      }
    }
    let below = -anchor.above;
    for (let row = anchor.row; row < end; row += 1) below += heightOf(row);
    const gap = room.height - below;
    const isAtTop = anchor.row === 0 && anchor.above === 0;
    if (end === count && gap > 0 && !isAtTop) setAnchor(moved(anchor, -gap));
    else if (isOther) setAnchor({ ...anchor });
  }, [anchor, end, count, room, isWrapped, heightOf, moved]);

  useImperativeHandle(
    ref,
    () => ({
      reveal(row) {
        let y = -anchor.above;
        for (let at = anchor.row; at < row && y < room.height; at += 1) y += heightOf(at);
        const isInSight = row >= anchor.row && y >= 0 && y + heightOf(row) <= room.height;
        if (isInSight) return;
        const next = moved({ row: Math.min(row, Math.max(0, count - 1)), above: 0 }, -room.height / 2);
        setAnchor(next);
        putBar(next);
      },
    }),
    [anchor, room.height, count, heightOf, moved, putBar],
  );

  const drawn: ReactNode[] = [];
  for (let row = first; row < end; row += 1) drawn.push(renderRow(row));
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolled region has to be reachable by keyboard
    <section className={className} ref={scroller} tabIndex={0} aria-label={label} onScroll={onScroll}>
      <div className="row-list__whole" style={{ height }}>
        <div className="row-list__window" style={{ height: room.height }}>
          <div ref={rows} style={{ transform: `translateY(${-before - anchor.above}px)` }}>
            {drawn}
          </div>
        </div>
      </div>
    </section>
  );
}
