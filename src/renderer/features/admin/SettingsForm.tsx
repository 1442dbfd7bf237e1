import type { FormEvent, ReactNode } from 'react';
import { useTranslation } from '../../i18n/useTranslation.ts';
import { Section } from '../../ui/Section.tsx';
import { useErrorText } from '../../ui/useErrorText.ts';

export interface SettingsFormProps {
  readonly title: string;
  readonly text: string;
  readonly children: ReactNode;
  readonly isSaving: boolean;
  readonly failure: unknown;
  readonly onSubmit: () => void;
  /** Further buttons beside the one that saves. */
  readonly actions?: ReactNode;
}

/** A part of the settings that is saved as one. */
export function SettingsForm({ title, text, children, isSaving, failure, onSubmit, actions }: SettingsFormProps) {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!isSaving) onSubmit();
  };
  return (
    <Section title={title} text={text}>
      <form className="admin-form" onSubmit={submit} noValidate>
        {children}
        {failure !== null && (
          <p className="notice notice--danger" role="alert">
            {errorText(failure)}
          </p>
        )}
        <div className="section__actions">
          <button type="submit" className="button button--primary" disabled={isSaving}>
            {t('people.save')}
          </button>
          {actions}
        </div>
      </form>
    </Section>
  );
}
