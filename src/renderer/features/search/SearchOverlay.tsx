import { type KeyboardEvent, type RefObject, useEffect, useRef, useState } from 'react';
import { LIMITS } from '../../../shared/rules/limits.ts';
import { keepPlace, placeTaken, waitingPlace } from '../../app/keptPlace.ts';
import { useServices } from '../../app/services.ts';
import { useTranslation } from '../../i18n/useTranslation.ts';
import { FindInFiles } from './FindInFiles.tsx';
import { openAs, savedSearch } from './savedSearch.ts';
import { createSearchStore } from './searchStore.ts';

export interface SearchOverlayProps {
  readonly inputRef: RefObject<HTMLInputElement | null>;
  readonly onClose: () => void;
}

/** Find in files over whatever is on the screen; Escape and a click outside close it. */
export function SearchOverlay({ inputRef, onClose }: SearchOverlayProps) {
  const { t } = useTranslation();
  const { platform } = useServices();
  const [store] = useState(() => {
    const made = createSearchStore(platform.search);
    const kept = waitingPlace();
    if (kept !== null) openAs(made, kept);
    return made;
  });
  const panel = useRef<HTMLDivElement>(null);
  const opener = useRef(document.activeElement);

  useEffect(() => {
    const timer = setTimeout(() => inputRef.current?.focus(), LIMITS.focusSearchDelayMs);
    const before = opener.current;
    return () => {
      clearTimeout(timer);
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, [inputRef]);
  useEffect(() => {
    placeTaken();
    return keepPlace(() => savedSearch(store.getState()));
  }, [store]);
  useEffect(() => {
    const onPointerDown = ({ target }: PointerEvent) => {
      // Dialogs and toasts opened from the panel stand outside it, and do not close it.
      if (!(target instanceof Element) || panel.current?.contains(target)) return;
      if (
        target.closest('.dialog-backdrop, .Toastify, .update-toast') === null &&
        document.querySelector('.dialog-backdrop') === null
      ) {
        onClose();
      }
    };
    document.addEventListener('pointerdown', onPointerDown);
    return () => document.removeEventListener('pointerdown', onPointerDown);
  }, [onClose]);

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || event.nativeEvent.isComposing) return;
    event.stopPropagation();
    onClose();
  };
  return (
    <div className="search-overlay card" role="dialog" aria-label={t('search.title')} ref={panel} onKeyDown={onKeyDown}>
      <FindInFiles store={store} inputRef={inputRef} onOpened={onClose} />
    </div>
  );
}
