interface FilterFieldProps {
  /** What is filtered, for readers of the screen and as long as nothing is typed. */
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly className?: string;
}

/** A field that narrows the list below it; Escape empties it. */
export function FilterField({ label, value, onChange, className }: FilterFieldProps) {
  return (
    <input
      type="search"
      className={className === undefined ? 'input' : `input ${className}`}
      aria-label={label}
      placeholder={label}
      value={value}
      onChange={(event) => onChange(event.target.value)}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || value === '') return;
        // On a phone the key would lead back.
        event.preventDefault();
        onChange('');
      }}
    />
  );
}
