import { CircleAlert, CircleCheck, LoaderCircle, Power } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { IndexStatus } from '../../../shared/model/search.ts';
import { useServices } from '../../app/services.ts';
import { useIndexStatus } from '../../app/shellState.ts';
import { SkippedFilesDialog } from '../../ui/SkippedFilesDialog.tsx';
import { ErrorState, LoadingRows } from '../../ui/States.tsx';
import { useFormats } from '../../ui/useFormats.ts';

const ICONS = {
  off: Power,
  scanning: LoaderCircle,
  indexing: LoaderCircle,
  ready: CircleCheck,
  failed: CircleAlert,
} as const;

function useTimeLeft(seconds: number | null): string | null {
  const { t } = useTranslation();
  if (seconds === null || seconds <= 0) return null;
  const time =
    seconds < 90
      ? t('upload.seconds', { count: Math.ceil(seconds) })
      : t('upload.minutes', { count: Math.round(seconds / 60) });
  return t('index.left', { time });
}

function Status({ status }: { readonly status: IndexStatus }) {
  const { t } = useTranslation();
  const formats = useFormats();
  const left = useTimeLeft(status.secondsLeft);
  const Icon = ICONS[status.state];
  const isBusy = status.state === 'scanning' || status.state === 'indexing';
  const known = status.files + status.versions + status.pendingVersions;
  const done = status.indexed + status.skipped + status.versions;
  const percent = known === 0 ? 0 : Math.min(100, Math.floor((done / known) * 100));
  return (
    <>
      <p className="index-state" data-state={status.state} role="status">
        <Icon aria-hidden="true" />
        <strong>{t(`index.${status.state}`)}</strong>
        {left !== null && isBusy && <span className="muted">{left}</span>}
      </p>
      {status.message !== null && <p className="notice notice--danger">{status.message}</p>}
      {isBusy && (
        <span
          className="meter"
          role="progressbar"
          aria-label={t('index.progressLabel')}
          aria-valuemin={0}
          aria-valuemax={100}
          aria-valuenow={percent}
        >
          <span className="meter__fill" style={{ width: `${percent}%` }} />
        </span>
      )}
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
      <Status status={status} />
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
