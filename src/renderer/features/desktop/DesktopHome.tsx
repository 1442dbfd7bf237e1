import { Laptop, Server } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import type { ServerState } from '../../../shared/bridge/index.ts';
import { isAppError } from '../../../shared/errors.ts';
import { useServices } from '../../app/services.ts';
import { useShellState } from '../../app/shellState.ts';
import { useTranslation } from '../../i18n/useTranslation.ts';
import type { ServerCapability, ShellSession } from '../../platform/types.ts';
import { Field } from '../../ui/Field.tsx';
import { Logo } from '../../ui/Logo.tsx';
import { ErrorState } from '../../ui/States.tsx';
import { useErrorText } from '../../ui/useErrorText.ts';
import { useTitle } from '../../ui/useTitle.ts';
import './desktop.css';

function normalUrl(text: string): string | null {
  const trimmed = text.trim();
  // Chromium takes a space for a part of a host name.
  if (trimmed === '' || /\s/u.test(trimmed)) return null;
  const full = /^[a-z][a-z0-9+.-]*:\/\//iu.test(trimmed) ? trimmed : `https://${trimmed}`;
  return URL.canParse(full) && /^https?:/iu.test(full) ? full : null;
}

function ServerChoice({ server }: { readonly server: ServerCapability }) {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const [isConnecting, setConnecting] = useState(false);
  const [url, setUrl] = useState('');
  const [fault, setFault] = useState<string | null>(null);
  const [busy, setBusy] = useState<'local' | 'remote' | null>(null);
  const run = (which: 'local' | 'remote', step: () => Promise<ServerState>) => {
    setBusy(which);
    setFault(null);
    step()
      .catch((error: unknown) => setFault(errorText(error)))
      .finally(() => setBusy(null));
  };
  const connect = (event: FormEvent) => {
    event.preventDefault();
    const address = normalUrl(url);
    if (address === null) setFault(t('desktop.serverUrlInvalid'));
    else run('remote', () => server.connect(address));
  };
  return (
    <>
      <header className="welcome__head">
        <Logo large />
        <h1 className="welcome__title serif">{t('desktop.homeTitle')}</h1>
        <p className="muted">{t('desktop.homeLead')}</p>
      </header>
      <div className="choices">
        <button
          type="button"
          className="choice card"
          onClick={() => run('local', () => server.chooseLocal())}
          disabled={busy !== null}
        >
          <Laptop aria-hidden="true" />
          <strong>{t('desktop.useLocal')}</strong>
          <span className="muted">{t('desktop.useLocalText')}</span>
          {busy === 'local' && (
            <span className="choice__busy" role="status">
              <span className="spinner" />
              {t('desktop.useLocalStarting')}
            </span>
          )}
        </button>
        <button
          type="button"
          className="choice card"
          onClick={() => setConnecting(true)}
          aria-expanded={isConnecting}
          disabled={busy !== null}
        >
          <Server aria-hidden="true" />
          <strong>{t('desktop.connect')}</strong>
          <span className="muted">{t('desktop.connectText')}</span>
        </button>
      </div>
      {isConnecting && (
        <form className="connect" onSubmit={connect} noValidate>
          <Field
            label={t('desktop.serverUrl')}
            value={url}
            onChange={(event) => setUrl(event.target.value)}
            placeholder="https://"
            inputMode="url"
            autoComplete="url"
            spellCheck={false}
            autoFocus
            error={fault ?? undefined}
          />
          <button type="submit" className="button button--primary" disabled={busy !== null}>
            {busy === 'remote' && <span className="spinner" aria-hidden="true" />}
            {t('desktop.connectSubmit')}
          </button>
        </form>
      )}
      {!isConnecting && fault !== null && (
        <p className="notice notice--danger" role="alert">
          {fault}
        </p>
      )}
    </>
  );
}

interface SignInProps {
  readonly server: ServerCapability;
  readonly state: ServerState;
  readonly shell: ShellSession;
}

function SignIn({ server, state, shell }: SignInProps) {
  const { t } = useTranslation();
  const { platform } = useServices();
  const errorText = useErrorText();
  const { value: session } = useShellState(shell);
  const [isAsking, setAsking] = useState(false);
  const [fault, setFault] = useState<string | null>(null);
  const isSigningIn = isAsking || session?.signingIn === true;
  const signIn = () => {
    setAsking(true);
    setFault(null);
    platform.session
      .signIn(null)
      .catch((error: unknown) => {
        if (!isAppError(error, 'cancelled')) setFault(errorText(error));
      })
      .finally(() => setAsking(false));
  };
  return (
    <>
      <header className="welcome__head">
        <Logo large />
        <h1 className="welcome__title serif">{isSigningIn ? t('desktop.signingIn') : t('desktop.signInTitle')}</h1>
        <p className="muted">
          {isSigningIn
            ? t('desktop.signingInText')
            : state.mode === 'local'
              ? t('desktop.signInLocal')
              : t('desktop.signInRemote', { url: state.url ?? '' })}
        </p>
      </header>
      {fault !== null && (
        <p className="notice notice--danger" role="alert">
          {fault}
        </p>
      )}
      <div className="welcome__actions">
        {isSigningIn ? (
          <>
            <span className="spinner" role="status" aria-label={t('desktop.signingIn')} />
            <button type="button" className="button" onClick={() => void shell.cancelSignIn().catch(() => undefined)}>
              {t('common.cancel')}
            </button>
          </>
        ) : (
          <>
            <button type="button" className="button button--primary button--large" onClick={signIn}>
              {t('desktop.signIn')}
            </button>
            <button
              type="button"
              className="button button--quiet"
              onClick={() => void server.disconnect().catch((error: unknown) => setFault(errorText(error)))}
            >
              {t('desktop.back')}
            </button>
          </>
        )}
      </div>
    </>
  );
}

/** `/desktop/home`: where the documents are, then signing in. */
export function DesktopHome() {
  const { t } = useTranslation();
  const { server, session } = useServices().platform;
  const { value: state, error, retry } = useShellState(server);
  useTitle(undefined);
  if (server === null || session.shell === null) return null;
  return (
    <div className="welcome">
      {error !== null ? (
        <ErrorState error={error} onRetry={retry} />
      ) : state === null || state.status === 'starting' ? (
        <div className="state" role="status">
          <span className="spinner" />
          {state !== null && <p className="state__text">{t('desktop.serverStarting')}</p>}
        </div>
      ) : state.mode === 'none' || state.status === 'stopped' ? (
        <ServerChoice server={server} />
      ) : state.status === 'failed' ? (
        <>
          <p className="notice notice--danger" role="alert">
            {t('desktop.serverFailed')}
            {state.message === null ? '' : `: ${state.message}`}
          </p>
          <ServerChoice server={server} />
        </>
      ) : (
        <SignIn server={server} state={state} shell={session.shell} />
      )}
    </div>
  );
}
