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
