import { type ReactNode, useId } from 'react';
import './section.css';

export interface SectionProps {
  readonly title: string;
  readonly text?: ReactNode;
  readonly children?: ReactNode;
}

/** A titled part of a page of settings. */
export function Section({ title, text, children }: SectionProps) {
  const id = useId();
  return (
    <section className="section card" aria-labelledby={id}>
      <header className="section__head">
        <h2 id={id} className="section__title">
          {title}
        </h2>
        {text !== undefined && <p className="muted">{text}</p>}
      </header>
      {children}
    </section>
  );
}

export interface SegmentsProps<T extends string> {
  readonly label: string;
  readonly value: T;
  readonly options: readonly { readonly value: T; readonly label: string }[];
  readonly onChange: (value: T) => void;
}

/** A choice of few, all in sight. */
export function Segments<T extends string>({ label, value, options, onChange }: SegmentsProps<T>) {
  const name = useId();
  return (
    <div className="section__row" role="radiogroup" aria-label={label}>
      <span>{label}</span>
      <span className="segments">
        {options.map((option) => (
          <label key={option.value} className="segment">
            <input type="radio" name={name} checked={option.value === value} onChange={() => onChange(option.value)} />
            {option.label}
          </label>
        ))}
      </span>
    </div>
  );
}
