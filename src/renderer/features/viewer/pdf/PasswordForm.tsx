import { Lock } from 'lucide-react';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { useTranslation } from '../../../i18n/useTranslation.ts';
import { Field } from '../../../ui/Field.tsx';
import { splitName } from '../../../ui/fileKind.ts';

export interface PasswordFormProps {
  readonly name: string;
  readonly wasWrong: boolean;
  readonly answer: (password: string) => void;
}

/** Asks for the password that a file is encrypted with. It stays in this page: the server is not told. */
export function PasswordForm({ name, wasWrong, answer }: PasswordFormProps) {
  const { t } = useTranslation();
  const [password, setPassword] = useState('');
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (wasWrong) form.current?.querySelector('input')?.focus();
  }, [wasWrong]);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (password !== '') answer(password);
  };
  return (
    <form className="state" ref={form} onSubmit={submit}>
      <span className="state__icon" aria-hidden="true">
        <Lock />
      </span>
      <h2 className="state__title">{t('pdf.lockedTitle')}</h2>
      <p className="state__text">{t('pdf.lockedText', { name: splitName(name).base })}</p>
      <div className="pdf__password">
        <Field
          label={t('pdf.password')}
          type="password"
          autoComplete="off"
          value={password}
          error={wasWrong && password === '' ? t('pdf.wrongPassword') : undefined}
          onChange={(event) => setPassword(event.target.value)}
        />
        <button type="submit" className="button button--primary" disabled={password === ''}>
          {t('pdf.unlock')}
        </button>
      </div>
    </form>
  );
}
