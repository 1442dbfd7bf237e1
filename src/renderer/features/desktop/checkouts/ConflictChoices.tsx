import { TriangleAlert } from 'lucide-react';
import { ConflictAction } from '../../../../shared/model/workspace.ts';
import { useTranslation } from '../../../i18n/useTranslation.ts';
import { Meter } from '../../../ui/Meter.tsx';
import type { BatchProgress } from '../../../ui/useBatch.ts';

export interface ConflictChoicesProps {
  readonly count: number;
  /** Of settling all, while that is under way. */
  readonly progress: BatchProgress | null;
  readonly isWritable: boolean;
  readonly isBusy: boolean;
  readonly onAll: (action: ConflictAction) => void;
}

/** What conflicts are and what each choice does to the copy here, and the choice for all of them. */
export function ConflictChoices({ count, progress, isWritable, isBusy, onAll }: ConflictChoicesProps) {
  const { t } = useTranslation();
  const progressText = progress === null ? '' : t('files.progress', { done: progress.done, total: progress.total });
  return (
    <section className="notice notice--danger conflicts" aria-label={t('checkouts.conflictsTitle')}>
      <TriangleAlert aria-hidden="true" />
      <div className="conflicts__text">
        <p>{t('checkouts.conflictsText', { count })}</p>
        <dl className="conflicts__choices">
          {ConflictAction.options.map((action) => (
            <div key={action}>
              <dt>{t(`checkouts.choices.${action}`)}</dt>
              <dd className="muted">{t(`checkouts.explained.${action}`)}</dd>
            </div>
          ))}
        </dl>
        {progress !== null ? (
          <div className="conflicts__all">
            <Meter label={progressText} done={progress.done} total={progress.total} />
            <span className="muted nowrap">{progressText}</span>
            <button type="button" className="button button--small" onClick={progress.cancel}>
              {t('common.cancel')}
            </button>
          </div>
        ) : (
          count > 1 && (
            // biome-ignore lint/a11y/useSemanticElements: a fieldset is no part of a line
            <div className="conflicts__all" role="group" aria-label={t('checkouts.forAll', { count })}>
              <span aria-hidden="true">{t('checkouts.forAll', { count })}</span>
              {ConflictAction.options.map((action) => (
                <button
                  key={action}
                  type="button"
                  className="button button--small"
                  disabled={isBusy || (!isWritable && action === 'keep-mine')}
                  onClick={() => onAll(action)}
                >
                  {t(`checkouts.choices.${action}`)}
                </button>
              ))}
            </div>
          )
        )}
      </div>
    </section>
  );
}
