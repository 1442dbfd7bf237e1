import { useTranslation } from '../../i18n/useTranslation.ts';
import { Field } from '../../ui/Field.tsx';

export interface SecretFieldProps {
  readonly label: string;
  /** The server has one, which it tells nobody. */
  readonly isSet: boolean;
  /** What is written in its place; empty leaves it as it is. */
  readonly value: string;
  readonly maxLength: number;
  readonly error?: string | undefined;
  readonly onChange: (value: string) => void;
}

/** A secret that is written and never read: the field says whether there is one. */
export function SecretField({ label, isSet, value, maxLength, error, onChange }: SecretFieldProps) {
  const { t } = useTranslation();
  return (
    <Field
      label={label}
      type="password"
      autoComplete="new-password"
      maxLength={maxLength}
      placeholder={isSet ? '••••••••' : ''}
      hint={isSet ? t('admin.settings.secretSet') : t('admin.settings.secretNotSet')}
      error={error}
      value={value}
      onChange={({ target }) => onChange(target.value)}
    />
  );
}
