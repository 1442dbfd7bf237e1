import type { UpdatePreference, UpdateState } from '../../../../shared/model/update.ts';
import { useServices } from '../../../app/services.ts';
import { useShellState } from '../../../app/shellState.ts';
import { useTranslation } from '../../../i18n/useTranslation.ts';
import { notify } from '../../../ui/toast.ts';
import { useErrorText } from '../../../ui/useErrorText.ts';
import { cancelInstall, installUpdate } from './installUpdate.ts';

/** The steps of an update that a person can take; what fails is told. */
export interface UpdateSteps {
  readonly check: () => void;
  readonly download: () => void;
  readonly install: () => void;
  readonly cancel: () => void;
  readonly dismiss: () => void;
  readonly prefer: (preference: UpdatePreference) => void;
}

/** How the update stands, and what can be done. Null where the host has no updates, and until it is known. */
export function useUpdates(): { readonly state: UpdateState; readonly steps: UpdateSteps } | null {
  const { updates, index } = useServices().platform;
  const { value: state } = useShellState(updates);
  const errorText = useErrorText();
  if (updates === null || state === null) return null;
  const run = (step: Promise<unknown>) => {
    step.catch((error: unknown) => notify(errorText(error), 'error'));
  };
  return {
    state,
    steps: {
      check: () => run(updates.check()),
      download: () => run(updates.download()),
      install: () => run(installUpdate(updates, index)),
      cancel: cancelInstall,
      dismiss: () => run(updates.dismiss()),
      prefer: (preference) => run(updates.setPreference(preference)),
    },
  };
}

/** What an update's error says to the person. */
export function useUpdateError(): (code: NonNullable<UpdateState['error']>) => string {
  const { t } = useTranslation();
  return (code) => {
    switch (code) {
      case 'content-mismatch':
      case 'forbidden':
        return t('updates.errorTampered');
      case 'storage-full':
        return t('updates.errorFull');
      case 'server-unreachable':
      case 'timed-out':
        return t('updates.errorLost');
      default:
        return t('updates.errorOther');
    }
  };
}
