import { KeyRound } from 'lucide-react';
import { useEffect, useState } from 'react';
import { api } from '../../../shared/api/index.ts';
import { AppError } from '../../../shared/errors.ts';
import { completeSignIn } from '../../api/signIn.ts';
import { navigate } from '../../app/place.ts';
import { type CallbackProvider, paths, safeReturnPath } from '../../app/routes.ts';
import { useServices, useSession } from '../../app/services.ts';
import { useTranslation } from '../../i18n/useTranslation.ts';
import { EmptyState } from '../../ui/States.tsx';
import { useErrorText } from '../../ui/useErrorText.ts';
import { useTitle } from '../../ui/useTitle.ts';
import { useSignIn } from './useSignIn.ts';

/** A code is good for one use, so the exchange runs once per address, however often the screen is mounted. */
let exchange: { readonly address: string; readonly result: Promise<{ readonly returnTo: string | null }> } | null =
  null;

export interface CallbackPageProps {
  /** Another provider, whose answer our server takes first; it then sends the browser back here for the exchange. */
  readonly provider: CallbackProvider | null;
}

/** Where the sign-in page sends the browser back to: the code is exchanged, then the way goes on. */
export function CallbackPage({ provider }: CallbackPageProps) {
  const { t } = useTranslation();
  const { client, tabStore } = useServices();
  const check = useSession((state) => state.check);
  const errorText = useErrorText();
  const { start, isStarting } = useSignIn();
  const [error, setError] = useState<unknown>(null);
  useTitle(t('callback.working'));

  useEffect(() => {
    const query = new URLSearchParams(location.search);
    const code = query.get('code');
    const state = query.get('state');
    const refusal = query.get('error');
    if (code === null || state === null) {
      setError(new AppError('sign-in-failed', 'no code came back', refusal === null ? {} : { details: { refusal } }));
      return;
    }
    if (provider !== null) {
      client
        .call(api.auth.social, { body: { provider, code, state } })
        .then(({ redirect }) => location.replace(redirect), setError);
      return;
    }
    if (exchange?.address !== location.href) {
      exchange = {
        address: location.href,
        result: completeSignIn({ client, store: tabStore, origin: location.origin, code, state }),
      };
    }
    let isMounted = true;
    exchange.result
      .then(async ({ returnTo }) => {
        await check();
        if (isMounted) navigate(safeReturnPath(returnTo) ?? paths.home, { replace: true });
      })
      .catch((thrown: unknown) => {
        if (isMounted) setError(thrown);
      });
    return () => {
      isMounted = false;
    };
  }, [client, tabStore, check, provider]);

  if (error === null) {
    return (
      <div className="state" role="status">
        <span className="spinner" />
        <p className="state__text">{t('callback.working')}</p>
      </div>
    );
  }
  const refusal = error instanceof AppError ? error.details?.refusal : undefined;
  const text =
    typeof refusal === 'string'
      ? t('callback.refused', { reason: refusal })
      : error instanceof AppError && error.code === 'sign-in-failed'
        ? t('callback.failedText')
        : errorText(error);
  return (
    <div role="alert">
      <EmptyState icon={KeyRound} title={t('callback.failedTitle')} text={text} level={1}>
        <button type="button" className="button button--primary" onClick={start} disabled={isStarting}>
          {t('callback.again')}
        </button>
      </EmptyState>
    </div>
  );
}
