import { X } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from '../i18n/useTranslation.ts';
import { IconButton } from './IconButton.tsx';
import { Meter } from './Meter.tsx';
import type { BatchProgress } from './useBatch.ts';
import './selectionBar.css';

export interface SelectionBarProps {
  readonly count: number;
  readonly onClear: () => void;
  /** A change of many things that is under way takes the place of what could be done. */
  readonly progress?: BatchProgress | null;
  /** What can be done with all that is selected. */
  readonly children: ReactNode;
}

function Progress({ done, total, cancel }: BatchProgress) {
  const { t } = useTranslation();
  const text = t('files.progress', { done, total });
  return (
    <>
      <Meter label={text} done={done} total={total} />
      <span className="muted nowrap">{text}</span>
      <button type="button" className="button" onClick={cancel}>
        {t('common.cancel')}
      </button>
    </>
  );
}

/** How many rows are selected, and what can be done with them. Stays in sight while the list scrolls. */
export function SelectionBar({ count, onClear, progress = null, children }: SelectionBarProps) {
  const { t } = useTranslation();
  return (
    <section className="selection-bar" aria-label={t('files.selection')}>
      <IconButton label={t('files.clearSelection')} onClick={onClear}>
        <X />
      </IconButton>
      <span className="selection-bar__count" role="status">
        {t('files.selected', { count })}
      </span>
      <span className="selection-bar__actions">{progress === null ? children : <Progress {...progress} />}</span>
    </section>
  );
}
