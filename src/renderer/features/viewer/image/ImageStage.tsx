import { Maximize, Minus, Plus, RotateCw } from 'lucide-react';
import { type KeyboardEvent, type PointerEvent, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { useTranslation } from '../../../i18n/useTranslation.ts';
import { IconButton } from '../../../ui/IconButton.tsx';
import { useFormats } from '../../../ui/useFormats.ts';
import { DOUBLE_TAP_TIMES, useDoubleTap } from '../kit/useDoubleTap.ts';
import { ViewerTools } from '../toolbar.tsx';
import {
  type Extent,
  fittingScale,
  nextTurn,
  steppedScale,
  type Turn,
  turned,
  withinBounds,
  type Zoom,
} from './zoom.ts';
import '../kit/kit.css';
import './image.css';

/** What one pixel of a wheel does to the scale. */
const WHEEL_RATE = 0.0025;
const NOWHERE: Extent = { width: 0, height: 0 };

/** The point that stays where it is while the scale changes: as a share of the image, and in the stage. */
interface Anchor {
  readonly share: readonly [x: number, y: number];
  readonly at: readonly [x: number, y: number];
}

function useRoom(stage: React.RefObject<HTMLElement | null>): Extent {
  const [room, setRoom] = useState(NOWHERE);
  useEffect(() => {
    if (stage.current === null) return;
    const observer = new ResizeObserver(([entry]) => entry !== undefined && setRoom(entry.contentRect));
    observer.observe(stage.current);
    return () => observer.disconnect();
  }, [stage]);
  return room;
}

const distance = (touches: TouchList): number => {
  const [a, b] = [touches[0], touches[1]];
  return a === undefined || b === undefined ? 0 : Math.hypot(a.clientX - b.clientX, a.clientY - b.clientY);
};

interface Gestures {
  readonly stage: React.RefObject<HTMLElement | null>;
  readonly scale: number;
  /** Changes the scale, around a point of the window. */
  readonly zoomTo: (scale: number, x: number, y: number) => void;
}

/** Zoom by wheel and by two fingers. React listens to these passively, so that the page would zoom too. */
function useGestures({ stage, scale, zoomTo }: Gestures): void {
  const latest = useRef({ scale, zoomTo });
  useEffect(() => {
    latest.current = { scale, zoomTo };
  });
  useEffect(() => {
    const element = stage.current;
    if (element === null) return;
    let pinch: { readonly distance: number; readonly scale: number } | null = null;
    const onWheel = (event: WheelEvent) => {
      // A wheel alone scrolls, as everywhere; touchpads tell their pinch as a wheel with Ctrl.
      if (!event.ctrlKey && !event.metaKey) return;
      event.preventDefault();
      latest.current.zoomTo(latest.current.scale * Math.exp(-event.deltaY * WHEEL_RATE), event.clientX, event.clientY);
    };
    const onTouchStart = ({ touches }: TouchEvent) => {
      pinch = touches.length === 2 ? { distance: distance(touches), scale: latest.current.scale } : null;
    };
    const onTouchMove = (event: TouchEvent) => {
      const [a, b] = [event.touches[0], event.touches[1]];
      if (pinch === null || a === undefined || b === undefined || pinch.distance === 0) return;
      event.preventDefault();
      const scaled = (pinch.scale * distance(event.touches)) / pinch.distance;
      latest.current.zoomTo(scaled, (a.clientX + b.clientX) / 2, (a.clientY + b.clientY) / 2);
    };
    element.addEventListener('wheel', onWheel, { passive: false });
    element.addEventListener('touchstart', onTouchStart, { passive: true });
    element.addEventListener('touchmove', onTouchMove, { passive: false });
    return () => {
      element.removeEventListener('wheel', onWheel);
      element.removeEventListener('touchstart', onTouchStart);
      element.removeEventListener('touchmove', onTouchMove);
    };
  }, [stage]);
}

/** Dragging with the mouse moves what is larger than its room; fingers scroll it. */
function useDrag() {
  const [isDragging, setDragging] = useState(false);
  return {
    isDragging,
    onPointerDown(event: PointerEvent<HTMLElement>) {
      if (event.pointerType !== 'mouse' || event.button !== 0) return;
      event.currentTarget.setPointerCapture(event.pointerId);
      setDragging(true);
    },
    onPointerMove(event: PointerEvent<HTMLElement>) {
      if (isDragging) event.currentTarget.scrollBy(-event.movementX, -event.movementY);
    },
    onLostPointerCapture() {
      setDragging(false);
    },
  };
}

export interface ImageStageProps {
  readonly url: string;
  readonly alt: string;
  readonly onBroken: () => void;
}

/** An image with zoom and turns. Browsers draw it the way up that its EXIF data says. */
export function ImageStage({ url, alt, onBroken }: ImageStageProps) {
  const { t } = useTranslation();
  const formats = useFormats();
  const stage = useRef<HTMLElement>(null);
  const anchor = useRef<Anchor | null>(null);
  const room = useRoom(stage);
  const [natural, setNatural] = useState(NOWHERE);
  const [zoom, setZoom] = useState<Zoom>('fit');
  const [turn, setTurn] = useState<Turn>(0);
  const { isDragging, ...drag } = useDrag();
  const lying = turned(natural, turn);
  const scale = zoom === 'fit' ? fittingScale(lying, room) : zoom;

  const zoomTo = (wanted: number, x: number, y: number) => {
    const box = stage.current?.getBoundingClientRect();
    const image = stage.current?.firstElementChild?.getBoundingClientRect();
    if (box === undefined || image === undefined) return;
    anchor.current = {
      share: [(x - image.left) / image.width, (y - image.top) / image.height],
      at: [x - box.left, y - box.top],
    };
    setZoom(withinBounds(wanted));
  };
  const zoomAtCentre = (wanted: number) => {
    const box = stage.current?.getBoundingClientRect();
    if (box !== undefined) zoomTo(wanted, box.left + box.width / 2, box.top + box.height / 2);
  };
  useGestures({ stage, scale, zoomTo });
  useDoubleTap(stage, (x, y) => (zoom === 'fit' ? zoomTo(scale * DOUBLE_TAP_TIMES, x, y) : setZoom('fit')));

  const [width, height] = [lying.width * scale, lying.height * scale];
  useLayoutEffect(() => {
    if (anchor.current === null || stage.current === null) return;
    const { share, at } = anchor.current;
    anchor.current = null;
    stage.current.scrollTo({ left: share[0] * width - at[0], top: share[1] * height - at[1], behavior: 'instant' });
  }, [width, height]);

  const keys: Readonly<Record<string, () => void>> = {
    '+': () => zoomAtCentre(steppedScale(scale, 1)),
    '=': () => zoomAtCentre(steppedScale(scale, 1)),
    '-': () => zoomAtCentre(steppedScale(scale, -1)),
    '0': () => setZoom('fit'),
    '1': () => zoomAtCentre(1),
    r: () => setTurn(nextTurn),
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const act = keys[event.key];
    if (act === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    act();
  };
  return (
    <>
      <ViewerTools>
        <IconButton label={t('viewKinds.zoomOut')} onClick={keys['-']}>
          <Minus />
        </IconButton>
        <span className="view-bar__text image-zoom" aria-live="polite">
          {formats.number(Math.round(scale * 100))} %
        </span>
        <IconButton label={t('viewKinds.zoomIn')} onClick={keys['+']}>
          <Plus />
        </IconButton>
        <IconButton label={t('viewKinds.fit')} aria-pressed={zoom === 'fit'} onClick={keys['0']}>
          <Maximize />
        </IconButton>
        <button
          type="button"
          className="button button--quiet button--small"
          aria-label={`${t('viewKinds.actualSize')} 1:1`}
          title={t('viewKinds.actualSize')}
          onClick={keys['1']}
        >
          1:1
        </button>
        <IconButton label={t('viewKinds.turn')} onClick={keys.r}>
          <RotateCw />
        </IconButton>
        {natural.width > 0 && (
          <span className="view-bar__text">
            {formats.number(natural.width)} × {formats.number(natural.height)}
          </span>
        )}
      </ViewerTools>
      <section
        className="image-stage"
        ref={stage}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolled region has to be reachable by keyboard
        tabIndex={0}
        aria-label={t('viewKinds.imageArea')}
        data-dragging={isDragging}
        onKeyDown={onKeyDown}
        {...drag}
      >
        <div className="image-stage__sheet" style={{ width, height }}>
          <img
            className="image-stage__image"
            src={url}
            alt={alt}
            draggable={false}
            style={{
              width: natural.width * scale,
              height: natural.height * scale,
              transform: `translate(-50%, -50%) rotate(${turn}deg)`,
              imageRendering: scale >= 4 ? 'pixelated' : 'auto',
            }}
            onLoad={({ currentTarget: { naturalWidth, naturalHeight } }) =>
              setNatural({ width: naturalWidth, height: naturalHeight })
            }
            onError={onBroken}
          />
        </div>
      </section>
    </>
  );
}
