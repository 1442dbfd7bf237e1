import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  documentNameProblem,
  inNameOrder,
  nameKey,
  nameOrder,
  nameProblem,
  normalizeName,
} from '../../../src/shared/rules/names.ts';

describe('names of libraries, users and shelves, compared after normalisation (web-and-phone.md §5)', () => {
  it.each([
    ['', 'empty'],
    ['x'.repeat(65), 'too-long'],
    ['a/b', 'forbidden-character'],
    ['a:b', 'forbidden-character'],
    ['what?', 'forbidden-character'],
    ['tab\there', 'control-character'],
    ['abc\u202Etxt', 'control-character'],
    [' leading', 'leading-or-trailing'],
    ['trailing.', 'leading-or-trailing'],
    ['CON', 'device-name'],
    ['com1.txt', 'device-name'],
    ['Settings', 'reserved'],
    ['API', 'reserved'],
    ['Ｍ', 'reserved'],
  ])('%j breaks the rule %s', (name, problem) => {
    expect(nameProblem(name)).toBe(problem);
  });
  it.each(['Contracts', 'Zürich 2026', '契約書', 'Ελλάδα', 'console', 'm2', 'a.b', '👩‍⚖️ court'])(
    '%j is fine',
    (name) => {
      expect(nameProblem(name)).toBeNull();
    },
  );
  it('are the same in every normal form and case', () => {
    expect(nameKey('Re\u0301sume\u0301')).toBe(nameKey('RÉSUMÉ'));
    expect(nameKey('ΟΔΟΣ')).toBe(nameKey('οδος'));
    expect(new Set(['Straße', 'STRASSE', 'STRAẞE'].map(nameKey)).size).toBe(1);
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (name) => {
        expect(nameKey(name.normalize('NFD'))).toBe(nameKey(name.normalize('NFC')));
        expect(nameKey(nameKey(name))).toBe(nameKey(name));
        expect(normalizeName(normalizeName(name))).toBe(normalizeName(name));
      }),
    );
  });
});

describe('the order of names', () => {
  const sorted = (names: readonly string[]) => inNameOrder(names.map((name) => ({ name }))).map(({ name }) => name);
  it('goes by numbers, and neither by case nor by accents', () => {
    const names = [
      'a 2.txt',
      'A 010.txt',
      'a 10a.txt',
      'a 100.txt',
      'Ärger',
      'arzt',
      'b 0',
      'B 00001',
      'Übung',
      'zeta',
    ];
    expect(sorted([...names].reverse())).toEqual(names);
  });
  it('tells numbers of any length by their value', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 10n ** 40n }), fc.bigInt({ min: 0n, max: 10n ** 40n }), (a, b) => {
        const [of, than] = [nameOrder(`p. ${a}.pdf`), nameOrder(`p. ${b}.pdf`)];
        expect(of < than).toBe(a < b);
        expect(nameOrder(`p. 00${a}.pdf`)).toBe(of);
      }),
    );
  });
  it('holds as much of a name as an index takes', () => {
    expect(Buffer.byteLength(nameOrder('\uFDFA'.repeat(1024)))).toBeLessThan(1000);
  });
});

describe('names of documents', () => {
  it('may stand in folders', () => {
    expect(documentNameProblem('2026/May/contract v2.docx')).toBeNull();
  });
  it.each([
    ['/a', 'empty-folder'],
    ['a//b', 'empty-folder'],
    ['a/../b', 'leading-or-trailing'],
    ['a/ b', 'leading-or-trailing'],
    ['a\\b', 'forbidden-character'],
    ['x/NUL', 'device-name'],
    ['a\u0000b', 'control-character'],
  ])('%j breaks the rule %s', (name, problem) => {
    expect(documentNameProblem(name)).toBe(problem);
  });
});
