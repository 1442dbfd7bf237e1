import { useState } from 'react';
import type { Settings } from '../../../shared/model/settings.ts';
import { useTranslation } from '../../i18n/useTranslation.ts';
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx';
import { Field } from '../../ui/Field.tsx';
import { typedNumber } from './numbers.ts';
import { SettingsForm } from './SettingsForm.tsx';
import { useSaveSettings } from './useSaveSettings.ts';

const MOST_TRASH_DAYS = 3650;
const MOST_VERSION_DAYS = 36_500;

/** How long the trash and older versions are kept. Keeping them shorter lets things go for good, so it is asked about. */
export function RetentionSection({ settings }: { readonly settings: Settings }) {
  const { t } = useTranslation();
  const [trashText, setTrashText] = useState(String(settings.trash_days));
  const [versionText, setVersionText] = useState(settings.version_days === null ? '' : String(settings.version_days));
  const [isAsking, setAsking] = useState(false);
  const { save, isSaving, failure } = useSaveSettings();
  const trash_days = typedNumber(trashText, 1, MOST_TRASH_DAYS) ?? undefined;
  const version_days = typedNumber(versionText, 1, MOST_VERSION_DAYS);
  const isReady = trash_days !== undefined && version_days !== undefined;
  const isShorter =
    isReady &&
    (trash_days < settings.trash_days ||
      (version_days !== null && version_days < (settings.version_days ?? Number.POSITIVE_INFINITY)));
  const store = async () => {
    if (isReady) await save({ trash_days, version_days });
  };
  const submit = () => {
    if (isShorter) setAsking(true);
    // What went wrong shows in the form.
    else store().catch(() => undefined);
  };
  return (
    <>
      <SettingsForm
        title={t('admin.settings.retention')}
        text={t('admin.settings.retentionText')}
        isSaving={isSaving}
        failure={failure}
        onSubmit={submit}
      >
        <div className="admin-form__pair">
          <Field
            label={t('admin.settings.trashDays')}
            inputMode="numeric"
            value={trashText}
            onChange={({ target }) => setTrashText(target.value)}
            error={trash_days === undefined ? t('admin.settings.badDays', { most: MOST_TRASH_DAYS }) : undefined}
          />
          <Field
            label={t('admin.settings.versionDays')}
            inputMode="numeric"
            placeholder={t('admin.settings.keepAll')}
            hint={t('admin.settings.versionDaysHint')}
            value={versionText}
            onChange={({ target }) => setVersionText(target.value)}
            error={version_days === undefined ? t('admin.settings.badDays', { most: MOST_VERSION_DAYS }) : undefined}
          />
        </div>
      </SettingsForm>
      {isAsking && (
        <ConfirmDialog
          title={t('admin.settings.shorterTitle')}
          description={t('admin.settings.shorterText')}
          verb={t('people.save')}
          onConfirm={store}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  );
}
