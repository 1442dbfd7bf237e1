import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { api } from '../../../shared/api/index.ts';
import { nameKey } from '../../../shared/rules/names.ts';
import { useServices, useSession } from '../../app/services.ts';
import { useTranslation } from '../../i18n/useTranslation.ts';
import { Field } from '../../ui/Field.tsx';
import { Logo } from '../../ui/Logo.tsx';
import { type NameCheck, useNameCheck } from '../../ui/nameCheck.ts';
import { useErrorText } from '../../ui/useErrorText.ts';
import { useTitle } from '../../ui/useTitle.ts';
import './signup.css';

/** Gives a new account its user name and first library, in place of whatever screen was asked for. */
export function CompleteSignup() {
  const { t } = useTranslation();
  const { client } = useServices();
  const queries = useQueryClient();
  const user = useSession((state) => state.user);
  const setUser = useSession((state) => state.setUser);
  const signOut = useSession((state) => state.signOut);
  const errorText = useErrorText();
  useTitle(t('signup.title'));

  const [username, setUsername] = useState(user?.username ?? '');
  const [name, setName] = useState(user?.name ?? '');
  const [library, setLibrary] = useState('');
  const [accepted, setAccepted] = useState(false);
  const [tried, setTried] = useState(false);

  // Libraries and users share one namespace, so one check answers for both (decisions.md §3).
  const ask = (wanted: string) => client.call(api.libraries.checkName, { query: { name: wanted } });
  const usernameCheck = useNameCheck(username, 'user', ask);
  const libraryCheck = useNameCheck(library, 'library', ask);
  const sameName = username !== '' && nameKey(username) === nameKey(library);

  const complete = useMutation({
    mutationFn: () =>
      client.call(api.auth.completeSignup, {
        body: { username, name: name.trim(), library_name: library, accepted_terms: true },
      }),
    onSuccess: async (completed) => {
      setUser(completed);
      await queries.invalidateQueries();
    },
  });

  // A check still under way holds nobody up: the server decides in the end.
  const isUsable = ({ state }: NameCheck) => state === 'good' || state === 'checking';
  const isReady = isUsable(usernameCheck) && isUsable(libraryCheck) && name.trim() !== '' && accepted && !sameName;

  const submit = (event: FormEvent) => {
    event.preventDefault();
    setTried(true);
    if (isReady && !complete.isPending) complete.mutate();
  };

  const note = (check: { readonly state: string; readonly text: string }, value: string) => ({
    error: check.state === 'bad' ? check.text : tried && value === '' ? t('names.empty') : undefined,
    good: check.state === 'good' && check.text !== '' ? check.text : undefined,
  });

  return (
    <div className="signup">
      <form className="signup__form card" onSubmit={submit} noValidate aria-labelledby="signup-title">
        <header className="signup__head">
          <Logo />
          <h1 id="signup-title" className="signup__title serif">
            {t('signup.title')}
          </h1>
          <p className="muted">{t('signup.lead')}</p>
        </header>
        <Field
          label={t('signup.username')}
          value={username}
          onChange={(event) => setUsername(event.target.value)}
          hint={usernameCheck.state === 'checking' ? usernameCheck.text : t('signup.usernameHint')}
          autoComplete="username"
          autoCapitalize="none"
          spellCheck={false}
          required
          {...note(usernameCheck, username)}
        />
        <Field
          label={t('signup.name')}
          value={name}
          onChange={(event) => setName(event.target.value)}
          hint={t('signup.nameHint')}
          error={tried && name.trim() === '' ? t('signup.nameMissing') : undefined}
          autoComplete="name"
          maxLength={200}
          required
        />
        <Field
          label={t('signup.library')}
          value={library}
          onChange={(event) => setLibrary(event.target.value)}
          hint={libraryCheck.state === 'checking' ? libraryCheck.text : t('signup.libraryHint')}
          autoComplete="off"
          required
          {...note(libraryCheck, library)}
          {...(sameName ? { error: t('signup.sameName') } : {})}
        />
        <div className="field">
          <label className="check">
            <input
              type="checkbox"
              checked={accepted}
              onChange={(event) => setAccepted(event.target.checked)}
              aria-describedby="signup-terms-note"
            />
            {t('signup.terms')}
          </label>
          <p id="signup-terms-note" className="field__error" aria-live="polite">
            {tried && !accepted ? t('signup.termsMissing') : ''}
          </p>
        </div>
        {complete.isError && (
          <p className="notice notice--danger" role="alert">
            {errorText(complete.error)}
          </p>
        )}
        <div className="signup__actions">
          <button type="submit" className="button button--primary" disabled={complete.isPending}>
            {t('signup.submit')}
          </button>
          <button type="button" className="button button--quiet" onClick={() => void signOut()}>
            {t('signup.otherAccount')}
          </button>
        </div>
      </form>
    </div>
  );
}
