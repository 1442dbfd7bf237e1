/**
 * Turns messages into texts, by the part of i18next's rules that the catalogues use: keys with dots, `{{name}}`,
 * `{{name, number}}`, and plural forms by `count`. Its types check the keys; its code, a tenth of what the first screen would
 * load, stays away (docs/decisions/0011-the-first-load.md). `tests/unit/renderer/messages.test.ts` holds both equal.
 */
export interface Messages {
  readonly [key: string]: string | Messages;
}

/** What stands in the places of a message; `count` chooses its plural form. */
export type Values = Readonly<Record<string, unknown>>;

const PLACE = /\{\{(\w+)(, number)?\}\}/gu;

function find(messages: Messages, key: string): string | undefined {
  let found: string | Messages | undefined = messages;
  for (const step of key.split('.')) {
    if (typeof found !== 'object' || !Object.hasOwn(found, step)) return undefined;
    found = found[step];
  }
  return typeof found === 'string' ? found : undefined;
}

/** Makes what gives the texts of a language. A key without a message is its own text. */
export function createTranslate(language: string, messages: () => Messages) {
  const numbers = new Intl.NumberFormat(language);
  const plurals = new Intl.PluralRules(language);
  return (key: string, values: Values = {}): string => {
    const { count, defaultValue } = values;
    const forms = typeof count !== 'number' ? [] : [...(count === 0 ? ['zero'] : []), plurals.select(count)];
    const form = forms.map((each) => find(messages(), `${key}_${each}`)).find((each) => each !== undefined);
    const message = form ?? find(messages(), key) ?? (typeof defaultValue === 'string' ? defaultValue : key);
    return message.replace(PLACE, (_place, name: string, asNumber?: string) => {
      const value = values[name] ?? '';
      return asNumber !== undefined && typeof value === 'number' ? numbers.format(value) : String(value);
    });
  };
}
