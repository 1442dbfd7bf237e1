import { api } from '../../../shared/api/index.ts';
import type { SettingsChange } from '../../../shared/model/settings.ts';
import { useTranslation } from '../../i18n/useTranslation.ts';
import { notify } from '../../ui/toast.ts';
import { useAdminChange } from './queries.ts';

/** Saves a part of the settings, and says so. What is wanted is known until the settings are there anew. */
export function useSaveSettings() {
  const { t } = useTranslation();
  const { mutateAsync, isPending, variables, error } = useAdminChange(api.admin.changeSettings);
  const save = async (body: SettingsChange) => {
    const saved = await mutateAsync({ body });
    notify(t('people.saved'));
    return saved;
  };
  return { save, isSaving: isPending, wanted: isPending ? variables.body : null, failure: error };
}
