import { useId } from 'react';

export interface TextAreaProps {
  readonly label: string;
  readonly hint?: string | undefined;
  readonly error?: string | undefined;
  readonly rows: number;
  readonly maxLength: number;
  /** Written for machines: in equal widths, and not corrected. */
  readonly isCode?: boolean;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** A labelled field of several lines with its hint or error, which screen readers hear with it. */
export function TextArea({ label, hint, error, rows, maxLength, isCode = false, value, onChange }: TextAreaProps) {
  const id = useId();
  const note = error ?? hint;
  return (
    <div className="field">
      <label className="field__label" htmlFor={id}>
        {label}
      </label>
      <textarea
        id={id}
        className={isCode ? 'input mono' : 'input'}
        rows={rows}
        maxLength={maxLength}
        spellCheck={!isCode}
        value={value}
        onChange={({ target }) => onChange(target.value)}
        aria-invalid={error !== undefined}
        aria-describedby={note === undefined ? undefined : `${id}-note`}
      />
      {note !== undefined && (
        <p id={`${id}-note`} className={error === undefined ? 'field__hint' : 'field__error'} aria-live="polite">
          {note}
        </p>
      )}
    </div>
  );
}
