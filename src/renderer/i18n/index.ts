import i18next from 'i18next';
import { initReactI18next } from 'react-i18next';
import { en } from './en.ts';

/** The languages that the catalogues speak. */
export const LANGUAGES = { en: 'English', de: 'Deutsch' } as const;
export type Language = keyof typeof LANGUAGES;

const KEY = 'interface.language';

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

async function load(language: Language): Promise<void> {
  if (language === 'en' || i18next.hasResourceBundle(language, 'translation')) return;
  const { de } = await import('./de.ts');
  i18next.addResourceBundle(language, 'translation', de);
}

function show(language: Language): void {
  document.documentElement.lang = language;
}

/** Starts the catalogue in the language kept or the browser's; resolves when its messages are there. */
export async function startI18n(): Promise<void> {
  await i18next.use(initReactI18next).init({
    lng: 'en',
    fallbackLng: 'en',
    resources: { en: { translation: en } },
    interpolation: { escapeValue: false },
  });
  const language = chosen();
  if (language !== 'en') {
    await load(language);
    await i18next.changeLanguage(language);
  }
  show(language);
}

/** Changes the language for good. */
export async function setLanguage(language: Language): Promise<void> {
  localStorage.setItem(KEY, language);
  await load(language);
  await i18next.changeLanguage(language);
  show(language);
}
