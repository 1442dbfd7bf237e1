import { useTranslation } from '../../../i18n/useTranslation.ts';

/** How much of an update has been fetched. */
export function UpdateMeter({ percent }: { readonly percent: number }) {
  const { t } = useTranslation();
  return (
    <span className="update-meter">
      <span
        className="meter"
        role="progressbar"
        aria-label={t('updates.downloading')}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={percent}
      >
        <span className="meter__fill" style={{ width: `${percent}%` }} />
      </span>
      <span className="update-meter__percent">{percent}%</span>
    </span>
  );
}
