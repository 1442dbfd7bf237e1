import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { Link } from 'wouter';
import { api } from '../../../shared/api/index.ts';
import { isAppError } from '../../../shared/errors.ts';
import type { User } from '../../../shared/model/user.ts';
import { useLibraries } from '../../api/queries.ts';
import { ownsLibrary } from '../../api/roles.ts';
import { paths } from '../../app/routes.ts';
import { useServices, useSession } from '../../app/services.ts';
import { useTranslation } from '../../i18n/useTranslation.ts';
import { Avatar } from '../../ui/Avatar.tsx';
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx';
import { Field } from '../../ui/Field.tsx';
import { PLAN_NAMES } from '../../ui/planNames.ts';
import { Section } from '../../ui/Section.tsx';
import { notify } from '../../ui/toast.ts';
import { useErrorText } from '../../ui/useErrorText.ts';
import { useVerification } from './useVerification.ts';

const NAME_MAX_LENGTH = 200;

function NameForm({ user }: { readonly user: User }) {
  const { t } = useTranslation();
  const { client } = useServices();
  const setUser = useSession((state) => state.setUser);
  const errorText = useErrorText();
  const [name, setName] = useState(user.name);
  const wanted = name.trim();
  const save = useMutation({
    mutationFn: () => client.call(api.account.update, { body: { name: wanted } }),
    onSuccess: (changed) => {
      setUser(changed);
      setName(changed.name);
      notify(t('people.saved'));
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (wanted !== '' && wanted !== user.name && !save.isPending) save.mutate();
  };
  return (
    <form className="settings__form" onSubmit={submit} noValidate>
      <Field
        label={t('signup.name')}
        hint={t('signup.nameHint')}
        value={name}
        onChange={(event) => setName(event.target.value)}
        error={wanted === '' ? t('signup.nameMissing') : save.isError ? errorText(save.error) : undefined}
        autoComplete="name"
        maxLength={NAME_MAX_LENGTH}
        required
      />
      <div>
        <button
          type="submit"
          className="button button--primary"
          disabled={wanted === '' || wanted === user.name || save.isPending}
        >
          {t('people.save')}
        </button>
      </div>
    </form>
  );
}

function Email({ user }: { readonly user: User }) {
  const { t } = useTranslation();
  const { resend, isPending } = useVerification();
  return (
    <dd>
      {user.email}
      {user.email_verified ? (
        <span className="badge badge--accent">{t('people.profile.verified')}</span>
      ) : (
        <>
          <span className="badge badge--warning">{t('people.profile.notVerified')}</span>
          <button type="button" className="button button--small" disabled={isPending} onClick={resend}>
            {t('people.profile.resend')}
          </button>
          <span className="settings__note">{t('people.profile.verifyText')}</span>
        </>
      )}
    </dd>
  );
}

function DeleteAccount({ user }: { readonly user: User }) {
  const { t } = useTranslation();
  const { client } = useServices();
  const signOut = useSession((state) => state.signOut);
  const { data: libraries = [] } = useLibraries();
  const [isAsking, setAsking] = useState(false);
  const own = libraries.filter((library) => ownsLibrary(library, user.username));
  // A deleted account has no session left: what remains of it here goes too (web-and-phone.md §4).
  const remove = async () => {
    await client.call(api.account.remove, {});
    await signOut();
  };
  return (
    <Section title={t('people.profile.delete')} text={t('people.profile.deleteText')}>
      <div>
        <button type="button" className="button button--danger" onClick={() => setAsking(true)}>
          {t('people.profile.deleteVerb')}
        </button>
      </div>
      {isAsking && (
        <ConfirmDialog
          title={t('people.profile.deleteTitle')}
          description={t('people.profile.deleteConfirm')}
          verb={t('people.profile.deleteVerb')}
          typed={{ label: t('people.typeName', { name: user.username }), text: user.username }}
          errorText={(error) => (isAppError(error, 'conflict') ? t('people.profile.lastAdmin') : null)}
          onConfirm={remove}
          onClose={() => setAsking(false)}
        >
          {own.length > 0 && (
            <p className="notice notice--danger">
              {t('people.profile.deleteLibraries', { names: own.map(({ name }) => name).join(', ') })}
            </p>
          )}
        </ConfirmDialog>
      )}
    </Section>
  );
}

/** Who the user is for others, the plan, and the end of the account. */
export function ProfileTab() {
  const { t } = useTranslation();
  const user = useSession((state) => state.user);
  if (user === null) return null;
  return (
    <>
      <Section title={t('people.tabs.profile')}>
        <div className="settings__who">
          <Avatar name={user.name || user.username} username={user.username} large />
          <span className="rows__main">
            <strong>{user.name}</strong>
            <span className="muted">{user.username}</span>
          </span>
        </div>
        <NameForm user={user} />
      </Section>
      <Section title={t('settings.account')}>
        <dl className="settings__facts">
          <dt>{t('signup.username')}</dt>
          <dd>
            {user.username}
            <span className="settings__note">{t('people.profile.usernameText')}</span>
          </dd>
          <dt>{t('people.profile.email')}</dt>
          <Email user={user} />
          <dt>{t('people.billing.plan')}</dt>
          <dd>
            <span className="badge badge--accent">{t(`plans.${PLAN_NAMES[user.plan_type]}`)}</span>
            <Link href={paths.billing} className="text-link">
              {t('people.plans.toBilling')}
            </Link>
            <Link href={paths.plans} className="text-link">
              {t('people.limit.compare')}
            </Link>
          </dd>
        </dl>
      </Section>
      <DeleteAccount user={user} />
    </>
  );
}
