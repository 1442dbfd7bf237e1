import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import brand from '../../../resources/brand.json' with { type: 'json' };
import { nameProblem } from '../../../src/shared/rules/names.ts';
import { RECEIVE_PATH } from '../../../src/shared/rules/receive.ts';

describe('the installed application', () => {
  it('has the colours of the interface', () => {
    const tokens = readFileSync(join(import.meta.dirname, '../../../src/renderer/ui/tokens.css'), 'utf8');
    const of = (name: string) => new RegExp(`--${name}: light-dark\\((#\\w+), (#\\w+)\\)`, 'u').exec(tokens)?.slice(1);
    expect(of('paper')).toEqual([brand.colors.paper, brand.colors.paperDark]);
    expect(of('accent')?.[0]).toBe(brand.colors.accent);
  });

  it.each([RECEIVE_PATH.slice(1), 'service-worker.js', 'manifest.webmanifest'])(
    'leaves no library the name %s',
    (name) => expect(nameProblem(name)).toBe('reserved'),
  );
});
