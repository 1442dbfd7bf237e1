import { LANGUAGES, type Language, setLanguage } from '../i18n/index.ts';
import { useTranslation } from '../i18n/useTranslation.ts';
import { Section } from './Section.tsx';
import { SegmentsRow } from './Segments.tsx';
import { type Theme, useTheme } from './theme.ts';

const THEMES = ['light', 'dark', 'system'] as const satisfies readonly Theme[];

/** Theme and language of the interface. */
export function Appearance() {
  const { t, i18n } = useTranslation();
  const { theme, setTheme } = useTheme();
  const language: Language = i18n.language === 'de' ? 'de' : 'en';
  return (
    <Section title={t('settings.appearance')}>
      <SegmentsRow
        label={t('settings.theme')}
        value={theme}
        options={THEMES.map((value) => ({ value, label: t(`settings.${value}`) }))}
        onChange={setTheme}
      />
      <SegmentsRow
        label={t('settings.language')}
        value={language}
        options={(Object.keys(LANGUAGES) as Language[]).map((value) => ({ value, label: LANGUAGES[value] }))}
        onChange={(value) => void setLanguage(value)}
      />
    </Section>
  );
}
