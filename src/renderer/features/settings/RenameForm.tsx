import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { nameKey } from '../../../shared/rules/names.ts';
import { useTranslation } from '../../i18n/useTranslation.ts';
import { Field } from '../../ui/Field.tsx';
import { useNameCheck } from '../../ui/nameCheck.ts';
import { notify } from '../../ui/toast.ts';
import { useErrorText } from '../../ui/useErrorText.ts';

export interface RenameFormProps {
  readonly current: string;
  /** Tells one kind of name from another in the cache of checks. */
  readonly scope: string;
  readonly ask: (name: string) => Promise<{ readonly available: boolean; readonly problem: string | null }>;
  readonly save: (name: string) => Promise<unknown>;
  readonly hint: string;
  /** Archived things keep their name. */
  readonly disabled: boolean;
}

/** Gives a library or a shelf another name, checked while it is typed. */
export function RenameForm({ current, scope, ask, save, hint, disabled }: RenameFormProps) {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const [name, setName] = useState(current);
  const isChanged = name !== current;
  // The same name in other letters is the thing's own, which the server would call taken.
  const isOwn = nameKey(name) === nameKey(current);
  const check = useNameCheck(name, scope, isOwn ? () => Promise.resolve({ available: true, problem: null }) : ask);
  const rename = useMutation({ mutationFn: save, onSuccess: () => notify(t('people.saved')) });
  const isReady = isChanged && (check.state === 'good' || check.state === 'checking');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isReady && !rename.isPending) rename.mutate(name);
  };
  const problem = name === '' ? t('names.empty') : check.state === 'bad' ? check.text : undefined;
  const good = isChanged && !isOwn && check.state === 'good' && check.text !== '' ? check.text : undefined;
  return (
    <form className="settings__form" onSubmit={submit} noValidate>
      <Field
        label={t('library.nameLabel')}
        value={name}
        onChange={(event) => {
          setName(event.target.value);
          rename.reset();
        }}
        autoComplete="off"
        disabled={disabled}
        hint={isChanged && check.state === 'checking' ? check.text : hint}
        error={isChanged ? (rename.isError ? errorText(rename.error) : problem) : undefined}
        good={good}
      />
      <div>
        <button type="submit" className="button button--primary" disabled={disabled || !isReady || rename.isPending}>
          {t('people.rename')}
        </button>
      </div>
    </form>
  );
}
