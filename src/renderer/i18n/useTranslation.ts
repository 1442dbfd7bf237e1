import type { TFunction } from 'i18next';
import { useSyncExternalStore } from 'react';
import { createTranslate, type Texts } from './translate.ts';

/** What the interface says at present. The function stays the same as long as the language does. */
interface Speech {
  readonly t: TFunction;
  readonly i18n: { readonly language: string };
}

const known = new Map<string, Texts>();
const listeners = new Set<() => void>();
const textsOf = (language: string) => known.get(language) ?? {};
const speak = (language: string): Speech => ({
  // i18next's types check the keys, by the catalogue that index.ts declares; translate.ts says the messages.
  t: createTranslate(language, () => textsOf(language)) as unknown as TFunction,
  i18n: { language },
});
let speech = speak('en');

/** Adds messages; groups of the same name are replaced. */
export function addTexts(language: string, texts: Texts): void {
  known.set(language, { ...known.get(language), ...texts });
}

/** Goes on in another language. */
export function changeLanguage(language: string): void {
  speech = speak(language);
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The same for what React does not draw. */
export const translation = (): Speech => speech;

/** The texts of the interface, for components. */
export function useTranslation(): Speech {
  return useSyncExternalStore(subscribe, translation);
}
