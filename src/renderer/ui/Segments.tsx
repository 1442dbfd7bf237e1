import { useId } from 'react';
import './segments.css';

export interface SegmentsProps<T extends string> {
  readonly label: string;
  readonly value: T;
  readonly options: readonly { readonly value: T; readonly label: string }[];
  readonly onChange: (value: T) => void;
}

/** One of a few, all of them in sight. */
export function Segments<T extends string>({ label, value, options, onChange }: SegmentsProps<T>) {
  const name = useId();
  return (
    <span className="segments" role="radiogroup" aria-label={label}>
      {options.map((option) => (
        <label key={option.value} className="segment">
          <input type="radio" name={name} checked={option.value === value} onChange={() => onChange(option.value)} />
          {option.label}
        </label>
      ))}
    </span>
  );
}

/** The same in a line with its name, which is in sight. */
export function SegmentsRow<T extends string>(props: SegmentsProps<T>) {
  return (
    <div className="section__row">
      <span aria-hidden="true">{props.label}</span>
      <Segments {...props} />
    </div>
  );
}
