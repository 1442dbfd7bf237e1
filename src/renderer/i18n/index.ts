import { loadUntilThere } from '../api/loadCode.ts';
import type { en } from './en.ts';
import { addTexts, changeLanguage } from './useTranslation.ts';

/** The languages that the catalogues speak. */
export const LANGUAGES = { en: 'English', de: 'Deutsch' } as const;
export type Language = keyof typeof LANGUAGES;

const KEY = 'interface.language';

/** The messages of each language: those of the first screen, and all. */
const CATALOGUES = {
  en: {
    first: async () => (await import('./en.first.ts')).first,
    all: async () => (await import('./en.ts')).en,
  },
  de: {
    first: async () => (await import('./de.first.ts')).first,
    all: async () => (await import('./de.ts')).de,
  },
} as const;

declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'translation';
    resources: { translation: typeof en };
  }
}

function chosen(): Language {
  const kept = localStorage.getItem(KEY);
  if (kept !== null && kept in LANGUAGES) return kept as Language;
  return navigator.language.toLowerCase().startsWith('de') ? 'de' : 'en';
}

function show(language: Language): void {
  changeLanguage(language);
  document.documentElement.lang = language;
}

let started: Promise<void> | null = null;

async function start(): Promise<void> {
  const language = chosen();
  addTexts(language, await loadUntilThere(CATALOGUES[language].first));
  show(language);
}

/** Starts in the language kept or the browser's; resolves when the messages of the first screen are there. */
export function startI18n(): Promise<void> {
  started ??= start();
  return started;
}

let complete: Language | null = null;

/** Resolves when all messages are there: what is not on the first screen waits for it. */
export async function loadTexts(): Promise<void> {
  const language = chosen();
  if (complete === language) return;
  const [texts] = await Promise.all([CATALOGUES[language].all(), startI18n()]);
  addTexts(language, texts);
  complete = language;
}

/** Changes the language for good. */
export async function setLanguage(language: Language): Promise<void> {
  localStorage.setItem(KEY, language);
  await loadTexts();
  show(language);
}
