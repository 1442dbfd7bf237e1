/** Messages by their names, in groups. */
export interface Texts {
  readonly [name: string]: string | Texts;
}

/** Fills a message; the name itself where there is no such message. */
export type Translate = (key: string, values?: Readonly<Record<string, unknown>>) => string;

const PLACE = /\{\{\s*(\w+)\s*(?:,\s*(number)\s*)?\}\}/gu;

function find(texts: Texts, key: string): string | undefined {
  let found: string | Texts | undefined = texts;
  for (const name of key.split('.')) found = typeof found === 'object' ? found[name] : undefined;
  return typeof found === 'string' ? found : undefined;
}

/**
 * Says messages in one language: the part of i18next's grammar that the catalogues use, which is plurals (`_one`, `_other` and
 * the like, `_zero` for none at all), `{{name}}`, `{{name, number}}` and `defaultValue`. i18next itself is an eighth of what a
 * phone would load first; tests hold the two equal over all messages.
 */
export function createTranslate(language: string, texts: () => Texts): Translate {
  const plurals = new Intl.PluralRules(language);
  const numbers = new Intl.NumberFormat(language);
  return (key, values = {}) => {
    const { count, defaultValue } = values;
    const forms = typeof count !== 'number' ? [] : [...(count === 0 ? ['_zero'] : []), `_${plurals.select(count)}`];
    const known = texts();
    const text =
      [...forms, ''].map((form) => find(known, key + form)).find((each) => each !== undefined) ??
      (typeof defaultValue === 'string' ? defaultValue : key);
    return text.replace(PLACE, (place: string, name: string, format: string | undefined) => {
      const value = values[name];
      if (value === undefined) return place;
      return format === undefined ? String(value) : numbers.format(Number(value));
    });
  };
}
