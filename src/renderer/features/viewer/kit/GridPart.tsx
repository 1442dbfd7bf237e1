import type { ComponentProps } from 'react';

export interface GridPartProps extends ComponentProps<'div'> {
  readonly role: 'grid' | 'treegrid' | 'rowgroup' | 'row' | 'gridcell' | 'rowheader' | 'columnheader';
}

/**
 * A part of a grid of which only what is in sight is drawn, as no table can be. The grid as a whole has the focus, and names
 * its active part.
 */
export function GridPart({ role, ...props }: GridPartProps) {
  return <div role={role} {...props} />;
}
