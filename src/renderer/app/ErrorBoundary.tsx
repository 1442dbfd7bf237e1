import { Component, type ErrorInfo, type ReactNode } from 'react';
import brand from '../../../resources/brand.json';
import { isAppError } from '../../shared/errors.ts';
import { useTranslation } from '../i18n/useTranslation.ts';
import { Logo } from '../ui/Logo.tsx';
import { ErrorState } from '../ui/States.tsx';
import { notify } from '../ui/toast.ts';
import { useSaveReport } from '../ui/useSaveReport.ts';
import { useServices } from './services.ts';

interface Props {
  /** Another value shows the screen again: the address. */
  readonly resetKey: string;
  readonly children: ReactNode;
}

interface State {
  readonly error: unknown;
  readonly where: string;
  readonly failedAt: string | null;
}

function detailsOf({ error, where }: State): string {
  const id = isAppError(error) && error.errorId !== undefined ? `reference: ${error.errorId}\n` : '';
  const text = error instanceof Error ? `${error.name}: ${error.message}\n${error.stack ?? ''}` : String(error);
  return `${id}${text}\n${where}`;
}

function Fallback({ state }: { readonly state: State }) {
  const { t } = useTranslation();
  const { shell } = useServices().platform;
  const saveReport = useSaveReport(shell);
  if (isAppError(state.error, 'server-unreachable')) {
    return <ErrorState error={state.error} title={t('session.unreachableTitle')} onRetry={() => location.reload()} />;
  }
  const copy = () => {
    navigator.clipboard.writeText(detailsOf(state)).then(
      () => notify(t('common.copied')),
      () => notify(t('errors.internal'), 'error'),
    );
  };
  return (
    <div className="state" role="alert">
      <Logo large />
      <h1 className="state__title">{t('errors.screenTitle')}</h1>
      <p className="state__text">{t('errors.screenText', { contact: brand.contact.support })}</p>
      <div className="state__actions">
        <button type="button" className="button button--primary" onClick={() => location.reload()}>
          {t('errors.reload')}
        </button>
        <button type="button" className="button" onClick={copy}>
          {t('errors.copyDetails')}
        </button>
        {shell !== null && (
          <button type="button" className="button" onClick={saveReport}>
            {t('desktop.report')}
          </button>
        )}
      </div>
    </div>
  );
}

/** Keeps a screen that fails from taking the application with it, and says what to do. */
export class ErrorBoundary extends Component<Props, State> {
  override state: State = { error: null, where: '', failedAt: null };

  static getDerivedStateFromError(error: unknown): Partial<State> {
    return { error: error ?? new Error('unknown') };
  }

  static getDerivedStateFromProps({ resetKey }: Props, state: State): Partial<State> | null {
    if (state.error === null) return { failedAt: resetKey };
    return state.failedAt === resetKey ? null : { error: null, where: '', failedAt: resetKey };
  }

  override componentDidCatch(_error: unknown, { componentStack }: ErrorInfo): void {
    this.setState({ where: componentStack ?? '' });
  }

  override render(): ReactNode {
    return this.state.error === null ? this.props.children : <Fallback state={this.state} />;
  }
}
