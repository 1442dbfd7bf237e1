import { ArrowDown, ArrowUp } from 'lucide-react';
import { useEffect, useEffectEvent } from 'react';
import { useTranslation } from '../../i18n/useTranslation.ts';

export interface ChangeMovesProps {
  readonly count: number;
  /** Which change is looked at, from 0; -1 for none. */
  readonly at: number;
  readonly onGo: (to: number) => void;
}

const isWritten = (target: EventTarget | null) =>
  target instanceof HTMLElement &&
  target.closest(
    'input:not([type="radio"], [type="checkbox"], [type="range"]), textarea, select, [contenteditable], [role="dialog"], [role="menu"]',
  ) !== null;

/** Whether a key asks for the next change (1) or the one before (-1). */
function stepOf({ key, shiftKey, ctrlKey, metaKey, altKey, target }: KeyboardEvent): 1 | -1 | null {
  if (ctrlKey || metaKey || altKey) return null;
  if (key === 'F7') return shiftKey ? -1 : 1;
  if (isWritten(target) || shiftKey) return null;
  return key === 'n' ? 1 : key === 'p' ? -1 : null;
}

/** Goes from change to change, around the ends: by buttons, by N and P, and by F7 and Shift F7. */
export function ChangeMoves({ count, at, onGo }: ChangeMovesProps) {
  const { t } = useTranslation();
  const step = (by: 1 | -1) => {
    if (count > 0) onGo(at === -1 && by === -1 ? count - 1 : (at + by + count) % count);
  };
  const onKeyDown = useEffectEvent((event: KeyboardEvent) => {
    const by = stepOf(event);
    if (by === null) return;
    event.preventDefault();
    step(by);
  });
  useEffect(() => {
    addEventListener('keydown', onKeyDown);
    return () => removeEventListener('keydown', onKeyDown);
  }, []);
  const moves = [
    { by: -1, label: t('files.previousChange'), keys: 'P', shown: 'P, Shift F7', Icon: ArrowUp },
    { by: 1, label: t('files.nextChange'), keys: 'N', shown: 'N, F7', Icon: ArrowDown },
  ] as const;
  return (
    <span className="compare__moves">
      <output className="compare__counter">
        {count === 0
          ? t('compare.noChanges')
          : at === -1
            ? t('compare.changes', { count })
            : t('compare.changeOf', { at: at + 1, count })}
      </output>
      {moves.map(({ by, label, keys, shown, Icon }) => (
        <button
          key={by}
          type="button"
          className="icon-button"
          aria-label={label}
          aria-keyshortcuts={keys}
          title={`${label} (${shown})`}
          disabled={count === 0}
          onClick={() => step(by)}
        >
          <Icon />
        </button>
      ))}
    </span>
  );
}
