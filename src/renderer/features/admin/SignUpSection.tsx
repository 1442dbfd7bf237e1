import type { Settings } from '../../../shared/model/settings.ts';
import { useTranslation } from '../../i18n/useTranslation.ts';
import { Section } from '../../ui/Section.tsx';
import { Segments } from '../../ui/Segments.tsx';
import { notify } from '../../ui/toast.ts';
import { useErrorText } from '../../ui/useErrorText.ts';
import { useSaveSettings } from './useSaveSettings.ts';

const POLICIES = ['open', 'invited', 'closed'] as const;

/** Who may make an account; it counts as soon as it is chosen. */
export function SignUpSection({ settings }: { readonly settings: Settings }) {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const { save, wanted } = useSaveSettings();
  const policy = wanted?.sign_up ?? settings.sign_up;
  return (
    <Section title={t('admin.settings.signUp')} text={t('admin.settings.signUpText')}>
      <div className="section__row">
        <p className="muted">{t(`admin.settings.signUpNow_${policy}`)}</p>
        <Segments
          label={t('admin.settings.signUp')}
          value={policy}
          options={POLICIES.map((value) => ({ value, label: t(`admin.settings.signUp_${value}`) }))}
          onChange={(sign_up) => void save({ sign_up }).catch((error: unknown) => notify(errorText(error), 'error'))}
        />
      </div>
    </Section>
  );
}
