import { CircleAlert, CircleCheck, CirclePause, CloudOff, Pause, Play, X } from 'lucide-react';
import { useEffect } from 'react';
import type { FileProgress } from '../../../../shared/upload/uploadEngine.ts';
import { usePathname } from '../../../app/place.ts';
import { matchRoute } from '../../../app/routes.ts';
import { useTranslation } from '../../../i18n/useTranslation.ts';
import { IconButton } from '../../../ui/IconButton.tsx';
import { Meter } from '../../../ui/Meter.tsx';
import { useErrorText } from '../../../ui/useErrorText.ts';
import { useFormats } from '../../../ui/useFormats.ts';
import { FileList } from './FileList.tsx';
import { SavedCard } from './SavedCard.tsx';
import { type Batch, conflictsOf, OVER } from './uploadStore.ts';
import { useSavedUploads, useUploads } from './uploads.ts';
import './upload.css';

/** Rates and times left are told after this long, when they have settled. */
const RATE_AFTER_MS = 1500;
function sum(files: readonly FileProgress[], pick: (file: FileProgress) => boolean): number {
  return files.reduce((total, file) => total + (pick(file) ? file.bytes : 0), 0);
}

function useProgressText(batch: Batch<File>): { readonly text: string; readonly fraction: number | null } {
  const { t } = useTranslation();
  const formats = useFormats();
  const hashing = batch.phase === 'hashing';
  const relevant = batch.items.filter((_, index) => {
    const code = batch.files[index]?.code;
    return hashing || code === 'A' || code === 'M';
  });
  const total = relevant.reduce((bytes, item) => bytes + item.size, 0);
  const isMoving = batch.phase === 'hashing' || batch.phase === 'sending';
  if (!isMoving && batch.phase !== 'paused' && batch.phase !== 'offline') return { text: '', fraction: null };
  const readBefore = hashing
    ? batch.items.reduce((bytes, item, index) => bytes + (batch.files[index]?.phase === 'ready' ? item.size : 0), 0)
    : 0;
  const done =
    readBefore +
    sum(batch.files, ({ phase }) => (hashing ? phase === 'hashing' : phase === 'sending' || phase === 'sent'));
  const shown = { done: formats.size(Math.min(done, total)), total: formats.size(total) };
  const fraction = total === 0 ? 1 : Math.min(done / total, 1);
  const { sendingSince } = batch;
  const elapsed = sendingSince === null ? 0 : Date.now() - sendingSince.at;
  const sent = done - (sendingSince?.bytes ?? 0);
  if (hashing || elapsed < RATE_AFTER_MS || sent <= 0) return { text: t('upload.leftStart', shown), fraction };
  const perSecond = sent / (elapsed / 1000);
  const seconds = Math.max(1, Math.ceil((total - done) / perSecond));
  const time =
    seconds < 90 ? t('upload.seconds', { count: seconds }) : t('upload.minutes', { count: Math.round(seconds / 60) });
  return { text: t('upload.left', { ...shown, speed: formats.size(perSecond), time }), fraction };
}

function BatchCard({ batch }: { readonly batch: Batch<File> }) {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const { cancel, pause, resume, settle, dismiss } = useUploads((state) => state);
  const { text, fraction } = useProgressText(batch);
  const { phase } = batch;
  const isOver = OVER.has(phase);
  const conflicts = conflictsOf(batch);
  const committed = batch.commit?.changes.length ?? 0;
  const titles = {
    waiting: t('upload.phaseWaiting'),
    hashing: t('upload.hashing'),
    sending: t('upload.sending'),
    committing: t('upload.committing'),
    paused: t('uploads.paused'),
    offline: t('uploads.waitsForNetwork'),
    done: batch.commit === null ? t('upload.nothing') : t('upload.done', { count: committed }),
    failed: t('upload.failed'),
    cancelled: t('upload.cancelled'),
  };
  return (
    <article className="tray__batch" aria-label={titles[phase]}>
      <header className="tray__head">
        {phase === 'done' && conflicts === 0 && <CircleCheck className="tray__good" aria-hidden="true" />}
        {phase === 'paused' && <CirclePause aria-hidden="true" />}
        {phase === 'offline' && <CloudOff aria-hidden="true" />}
        {(phase === 'failed' || conflicts > 0) && <CircleAlert className="tray__bad" aria-hidden="true" />}
        <div className="tray__titles">
          <p className="tray__title" role="status">
            {titles[phase]}
          </p>
          <p className="muted tray__facts">
            {text !== '' ? text : `${batch.target.library} / ${batch.target.shelfName}`}
          </p>
        </div>
        {phase === 'paused' || phase === 'offline' ? (
          <IconButton label={t('uploads.resume')} onClick={() => resume(batch.id)}>
            <Play />
          </IconButton>
        ) : (
          !isOver &&
          phase !== 'committing' && (
            <IconButton label={t('uploads.pause')} onClick={() => pause(batch.id)}>
              <Pause />
            </IconButton>
          )
        )}
        {isOver ? (
          <button
            type="button"
            className="icon-button"
            aria-label={t('upload.dismiss')}
            onClick={() => dismiss(batch.id)}
          >
            <X />
          </button>
        ) : (
          phase !== 'committing' && (
            <button type="button" className="button button--small" onClick={() => cancel(batch.id)}>
              {t('common.cancel')}
            </button>
          )
        )}
      </header>
      {fraction !== null && <Meter label={titles[phase]} done={Math.floor(fraction * 100)} total={100} />}
      {phase === 'offline' && <p className="muted tray__facts">{t('uploads.goesOnAlone')}</p>}
      {batch.error !== null && phase === 'failed' && (
        <p className="notice notice--danger" role="alert">
          {batch.error.code === 'folder-unavailable' ? t('upload.unreadable') : errorText(batch.error)}
        </p>
      )}
      <FileList batch={batch} />
      {(phase === 'failed' || phase === 'cancelled') && (
        <button type="button" className="button button--small" onClick={() => resume(batch.id)}>
          {t('upload.retry')}
        </button>
      )}
      {phase === 'done' && conflicts > 0 && (
        <div className="tray__actions">
          <p className="tray__facts">{t('uploads.conflicts', { count: conflicts })}</p>
          <button type="button" className="button button--small" onClick={() => settle(batch.id, 'new-version')}>
            {t('uploads.choice_version')}
          </button>
          <button type="button" className="button button--small" onClick={() => settle(batch.id, 'keep-both')}>
            {t('uploads.choice_both')}
          </button>
          <button type="button" className="button button--small" onClick={() => dismiss(batch.id)}>
            {t('uploads.choice_skip')}
          </button>
        </div>
      )}
    </article>
  );
}

/** Uploads under way and just ended, and those that an earlier visit left behind. */
export function UploadQueue() {
  const batches = useUploads((state) => state.batches);
  const { saved } = useSavedUploads();
  return (
    <>
      {saved.map((upload) => (
        <SavedCard key={upload.key} upload={upload} />
      ))}
      {batches.map((batch) => (
        <BatchCard key={batch.id} batch={batch} />
      ))}
    </>
  );
}

/** Whether there is any upload to show. */
export function useHasUploads(): boolean {
  const count = useUploads((state) => state.batches.length);
  return count + useSavedUploads().saved.length > 0;
}

/** The uploads in the corner of every screen but the one that is theirs. */
export function UploadTray() {
  const { t } = useTranslation();
  const hasUploads = useHasUploads();
  const pathname = usePathname();
  const isOnScreen = matchRoute(pathname).name === 'upload';
  const dismissDone = useUploads((state) => state.dismissDone);
  // What ended well is told until somebody goes elsewhere, where it would stand in the way.
  // biome-ignore lint/correctness/useExhaustiveDependencies: another path is what it is about
  useEffect(() => dismissDone, [pathname, dismissDone]);
  if (!hasUploads || isOnScreen) return null;
  return (
    <aside className="tray card" aria-label={t('upload.trayTitle')}>
      <UploadQueue />
    </aside>
  );
}
