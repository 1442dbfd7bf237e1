import { useTranslation } from '../../../i18n/useTranslation.ts';
import { Meter } from '../../../ui/Meter.tsx';

/** How much of an update has been fetched. */
export function UpdateMeter({ percent }: { readonly percent: number }) {
  const { t } = useTranslation();
  return (
    <span className="update-meter">
      <Meter label={t('updates.downloading')} done={percent} total={100} />
      <span className="update-meter__percent">{percent}%</span>
    </span>
  );
}
