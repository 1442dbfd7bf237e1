import { useState } from 'react';
import { Link } from 'wouter';
import { api } from '../../../shared/api/index.ts';
import type { Settings, SettingsChange } from '../../../shared/model/settings.ts';
import { paths } from '../../app/routes.ts';
import { useSession } from '../../app/services.ts';
import { useTranslation } from '../../i18n/useTranslation.ts';
import { Field } from '../../ui/Field.tsx';
import { notify } from '../../ui/toast.ts';
import { useErrorText } from '../../ui/useErrorText.ts';
import { typedNumber } from './numbers.ts';
import { useAdminChange } from './queries.ts';
import { SecretField } from './SecretField.tsx';
import { SettingsForm } from './SettingsForm.tsx';
import { useSaveSettings } from './useSaveSettings.ts';

const MOST_PORT = 65_535;

interface MailForm {
  readonly isUsed: boolean;
  readonly host: string;
  readonly port: string;
  readonly secure: boolean;
  readonly username: string;
  readonly password: string;
  readonly from: string;
}

function formOf(smtp: Settings['smtp']): MailForm {
  if (smtp === null) {
    return { isUsed: false, host: '', port: '587', secure: false, username: '', password: '', from: '' };
  }
  const { has_password: _, port, ...rest } = smtp;
  return { ...rest, port: String(port), isUsed: true, password: '' };
}

/** The form as the server takes it; null where something is missing. A password that is not written stays. */
function changeOf({ isUsed, password, port, ...rest }: MailForm): Required<Pick<SettingsChange, 'smtp'>> | null {
  if (!isUsed) return { smtp: null };
  const number = typedNumber(port, 1, MOST_PORT) ?? undefined;
  if (number === undefined || rest.host.trim() === '' || rest.from.trim().length < 3) return null;
  // Who does not sign in to the mail server has no password there.
  const secret = rest.username === '' ? { password: '' } : password === '' ? {} : { password };
  return { smtp: { ...rest, port: number, ...secret } };
}

interface FieldsProps {
  readonly form: MailForm;
  readonly change: (some: Partial<MailForm>) => void;
  readonly hasPassword: boolean;
  /** It was tried to save: what is missing is said. */
  readonly isTried: boolean;
}

function MailFields({ form, change, hasPassword, isTried }: FieldsProps) {
  const { t } = useTranslation();
  const missing = (isMissing: boolean) => (isTried && isMissing ? t('admin.settings.missing') : undefined);
  const isPort = (typedNumber(form.port, 1, MOST_PORT) ?? undefined) !== undefined;
  return (
    <>
      <div className="admin-form__pair">
        <Field
          label={t('admin.settings.host')}
          placeholder="smtp.example.org"
          value={form.host}
          error={missing(form.host.trim() === '')}
          autoComplete="off"
          onChange={({ target }) => change({ host: target.value })}
        />
        <Field
          label={t('admin.settings.port')}
          inputMode="numeric"
          value={form.port}
          error={isPort ? undefined : t('admin.settings.badPort')}
          onChange={({ target }) => change({ port: target.value })}
        />
      </div>
      <label className="check">
        <input type="checkbox" checked={form.secure} onChange={({ target }) => change({ secure: target.checked })} />
        {t('admin.settings.secure')}
      </label>
      <div className="admin-form__pair">
        <Field
          label={t('admin.settings.mailUser')}
          value={form.username}
          autoComplete="off"
          onChange={({ target }) => change({ username: target.value })}
        />
        <SecretField
          label={t('admin.settings.mailPassword')}
          isSet={hasPassword}
          value={form.password}
          maxLength={1000}
          onChange={(password) => change({ password })}
        />
      </div>
      <Field
        label={t('admin.settings.from')}
        placeholder="no-reply@example.org"
        value={form.from}
        error={missing(form.from.trim().length < 3)}
        onChange={({ target }) => change({ from: target.value })}
      />
    </>
  );
}

/** Where mails go out; without a mail server they are kept as files. */
export function MailSection({ settings }: { readonly settings: Settings }) {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const email = useSession(({ user }) => user?.email ?? '');
  const [form, setForm] = useState(() => formOf(settings.smtp));
  const [isTried, setTried] = useState(false);
  const { save, isSaving, failure } = useSaveSettings();
  const test = useAdminChange(api.admin.testMail);
  const change = (some: Partial<MailForm>) => setForm((before) => ({ ...before, ...some }));
  const submit = () => {
    setTried(true);
    const wanted = changeOf(form);
    if (wanted === null) return;
    save(wanted).then(
      (saved) => setForm(formOf(saved.smtp)),
      // What went wrong shows in the form.
      () => undefined,
    );
  };
  const tryIt = () =>
    test.mutate(
      {},
      {
        onSuccess: () => notify(t('admin.settings.testSent', { email })),
        onError: (error) => notify(errorText(error), 'error'),
      },
    );
  return (
    <SettingsForm
      title={t('admin.settings.mail')}
      text={t('admin.settings.mailText')}
      isSaving={isSaving}
      failure={failure}
      onSubmit={submit}
      actions={
        <>
          <button type="button" className="button" disabled={test.isPending} onClick={tryIt}>
            {t('admin.settings.testMail')}
          </button>
          <Link className="button button--quiet" href={paths.dashboard('overview', { show: 'mails' })}>
            {t('admin.settings.toMails')}
          </Link>
        </>
      }
    >
      <label className="check">
        <input type="checkbox" checked={form.isUsed} onChange={({ target }) => change({ isUsed: target.checked })} />
        {t('admin.settings.useMail')}
      </label>
      {form.isUsed ? (
        <MailFields form={form} change={change} hasPassword={settings.smtp?.has_password ?? false} isTried={isTried} />
      ) : (
        <p className="field__hint">{t('admin.settings.noMail')}</p>
      )}
    </SettingsForm>
  );
}
