import { Ban } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from '../../i18n/useTranslation.ts';
import { EmptyState, ErrorState, LoadingRows } from '../../ui/States.tsx';
import type { ComparisonState } from './comparisons.ts';

export interface WhenComparedProps<T> {
  readonly comparison: ComparisonState<T>;
  readonly children: (data: T) => ReactNode;
}

/** What was compared, once it is there; until then that it is under way, which can be cancelled. */
export function WhenCompared<T>({ comparison, children }: WhenComparedProps<T>) {
  const { t } = useTranslation();
  switch (comparison.state) {
    case 'done':
      return children(comparison.data);
    case 'comparing':
      return (
        <div className="card compare__waiting">
          <p className="compare__progress">
            <span>{t('compare.comparing')}</span>
            <button type="button" className="button" onClick={comparison.cancel}>
              {t('common.cancel')}
            </button>
          </p>
          <LoadingRows rows={8} shape="text" />
        </div>
      );
    case 'cancelled':
      return (
        <div className="card">
          <EmptyState icon={Ban} title={t('compare.cancelled')} text={t('compare.cancelledText')}>
            <button type="button" className="button" onClick={comparison.again}>
              {t('compare.again')}
            </button>
          </EmptyState>
        </div>
      );
    default:
      return <ErrorState error={comparison.error} onRetry={comparison.again} />;
  }
}
