import { CircleAlert } from 'lucide-react';
import type { ComponentType, ReactNode } from 'react';
import { useTranslation } from '../i18n/useTranslation.ts';
import { useErrorText } from './useErrorText.ts';

/** Shown while a list loads: rows in the shape of what comes. */
export function LoadingRows({
  rows = 6,
  shape = 'row',
}: {
  readonly rows?: number;
  readonly shape?: 'row' | 'tile' | 'text';
}) {
  const { t } = useTranslation();
  return (
    <div className={`loading loading--${shape}`} role="status" aria-label={t('common.loading')}>
      {Array.from({ length: rows }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: placeholders have no identity
        <span key={index} className="loading__item">
          <span className="skeleton loading__lead" />
          <span className="skeleton loading__main" />
          <span className="skeleton loading__end" />
        </span>
      ))}
    </div>
  );
}

export interface EmptyStateProps {
  readonly icon: ComponentType;
  readonly title: string;
  readonly text?: string;
  readonly children?: ReactNode;
  readonly level?: 1 | 2;
}

/** One sentence and the one action that fills the list. */
export function EmptyState({ icon: Icon, title, text, children, level = 2 }: EmptyStateProps) {
  const Heading = level === 1 ? 'h1' : 'h2';
  return (
    <div className="state">
      <span className="state__icon" aria-hidden="true">
        <Icon />
      </span>
      <Heading className="state__title">{title}</Heading>
      {text !== undefined && <p className="state__text">{text}</p>}
      {children !== undefined && <div className="state__actions">{children}</div>}
    </div>
  );
}

export interface ErrorStateProps {
  readonly error: unknown;
  readonly onRetry: () => void;
  readonly title?: string;
}

/** What happened, what to do, Try again. */
export function ErrorState({ error, onRetry, title }: ErrorStateProps) {
  const { t } = useTranslation();
  const errorText = useErrorText();
  return (
    <div className="state" role="alert">
      <span className="state__icon" aria-hidden="true">
        <CircleAlert />
      </span>
      <h2 className="state__title">{title ?? t('errors.listTitle')}</h2>
      <p className="state__text">{errorText(error)}</p>
      <div className="state__actions">
        <button type="button" className="button" onClick={onRetry}>
          {t('common.tryAgain')}
        </button>
      </div>
    </div>
  );
}
