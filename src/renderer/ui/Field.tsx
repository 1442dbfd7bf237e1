import { type InputHTMLAttributes, useId } from 'react';

export interface FieldProps extends Omit<InputHTMLAttributes<HTMLInputElement>, 'id' | 'className'> {
  readonly label: string;
  readonly hint?: string | undefined;
  readonly error?: string | undefined;
  /** Good news in the hint's place. */
  readonly good?: string | undefined;
}

/** A labelled input with its hint or error, which screen readers hear with it. */
export function Field({ label, hint, error, good, ...input }: FieldProps) {
  const id = useId();
  const note = error ?? good ?? hint;
  return (
    <div className="field">
      <label className="field__label" htmlFor={id}>
        {label}
      </label>
      <input
        {...input}
        id={id}
        className="input"
        aria-invalid={error !== undefined}
        aria-describedby={note === undefined ? undefined : `${id}-note`}
      />
      {note !== undefined && (
        <p
          id={`${id}-note`}
          className={error === undefined ? `field__hint${good === undefined ? '' : ' field__good'}` : 'field__error'}
          aria-live="polite"
        >
          {note}
        </p>
      )}
    </div>
  );
}
