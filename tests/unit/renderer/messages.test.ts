import i18next from 'i18next';
import { beforeAll, describe, expect, it } from 'vitest';
import { de } from '../../../src/renderer/i18n/de.ts';
import { en } from '../../../src/renderer/i18n/en.ts';
import { createTranslate, type Messages } from '../../../src/renderer/i18n/messages.ts';

const CATALOGUES: Readonly<Record<string, Messages>> = { en, de };

/** The keys of all messages, as they are asked for: plural forms by what they are forms of. */
function keysOf(messages: Messages, before = ''): string[] {
  return Object.entries(messages).flatMap(([key, message]) =>
    typeof message === 'string'
      ? [`${before}${key}`.replace(/_(?:zero|one|other)$/u, '')]
      : keysOf(message, `${before}${key}.`),
  );
}

/** Names of the places of all messages; numbers stand where a number is asked for. */
function placesOf(messages: Messages): { readonly numbers: readonly string[]; readonly texts: readonly string[] } {
  const all = [...JSON.stringify(messages).matchAll(/\{\{(\w+)(, number)?\}\}/gu)];
  const numbers = new Set(all.filter(([, , isNumber]) => isNumber !== undefined).map(([, name = '']) => name));
  return { numbers: [...numbers], texts: all.map(([, name = '']) => name).filter((name) => !numbers.has(name)) };
}

describe('messages become the texts that i18next makes of them', () => {
  beforeAll(() =>
    i18next.init({
      lng: 'en',
      fallbackLng: false,
      resources: { en: { translation: en }, de: { translation: de } },
      interpolation: { escapeValue: false },
    }),
  );

  it.each(['en', 'de'])('all of %s, with any count', (language) => {
    const messages = CATALOGUES[language] ?? {};
    const ours = createTranslate(language, () => messages);
    const theirs = i18next.getFixedT(language) as unknown as (key: string, values: object) => string;
    const { numbers, texts } = placesOf(messages);
    const keys = new Set(keysOf(messages));
    for (const count of [0, 1, 2, 12_345.5]) {
      const values = Object.fromEntries([
        ...texts.map((name) => [name, `<${name} & $1>`]),
        ...numbers.map((name) => [name, count]),
      ]) as Record<string, unknown>;
      values.count = count;
      for (const key of keys) expect(ours(key, values), key).toBe(theirs(key, values));
    }
  });

  it('a key without a message is its own text, or what is given instead', () => {
    const t = createTranslate('en', () => en as unknown as Messages);
    expect(t('no.such.key')).toBe('no.such.key');
    expect(t('constructor')).toBe('constructor');
    expect(t('errors')).toBe('errors');
    expect(t('admin.analytics.names.other', { defaultValue: 'Other' })).toBe('Other');
  });
});
