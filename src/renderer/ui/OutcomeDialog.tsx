import { CircleAlert, CircleCheck } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from '../i18n/useTranslation.ts';
import { Dialog } from './Dialog.tsx';
import './outcomes.css';

/** What became of one of several things; `problem` is null when it worked. */
export interface ItemOutcome {
  readonly id: string;
  readonly name: string;
  readonly problem: string | null;
  /** Which error it was, for the remedy. */
  readonly code?: string | null;
}

export interface OutcomeDialogProps {
  readonly title: string;
  readonly outcomes: readonly ItemOutcome[];
  readonly onClose: () => void;
  /** What can be done about one that failed. */
  readonly remedy?: (outcome: ItemOutcome) => ReactNode;
}

/** The report on a change of many things: those that failed first, each with why. */
export function OutcomeDialog({ title, outcomes, onClose, remedy }: OutcomeDialogProps) {
  const { t } = useTranslation();
  const done = outcomes.filter(({ problem }) => problem === null).length;
  const sorted = [...outcomes].sort((a, b) => Number(a.problem === null) - Number(b.problem === null));
  return (
    <Dialog
      title={title}
      description={t('files.reportSummary', { done, total: outcomes.length })}
      onClose={onClose}
      size="lg"
      actions={
        <button type="button" className="button button--primary" onClick={onClose}>
          {t('common.close')}
        </button>
      }
    >
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a list that scrolls is reached by keyboard */}
      <ul className="outcomes" aria-label={t('files.report')} tabIndex={0}>
        {sorted.map((outcome) => (
          <li key={outcome.id} className="outcomes__item" data-failed={outcome.problem !== null}>
            {outcome.problem === null ? <CircleCheck aria-hidden="true" /> : <CircleAlert aria-hidden="true" />}
            <span className="outcomes__text">
              <span>{outcome.name}</span>
              <span className="muted">{outcome.problem ?? t('files.done')}</span>
            </span>
            {outcome.problem !== null && remedy?.(outcome)}
          </li>
        ))}
      </ul>
    </Dialog>
  );
}
