import i18next from 'i18next';
import { beforeAll, describe, expect, it } from 'vitest';
import { de } from '../../../src/renderer/i18n/de.ts';
import { en } from '../../../src/renderer/i18n/en.ts';
import { createTranslate, type Texts } from '../../../src/renderer/i18n/translate.ts';

const CATALOGUES = { en, de } as const;

/** The names under which messages are asked for: plural forms have one. */
function keysOf(texts: Texts, before = ''): readonly string[] {
  return Object.entries(texts).flatMap(([name, text]) =>
    typeof text === 'string' ? [before + name.replace(/_(?:zero|one|other)$/u, '')] : keysOf(text, `${before}${name}.`),
  );
}

const NAMES = [
  ...new Set(
    JSON.stringify(CATALOGUES)
      .matchAll(/\{\{\s*(\w+)/gu)
      .map(([, name = '']) => name),
  ),
].filter((name) => name !== 'count');
const WORDS = Object.fromEntries(NAMES.map((name) => [name, `<${name} & co>`]));
const NUMBERS = Object.fromEntries(NAMES.map((name, index) => [name, 1234.5 * (index + 1)]));

beforeAll(() =>
  i18next.init({
    resources: { en: { translation: en }, de: { translation: de } },
    fallbackLng: false,
    interpolation: { escapeValue: false },
  }),
);

describe.each(['en', 'de'] as const)('the messages in %s', (lng) => {
  const t = createTranslate(lng, () => CATALOGUES[lng]);
  const keys = [...new Set(keysOf(CATALOGUES[lng]))];
  // What i18next calls number is a number; texts in such a place are nobody's business.
  const isNumeric = (key: string) => /, number\}\}/u.test(String(i18next.getResource(lng, 'translation', key) ?? ''));

  it('are said as i18next says them', () => {
    expect(keys.length).toBeGreaterThan(1000);
    const said = (say: (key: string, values?: Record<string, unknown>) => string) =>
      keys.flatMap((key) => [
        say(key),
        ...[0, 1, 2, 5000].map((count) => say(key, { ...NUMBERS, count })),
        ...(isNumeric(key) ? [] : [say(key, { ...NUMBERS, ...WORDS, count: 3 })]),
      ]);
    expect(said(t)).toEqual(said((key, values = {}) => String(i18next.t(key as never, { ...values, lng } as never))));
  });
  it('take what they are filled with as it is', () => {
    const hostile = '<b>{{name}} & $t(common.close)</b>';
    const inSentence = createTranslate(lng, () => ({ sentence: 'Hello {{who}}' }));
    expect(inSentence('sentence', { who: hostile })).toBe(`Hello ${hostile}`);
  });
  it('are what was said to be said where there is none', () => {
    expect(t('nowhere.to.be.found')).toBe('nowhere.to.be.found');
    expect(t('nowhere.to.be.found', { defaultValue: 'there' })).toBe('there');
  });
});
