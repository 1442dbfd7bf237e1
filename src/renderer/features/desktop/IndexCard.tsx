import { CircleAlert, CircleCheck, CirclePause, LoaderCircle, Power } from 'lucide-react';
import { useState } from 'react';
import type { IndexStatus } from '../../../shared/model/search.ts';
import { useServices } from '../../app/services.ts';
import { useIndexStatus } from '../../app/shellState.ts';
import { useTranslation } from '../../i18n/useTranslation.ts';
import type { IndexCapability } from '../../platform/types.ts';
import { IndexProgress, isIndexBusy } from '../../ui/IndexProgress.tsx';
import { Meter } from '../../ui/Meter.tsx';
import { SkippedFilesDialog } from '../../ui/SkippedFilesDialog.tsx';
import { ErrorState, LoadingRows } from '../../ui/States.tsx';
import { useFormats } from '../../ui/useFormats.ts';

const ICONS = {
  off: Power,
  scanning: LoaderCircle,
  indexing: LoaderCircle,
  paused: CirclePause,
  ready: CircleCheck,
  failed: CircleAlert,
} as const;

interface StatusProps {
  readonly index: IndexCapability;
  readonly status: IndexStatus;
}

function Status({ index, status }: StatusProps) {
  const { t } = useTranslation();
  const formats = useFormats();
  const Icon = ICONS[status.state];
  const isBusy = isIndexBusy(status);
  const total = status.done + status.pending;
  return (
    <>
      <p className="index-state" data-state={status.state} role="status">
        <Icon aria-hidden="true" />
        <strong>{status.state === 'paused' ? t('indexing.paused') : t(`index.${status.state}`)}</strong>
      </p>
      {status.message !== null && <p className="notice notice--danger">{status.message}</p>}
      {isBusy && total > 0 && <Meter label={t('index.progressLabel')} done={status.done} total={total} />}
      {isBusy && <IndexProgress index={index} status={status} />}
      <ul className="index-facts">
        <li>{t('index.indexed', { done: formats.number(status.indexed), total: formats.number(status.files) })}</li>
        {status.versions + status.pendingVersions > 0 && (
          <li>
            {t('index.versions', {
              done: formats.number(status.versions),
              total: formats.number(status.versions + status.pendingVersions),
            })}
          </li>
        )}
        <li>{t('index.size', { size: formats.size(status.indexBytes) })}</li>
      </ul>
    </>
  );
}

/** How the index on this machine stands: progress, size, and what it could not read. */
export function IndexState() {
  const { t } = useTranslation();
  const { index } = useServices().platform;
  const { value: status, error, retry } = useIndexStatus();
  const [isAsking, setAsking] = useState(false);
  if (index === null) return null;
  if (status === null) {
    return error === null ? <LoadingRows rows={2} shape="text" /> : <ErrorState error={error} onRetry={retry} />;
  }
  return (
    <div className="index-card">
      <Status index={index} status={status} />
      {status.skipped > 0 && (
        <p className="index-skipped">
          {t('index.skipped', { count: status.skipped })}{' '}
          <button type="button" className="text-button text-link" onClick={() => setAsking(true)}>
            {t('desktop.skippedShow')}
          </button>
        </p>
      )}
      {isAsking && <SkippedFilesDialog index={index} onClose={() => setAsking(false)} />}
    </div>
  );
}
