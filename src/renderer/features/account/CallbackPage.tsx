import { KeyRound } from 'lucide-react';
import { useEffect, useState } from 'react';
import { AppError, isAppError } from '../../../shared/errors.ts';
import { SIGN_IN_REFUSALS } from '../../../shared/rules/signInRefusals.ts';
import { completeSignIn, handOnSocial } from '../../api/signIn.ts';
import { navigate } from '../../app/place.ts';
import { type CallbackProvider, paths, safeReturnPath } from '../../app/routes.ts';
import { useServices, useSession } from '../../app/services.ts';
import { returnFromSignIn } from '../../app/signInPlace.ts';
import { useTranslation } from '../../i18n/useTranslation.ts';
import { EmptyState } from '../../ui/States.tsx';
import { useErrorText } from '../../ui/useErrorText.ts';
import { useTitle } from '../../ui/useTitle.ts';
import { useSignIn } from './useSignIn.ts';

/** After so long a page that the browser did not leave goes on by itself. */
const LEAVING_MS = 2000;

/** Where the way goes on: inside the application, or to a page of the server's. */
type WayOn = { readonly returnTo: string | null } | { readonly redirect: string };

/** An answer is good for one use, so it is handed on once per address, however often the screen is mounted. */
let exchange: { readonly address: string; readonly result: Promise<WayOn> } | null = null;

/** Why there is no sign-in, in words. A refusal without words of its own is told as it came. */
function useRefusalText(): (error: unknown) => string {
  const { t } = useTranslation();
  const errorText = useErrorText();
  return (error) => {
    if (!isAppError(error, 'sign-in-failed') && !isAppError(error, 'not-found')) return errorText(error);
    const { refusal, reason } = error.details ?? {};
    if (refusal === 'access_denied') return t('callback.declined');
    if (typeof refusal === 'string') return t('callback.refused', { reason: refusal });
    const known = SIGN_IN_REFUSALS.find((each) => each === reason);
    return known === undefined ? t('callback.failedText') : t(`callback.reasons.${known}`);
  };
}

export interface CallbackPageProps {
  /** Another provider, whose answer goes to our server first; that sends the browser back here for the exchange. */
  readonly provider: CallbackProvider | null;
}

/** Where the sign-in page sends the browser back to: the code is exchanged, then the way goes on. */
export function CallbackPage({ provider }: CallbackPageProps) {
  const { t } = useTranslation();
  const { client, tabStore } = useServices();
  const check = useSession((state) => state.check);
  const rememberReturn = useSession((state) => state.rememberReturn);
  const exchangeFailed = useSession((state) => state.exchangeFailed);
  const refusalText = useRefusalText();
  const { start, isStarting } = useSignIn();
  const [error, setError] = useState<unknown>(null);
  useTitle(error === null ? t('callback.working') : t('callback.failedTitle'));

  useEffect(() => {
    const query = new URLSearchParams(location.search);
    const code = query.get('code');
    const state = query.get('state');
    const refusal = query.get('error');
    if (code === null || state === null) {
      setError(new AppError('sign-in-failed', 'no code came back', refusal === null ? {} : { details: { refusal } }));
      return;
    }
    if (exchange?.address !== location.href) {
      const answer = { client, store: tabStore, code, state };
      exchange = {
        address: location.href,
        result:
          provider === null
            ? completeSignIn({ ...answer, origin: location.origin, onFailed: exchangeFailed })
            : handOnSocial({ ...answer, provider }),
      };
    }
    let isMounted = true;
    exchange.result
      .then(async (wayOn) => {
        if ('redirect' in wayOn) {
          location.replace(wayOn.redirect);
          return;
        }
        const { returnTo } = wayOn;
        if (returnFromSignIn(tabStore)) {
          if (returnTo !== null) rememberReturn(returnTo);
          await new Promise((resolve) => setTimeout(resolve, LEAVING_MS));
          if (!isMounted) return;
        }
        await check();
        if (isMounted) navigate(safeReturnPath(returnTo) ?? paths.home, { replace: true });
      })
      .catch((thrown: unknown) => {
        if (isMounted) setError(thrown);
      });
    return () => {
      isMounted = false;
    };
  }, [client, tabStore, check, rememberReturn, exchangeFailed, provider]);

  if (error === null) {
    return (
      <div className="state" role="status">
        <span className="spinner" />
        <p className="state__text">{t('callback.working')}</p>
      </div>
    );
  }
  return (
    <div role="alert">
      <EmptyState icon={KeyRound} title={t('callback.failedTitle')} text={refusalText(error)} level={1}>
        <button type="button" className="button button--primary" onClick={start} disabled={isStarting}>
          {t('callback.again')}
        </button>
      </EmptyState>
    </div>
  );
}
