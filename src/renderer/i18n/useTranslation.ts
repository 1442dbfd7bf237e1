import type { TFunction } from 'i18next';
import { useSyncExternalStore } from 'react';
import { createTranslate, type Messages } from './messages.ts';

/** The texts of the language that is shown; another one with another language. */
interface Translation {
  readonly t: TFunction;
  readonly i18n: { readonly language: string };
}

const catalogues = new Map<string, Messages>();
const listeners = new Set<() => void>();
const translationOf = (language: string): Translation => ({
  // The keys are checked by i18next's types, with the catalogue that index.ts declares.
  t: createTranslate(language, () => catalogues.get(language) ?? {}) as unknown as TFunction,
  i18n: { language },
});
let shown = translationOf('en');

/** Adds messages of a language to those that are there. */
export function addMessages(language: string, messages: Messages): void {
  catalogues.set(language, { ...catalogues.get(language), ...messages });
}

/** Shows a language from now on. */
export function showLanguage(language: string): void {
  shown = translationOf(language);
  for (const listener of listeners) listener();
}

/** The texts of the moment, for what is not drawn by React. */
export const translation = () => shown;

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The texts, in components. Bundles have it under the name of `react-i18next` (vite.renderer.config.ts). */
export const useTranslation = () => useSyncExternalStore(subscribe, translation);
