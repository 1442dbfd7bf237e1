import { UpdatePreference, type UpdateState } from '../../../../shared/model/update.ts';
import { useTranslation } from '../../../i18n/useTranslation.ts';
import { Section } from '../../../ui/Section.tsx';
import { SegmentsRow } from '../../../ui/Segments.tsx';
import { useInstalling } from './installUpdate.ts';
import { UpdateMeter } from './UpdateMeter.tsx';
import { type UpdateSteps, useUpdateError, useUpdates } from './useUpdates.ts';
import './updates.css';

/** The button of the manual flow (desktop-shell.md §4): its text says what comes next. */
function NextStep({ state, steps }: { readonly state: UpdateState; readonly steps: UpdateSteps }) {
  const { t } = useTranslation();
  const isWaiting = useInstalling(({ until }) => until !== null);
  const steady = (text: string, isPrimary: boolean, run: () => void, isDisabled = false) => (
    <button
      type="button"
      className={isPrimary ? 'button button--primary' : 'button'}
      disabled={isDisabled}
      onClick={run}
    >
      {text}
    </button>
  );
  switch (state.status) {
    case 'checking':
      return steady(t('updates.checking'), false, steps.check, true);
    case 'update-available-prompt':
      return steady(t('updates.update'), true, steps.download);
    case 'download-progress':
    case 'update-downloaded':
      return steady(t('updates.downloading'), true, steps.download, true);
    case 'update-ready':
      return steady(t('updates.restart'), true, steps.install, isWaiting);
    case 'installing':
      return steady(t('updates.restart'), true, steps.install, true);
    default:
      return steady(t('updates.check'), false, steps.check);
  }
}

function useStateText(): (state: UpdateState) => string {
  const { t } = useTranslation();
  const errorText = useUpdateError();
  return ({ status, version, error }) => {
    switch (status) {
      case 'update-available-prompt':
        return t('updates.offered', { version: version ?? '' });
      case 'download-progress':
      case 'update-downloaded':
        return t('updates.fetching', { version: version ?? '' });
      case 'update-ready':
      case 'installing':
        return t('updates.readyText', { version: version ?? '' });
      case 'update-not-available':
        return t('updates.latest');
      case 'update-error':
        return error === null ? t('updates.errorOther') : errorText(error);
      default:
        return t('updates.unknown');
    }
  };
}

/** Updates in the settings of this computer. */
export function UpdateSection() {
  const { t } = useTranslation();
  const updates = useUpdates();
  const stateText = useStateText();
  if (updates === null) return null;
  const { state, steps } = updates;
  if (state.unsupported !== null) {
    const texts = {
      development: t('updates.fromSource'),
      'package-manager': t('updates.fromPackage'),
    };
    return <Section title={t('updates.title')} text={texts[state.unsupported]} />;
  }
  const isError = state.status === 'update-error';
  return (
    <Section title={t('updates.title')} text={t('updates.text')}>
      <SegmentsRow
        label={t('updates.preference')}
        value={state.preference}
        options={UpdatePreference.options.map((value) => ({ value, label: t(`updates.${value}`) }))}
        onChange={steps.prefer}
      />
      <p className="muted">{t(`updates.${state.preference}Text`)}</p>
      <div className="section__row">
        <p className={isError ? 'notice notice--danger' : undefined} role={isError ? 'alert' : undefined}>
          {stateText(state)}
        </p>
        <NextStep state={state} steps={steps} />
      </div>
      {state.status === 'download-progress' && <UpdateMeter percent={state.percent} />}
    </Section>
  );
}
