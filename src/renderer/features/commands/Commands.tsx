import { type ComponentType, lazy, Suspense, useEffect } from 'react';
import { loadUntilThere } from '../../api/loadCode.ts';
import { useCommandLayer } from '../../app/commandLayer.ts';
import { useSession } from '../../app/services.ts';
import { loadTexts } from '../../i18n/index.ts';
import { useHasModal } from '../../ui/layers.ts';

/** A layer that loads when it is first asked for, with what it says. */
function layer(load: () => Promise<ComponentType<{ readonly onClose: () => void }>>) {
  return lazy(async () => {
    const [part] = await loadUntilThere(() => Promise.all([load(), loadTexts()]));
    return { default: part };
  });
}

const CommandPalette = layer(async () => (await import('./CommandPalette.tsx')).CommandPalette);
const ShortcutList = layer(async () => (await import('./ShortcutList.tsx')).ShortcutList);

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.closest('input, textarea, select, [contenteditable]') !== null;
}

/** Which layer a key asks for. */
function askedBy(event: KeyboardEvent): 'palette' | 'shortcuts' | null {
  const hasModifier = event.ctrlKey || event.metaKey;
  if (event.altKey || event.isComposing) return null;
  if (hasModifier) return !event.shiftKey && event.key.toLowerCase() === 'k' ? 'palette' : null;
  return event.key === '?' && !isTyping(event.target) ? 'shortcuts' : null;
}

/** Ctrl/Cmd+K opens the command palette, ? the list of keyboard shortcuts; over another dialog neither does. */
export function Commands() {
  const { shown, show } = useCommandLayer();
  const hasModal = useHasModal();
  const isReady = useSession(({ status, user }) => status === 'signed-in' && user?.username !== '');
  useEffect(() => {
    if (!isReady) return;
    const onKeyDown = (event: KeyboardEvent) => {
      const asked = askedBy(event);
      if (asked === null) return;
      event.preventDefault();
      event.stopPropagation();
      if (!event.repeat && (shown !== null || !hasModal)) show(shown === asked ? null : asked);
    };
    // Before lists that take letters for the names of their rows.
    addEventListener('keydown', onKeyDown, { capture: true });
    return () => removeEventListener('keydown', onKeyDown, { capture: true });
  }, [isReady, shown, show, hasModal]);
  useEffect(() => {
    if (!isReady) show(null);
  }, [isReady, show]);
  if (shown === null || !isReady) return null;
  const close = () => show(null);
  return (
    <Suspense fallback={null}>
      {shown === 'palette' ? <CommandPalette onClose={close} /> : <ShortcutList onClose={close} />}
    </Suspense>
  );
}
