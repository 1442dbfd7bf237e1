import type { ComponentProps } from 'react';

export interface IconButtonProps extends Omit<ComponentProps<'button'>, 'type' | 'title' | 'aria-label'> {
  /** What it does: its name, and what shows when somebody points at it. */
  readonly label: string;
}

/** A button that shows an icon alone. */
export function IconButton({ label, className, ...button }: IconButtonProps) {
  return (
    <button
      type="button"
      className={className === undefined ? 'icon-button' : `icon-button ${className}`}
      aria-label={label}
      title={label}
      {...button}
    />
  );
}
