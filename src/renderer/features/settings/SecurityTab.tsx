import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Globe, Laptop } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import type { CallOutput } from '../../../shared/api/call.ts';
import { api } from '../../../shared/api/index.ts';
import { isAppError } from '../../../shared/errors.ts';
import { CLIENT_IDS } from '../../../shared/rules/clientIds.ts';
import { LIMITS } from '../../../shared/rules/limits.ts';
import { useServices, useSession } from '../../app/services.ts';
import { useTranslation } from '../../i18n/useTranslation.ts';
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx';
import { Field } from '../../ui/Field.tsx';
import { Section } from '../../ui/Section.tsx';
import { ErrorState, LoadingRows } from '../../ui/States.tsx';
import { notify } from '../../ui/toast.ts';
import { useErrorText } from '../../ui/useErrorText.ts';
import { When } from '../../ui/When.tsx';
import { accountKeys, useSessions } from './queries.ts';
import { SecondStep } from './SecondStep.tsx';

function PasswordForm() {
  const { t } = useTranslation();
  const { client } = useServices();
  const queries = useQueryClient();
  const errorText = useErrorText();
  const username = useSession(({ user }) => user?.email ?? '');
  const [current, setCurrent] = useState('');
  const [next, setNext] = useState('');
  const [isShown, setShown] = useState(false);
  const [tried, setTried] = useState(false);
  const length = [...next].length;
  const problem =
    length < LIMITS.passwordMinLength
      ? t('people.security.tooShort', { count: LIMITS.passwordMinLength })
      : length > LIMITS.passwordMaxLength
        ? t('people.security.tooLong', { count: LIMITS.passwordMaxLength })
        : null;
  const change = useMutation({
    mutationFn: () => client.call(api.auth.changePassword, { body: { current_password: current, new_password: next } }),
    onSuccess: async () => {
      setCurrent('');
      setNext('');
      setTried(false);
      notify(t('people.security.changed'));
      await queries.invalidateQueries({ queryKey: accountKeys.sessions });
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    if (problem === null && current !== '' && !change.isPending) change.mutate();
  };
  const isWrong = isAppError(change.error, 'credentials-invalid');
  const isWeak = isAppError(change.error, 'password-weak');
  const currentError =
    tried && current === '' ? t('people.security.currentMissing') : isWrong ? t('people.security.wrong') : undefined;
  const nextError = tried && problem !== null ? problem : isWeak ? errorText(change.error) : undefined;
  return (
    <Section title={t('people.security.password')} text={t('people.security.passwordText')}>
      <form className="settings__form" onSubmit={submit} noValidate>
        {/* So that password managers know whose password this is. */}
        <input type="text" value={username} autoComplete="username" readOnly hidden />
        <Field
          label={t('people.security.current')}
          type={isShown ? 'text' : 'password'}
          value={current}
          onChange={(event) => {
            setCurrent(event.target.value);
            change.reset();
          }}
          autoComplete="current-password"
          error={currentError}
          required
        />
        <Field
          label={t('people.security.next')}
          type={isShown ? 'text' : 'password'}
          value={next}
          onChange={(event) => {
            setNext(event.target.value);
            change.reset();
          }}
          autoComplete="new-password"
          hint={t('people.security.nextHint', { count: LIMITS.passwordMinLength })}
          error={nextError}
          required
        />
        <label className="check">
          <input type="checkbox" checked={isShown} onChange={(event) => setShown(event.target.checked)} />
          {t('people.security.show')}
        </label>
        {change.isError && !isWrong && !isWeak && (
          <p className="notice notice--danger" role="alert">
            {errorText(change.error)}
          </p>
        )}
        <div>
          <button type="submit" className="button button--primary" disabled={change.isPending}>
            {t('people.security.change')}
          </button>
        </div>
      </form>
    </Section>
  );
}

type Session = CallOutput<typeof api.account.sessions>['sessions'][number];

function Device({ session }: { readonly session: Session }) {
  const { t } = useTranslation();
  const { client } = useServices();
  const queries = useQueryClient();
  const errorText = useErrorText();
  const isDesktop = session.client === CLIENT_IDS.desktop;
  const end = useMutation({
    mutationFn: () => client.call(api.account.endSession, { params: { id: session.id } }),
    onSuccess: () => notify(t('people.security.ended')),
    onError: (error) => notify(errorText(error), 'error'),
    onSettled: () => queries.invalidateQueries({ queryKey: accountKeys.sessions }),
  });
  return (
    <li>
      <span className="rows__main">
        <span className="rows__title">
          {isDesktop ? <Laptop aria-hidden="true" /> : <Globe aria-hidden="true" />}
          {t(isDesktop ? 'people.security.desktop' : 'people.security.browser')}
          {session.is_current && <span className="badge badge--accent">{t('people.security.thisDevice')}</span>}
        </span>
        <span className="muted">
          {t('people.security.since')} <When moment={session.created_at} />
        </span>
      </span>
      {!session.is_current && (
        <button type="button" className="button button--small" disabled={end.isPending} onClick={() => end.mutate()}>
          {t('people.security.end')}
        </button>
      )}
    </li>
  );
}

function Devices() {
  const { t } = useTranslation();
  const { client } = useServices();
  const signOut = useSession((state) => state.signOut);
  const { data: sessions, error, isPending, isLoadingError, refetch } = useSessions();
  const [isAsking, setAsking] = useState(false);
  return (
    <Section title={t('people.security.devices')} text={t('people.security.devicesText')}>
      {isPending ? (
        <LoadingRows rows={2} />
      ) : isLoadingError ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : (
        <ul className="rows">
          {sessions.map((session) => (
            <Device key={session.id} session={session} />
          ))}
        </ul>
      )}
      <div>
        <button type="button" className="button button--danger" onClick={() => setAsking(true)}>
          {t('people.security.everywhere')}
        </button>
      </div>
      {isAsking && (
        <ConfirmDialog
          title={t('people.security.everywhereTitle')}
          description={t('people.security.everywhereText')}
          verb={t('people.security.everywhere')}
          onConfirm={async () => {
            await client.call(api.account.signOutEverywhere, {});
            await signOut();
          }}
          onClose={() => setAsking(false)}
        />
      )}
    </Section>
  );
}

/** How the user signs in, and where. */
export function SecurityTab() {
  return (
    <>
      <PasswordForm />
      <SecondStep />
      <Devices />
    </>
  );
}
