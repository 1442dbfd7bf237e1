import { Maximize2, Minimize2, Search } from 'lucide-react';
import { Suspense, useCallback, useEffect, useRef, useState } from 'react';
import type { ViewerProps } from '../../api/viewer.ts';
import { ErrorBoundary } from '../../app/ErrorBoundary.tsx';
import { useTranslation } from '../../i18n/useTranslation.ts';
import { IconButton } from '../../ui/IconButton.tsx';
import { useHasModal } from '../../ui/layers.ts';
import { LoadingRows } from '../../ui/States.tsx';
import { FindBar } from './find/FindBar.tsx';
import { useFind } from './find/useFind.ts';
import { ToolbarSlot } from './toolbar.tsx';
import { useFullScreen } from './useFullScreen.ts';
import type { Findable } from './view.ts';
import { viewKind } from './viewKind.ts';
import { VIEWS } from './views.ts';
import './viewer.css';

/** What a key asks of the finding. */
function askedBy({ key, ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent): 'open' | 'next' | 'previous' | null {
  if (altKey) return null;
  if (key === 'F3') return shiftKey ? 'previous' : 'next';
  return (ctrlKey || metaKey) && !shiftKey && key.toLowerCase() === 'f' ? 'open' : null;
}

function Frame({ content, place, loadText, exportPdf }: ViewerProps) {
  const { t } = useTranslation();
  const [findable, setFindable] = useState<Findable | null>(null);
  const [slot, setSlot] = useState<HTMLElement | null>(null);
  const [isFinding, setIsFinding] = useState(place.find !== '');
  const [isFull, toggleFull] = useFullScreen();
  const hasModal = useHasModal();
  const frame = useRef<HTMLDivElement>(null);
  const input = useRef<HTMLInputElement>(null);
  const cameFrom = useRef<Element | null>(null);
  const find = useFind({ contentKey: content.key, loadText, findable, place, isOpen: isFinding });
  const { session } = find;
  useEffect(() => {
    if (place.find !== '') setIsFinding(true);
  }, [place.find]);

  const open = useCallback(() => {
    if (!frame.current?.contains(document.activeElement) || document.activeElement !== input.current) {
      cameFrom.current = document.activeElement;
    }
    setIsFinding(true);
    // The bar is there after the next drawing, where it was not before.
    requestAnimationFrame(() => input.current?.select());
  }, []);
  const close = () => {
    setIsFinding(false);
    const back = cameFrom.current;
    if (back instanceof HTMLElement && back.isConnected && back !== document.body) back.focus();
    else frame.current?.querySelector<HTMLElement>('.viewer__body [tabindex="0"]')?.focus();
  };
  const canFind = findable !== null;
  useEffect(() => {
    if (!canFind || hasModal) return;
    const onKeyDown = (event: KeyboardEvent) => {
      const asked = askedBy(event);
      if (asked === null) return;
      event.preventDefault();
      if (asked === 'open' || session === null || session.store.getState().query === '') open();
      else session.step(asked === 'next' ? 1 : -1);
    };
    addEventListener('keydown', onKeyDown);
    return () => removeEventListener('keydown', onKeyDown);
  }, [canFind, hasModal, open, session]);

  const kind = content.isTextOnly === true ? 'layer' : viewKind(content.name, content.mime);
  const View = VIEWS[kind];
  const fullLabel = t(isFull ? 'viewer.leaveFullScreen' : 'viewer.fullScreen');
  return (
    <div className={`viewer viewer--${kind}${isFull ? ' viewer--full' : ''}`} ref={frame}>
      <div className="viewer__bar" role="toolbar" aria-label={t('viewer.tools')}>
        <div className="viewer__tools" ref={setSlot} />
        {canFind && (
          <IconButton label={t('viewer.find')} aria-pressed={isFinding} onClick={isFinding ? close : open}>
            <Search />
          </IconButton>
        )}
        <IconButton label={fullLabel} onClick={toggleFull}>
          {isFull ? <Minimize2 /> : <Maximize2 />}
        </IconButton>
      </div>
      {isFinding && canFind && <FindBar find={find} input={input} onClose={close} />}
      <div className="viewer__body">
        <ToolbarSlot value={slot}>
          <ErrorBoundary resetKey={content.key}>
            <Suspense fallback={<LoadingRows rows={10} shape="text" />}>
              <View
                content={content}
                place={place}
                loadText={loadText}
                exportPdf={exportPdf}
                onFindable={setFindable}
              />
            </Suspense>
          </ErrorBoundary>
        </ToolbarSlot>
      </div>
    </div>
  );
}

/** Shows a document by the view of its kind, and finds in it. */
export function Viewer(props: ViewerProps) {
  return <Frame key={props.content.key} {...props} />;
}
