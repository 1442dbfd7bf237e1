import { describe, expect, it } from 'vitest';
import { extended, NOTHING_SELECTED, type Selection, toggled } from '../../../src/renderer/ui/selection.ts';

const ORDER = ['a', 'b', 'c', 'd', 'e'];
type Step = readonly ['toggle' | 'extend', string];

const after = (steps: readonly Step[]) =>
  steps.reduce<Selection>(
    (selection, [how, id]) => (how === 'toggle' ? toggled(selection, id) : extended(selection, ORDER, id)),
    NOTHING_SELECTED,
  );

describe('a selection', () => {
  it.each<{ does: string; steps: readonly Step[]; ids: string }>([
    { does: 'takes a row in', steps: [['toggle', 'b']], ids: 'b' },
    {
      does: 'takes it out again',
      steps: [
        ['toggle', 'b'],
        ['toggle', 'b'],
      ],
      ids: '',
    },
    {
      does: 'extends downwards',
      steps: [
        ['toggle', 'b'],
        ['extend', 'd'],
      ],
      ids: 'b c d',
    },
    {
      does: 'extends upwards',
      steps: [
        ['toggle', 'd'],
        ['extend', 'b'],
      ],
      ids: 'b c d',
    },
    {
      does: 'extends on from the same row',
      steps: [
        ['toggle', 'c'],
        ['extend', 'd'],
        ['extend', 'a'],
      ],
      ids: 'a b c d',
    },
    { does: 'begins where nothing was selected', steps: [['extend', 'c']], ids: 'c' },
    {
      does: 'begins anew when its first row is gone',
      steps: [
        ['toggle', 'x'],
        ['extend', 'c'],
      ],
      ids: 'c x',
    },
  ])('$does', ({ steps, ids }) => {
    expect([...after(steps).ids].sort().join(' ')).toBe(ids);
  });
});
