import { AppError } from '../../../../shared/errors.ts';
import type { Language } from '../../../i18n/index.ts';
import type { PageTexts } from './shape.ts';

const LOADERS: Readonly<Record<Language, () => Promise<PageTexts>>> = {
  en: async () => (await import('./en.ts')).en,
  de: async () => (await import('./de.ts')).de,
};
const loaded = new Map<Language, Promise<PageTexts>>();

/** The pages in a language, loaded once; the same promise each time, for `use`. */
export function pageTexts(language: Language): Promise<PageTexts> {
  const known = loaded.get(language);
  if (known !== undefined) return known;
  const texts = LOADERS[language]().catch((error: unknown) => {
    loaded.delete(language);
    throw new AppError('server-unreachable', 'the text of the pages could not be loaded', { cause: error });
  });
  loaded.set(language, texts);
  return texts;
}
