import { CircleAlert, CircleCheck, X } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { ChangeCode } from '../../../../shared/model/library.ts';
import { FileIcon } from '../../../ui/FileIcon.tsx';
import { splitName } from '../../../ui/fileKind.ts';
import { useErrorText } from '../../../ui/useErrorText.ts';
import { useFormats } from '../../../ui/useFormats.ts';
import { useUploads } from './UploadProvider.tsx';
import type { FileProgress } from './uploadEngine.ts';
import type { Batch } from './uploadStore.ts';
import './upload.css';

/** Rates and times left are told after this long, when they have settled. */
const RATE_AFTER_MS = 1500;
const FILES_SHOWN = 100;

const CODE_BADGES: Readonly<Partial<Record<ChangeCode, string>>> = {
  A: 'badge badge--accent',
  M: 'badge badge--info',
  C: 'badge badge--danger',
};

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
  if (batch.phase !== 'hashing' && batch.phase !== 'sending') return { text: '', fraction: null };
  const readBefore = hashing
    ? batch.items.reduce((bytes, item, index) => bytes + (batch.files[index]?.phase === 'ready' ? item.size : 0), 0)
    : 0;
  const done =
    readBefore +
    sum(batch.files, ({ phase }) => (hashing ? phase === 'hashing' : phase === 'sending' || phase === 'sent'));
  const shown = { done: formats.size(Math.min(done, total)), total: formats.size(total) };
  const fraction = total === 0 ? 1 : Math.min(done / total, 1);
  const elapsed = batch.sendingSince === null ? 0 : Date.now() - batch.sendingSince;
  if (hashing || elapsed < RATE_AFTER_MS || done === 0) return { text: t('upload.leftStart', shown), fraction };
  const perSecond = done / (elapsed / 1000);
  const seconds = Math.max(1, Math.ceil((total - done) / perSecond));
  const time =
    seconds < 90 ? t('upload.seconds', { count: seconds }) : t('upload.minutes', { count: Math.round(seconds / 60) });
  return { text: t('upload.left', { ...shown, speed: formats.size(perSecond), time }), fraction };
}

function FileRow({ name, file, size }: { readonly name: string; readonly file: FileProgress; readonly size: number }) {
  const { t } = useTranslation();
  const phases = {
    waiting: t('upload.phaseWaiting'),
    hashing: t('upload.phaseHashing'),
    ready: t('upload.phaseReady'),
    sending: `${size === 0 ? 100 : Math.floor((file.bytes / size) * 100)} %`,
    sent: t('upload.phaseSent'),
    done: '',
    failed: '',
  };
  const isSettled = file.phase === 'done' || file.phase === 'failed';
  return (
    <li className="tray__file">
      <FileIcon name={name} />
      <span className="truncated" title={name}>
        {splitName(name).base}
      </span>
      {file.code !== null && (isSettled || file.code !== 'UC') ? (
        <span className={CODE_BADGES[file.code] ?? 'badge'}>{t(`codes.${file.code}`)}</span>
      ) : null}
      {phases[file.phase] !== '' && <span className="muted nowrap">{phases[file.phase]}</span>}
    </li>
  );
}

function BatchCard({ batch }: { readonly batch: Batch<File> }) {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const { cancel, retry, dismiss } = useUploads((state) => state);
  const { text, fraction } = useProgressText(batch);
  const { phase, files, items } = batch;
  const isOver = phase === 'done' || phase === 'failed' || phase === 'cancelled';
  const conflicts = files.filter(({ code }) => code === 'C').length;
  const committed = batch.commit?.changes.length ?? 0;
  const titles = {
    waiting: t('upload.phaseWaiting'),
    hashing: t('upload.hashing'),
    sending: t('upload.sending'),
    committing: t('upload.committing'),
    done: batch.commit === null ? t('upload.nothing') : t('upload.done', { count: committed }),
    failed: t('upload.failed'),
    cancelled: t('upload.cancelled'),
  };
  return (
    <article className="tray__batch" aria-label={titles[phase]}>
      <header className="tray__head">
        {phase === 'done' && conflicts === 0 && <CircleCheck className="tray__good" aria-hidden="true" />}
        {(phase === 'failed' || conflicts > 0) && <CircleAlert className="tray__bad" aria-hidden="true" />}
        <div className="tray__titles">
          <p className="tray__title" role="status">
            {titles[phase]}
          </p>
          <p className="muted tray__facts">
            {text !== '' ? text : `${batch.target.library} / ${batch.target.shelfName}`}
          </p>
        </div>
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
          <button type="button" className="button button--small" onClick={() => cancel(batch.id)}>
            {t('common.cancel')}
          </button>
        )}
      </header>
      {fraction !== null && (
        <span
          className="meter"
          role="progressbar"
          aria-label={titles[phase]}
          aria-valuemin={0}
          aria-valuemax={100}
          aria-valuenow={Math.floor(fraction * 100)}
        >
          <span className="meter__fill" style={{ width: `${fraction * 100}%` }} />
        </span>
      )}
      {batch.error !== null && phase === 'failed' && (
        <p className="notice notice--danger" role="alert">
          {batch.error.code === 'folder-unavailable' ? t('upload.unreadable') : errorText(batch.error)}
        </p>
      )}
      <ul className="tray__files">
        {items.slice(0, FILES_SHOWN).map((item, index) => {
          const file = files[index];
          return file === undefined ? null : <FileRow key={item.name} name={item.name} file={file} size={item.size} />;
        })}
      </ul>
      {(phase === 'failed' || phase === 'cancelled' || (phase === 'done' && conflicts > 0)) && (
        <button type="button" className="button button--small" onClick={() => retry(batch.id)}>
          {phase === 'done' ? t('upload.conflictAgain') : t('upload.retry')}
        </button>
      )}
    </article>
  );
}

/** Uploads under way and just ended, in the corner of every screen. */
export function UploadTray() {
  const { t } = useTranslation();
  const batches = useUploads((state) => state.batches);
  if (batches.length === 0) return null;
  return (
    <aside className="tray card" aria-label={t('upload.trayTitle')}>
      {batches.map((batch) => (
        <BatchCard key={batch.id} batch={batch} />
      ))}
    </aside>
  );
}
