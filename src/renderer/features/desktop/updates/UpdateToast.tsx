import { CircleAlert, CircleCheck, Download, X } from 'lucide-react';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import type { UpdateState } from '../../../../shared/model/update.ts';
import { useTranslation } from '../../../i18n/useTranslation.ts';
import { notify } from '../../../ui/toast.ts';
import { useInstalling } from './installUpdate.ts';
import { ReleaseNotes } from './ReleaseNotes.tsx';
import { UpdateMeter } from './UpdateMeter.tsx';
import { type UpdateSteps, useUpdateError, useUpdates } from './useUpdates.ts';
import './updates.css';

/** Whole seconds until a moment, counted down. */
function useSecondsUntil(moment: number | null): number {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    if (moment === null) return undefined;
    setNow(Date.now());
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, [moment]);
  return moment === null ? 0 : Math.max(0, Math.ceil((moment - now) / 1000));
}

/** Says once that there is nothing newer, to who asked. */
function useLatestNotice(state: UpdateState | null): void {
  const { t } = useTranslation();
  const before = useRef<UpdateState['status'] | null>(null);
  const status = state?.status ?? null;
  const isManual = state?.isManual === true;
  useEffect(() => {
    const isNews = status === 'update-not-available' && before.current === 'checking' && isManual;
    before.current = status;
    if (isNews) notify(t('updates.latest'), 'info');
  }, [status, isManual, t]);
}

interface CardProps {
  readonly icon: ReactNode;
  readonly title: string;
  readonly onClose?: (() => void) | undefined;
  readonly children?: ReactNode;
}

function Card({ icon, title, onClose, children }: CardProps) {
  const { t } = useTranslation();
  return (
    <aside className="update-toast card" aria-label={title}>
      <header className="update-toast__head">
        {icon}
        <strong role="status">{title}</strong>
        {onClose !== undefined && (
          <button type="button" className="icon-button" aria-label={t('common.close')} onClick={onClose}>
            <X />
          </button>
        )}
      </header>
      {children}
    </aside>
  );
}

interface OfferProps {
  readonly state: UpdateState;
  readonly steps: UpdateSteps;
}

/** An update that can be fetched, is being fetched, or can be installed. */
function Offer({ state, steps }: OfferProps) {
  const { t } = useTranslation();
  const until = useInstalling((installing) => installing.until);
  const seconds = useSecondsUntil(until);
  const { status, version } = state;
  const isReady = status === 'update-ready' || status === 'installing';
  const isWaiting = until !== null;
  const isFetching = status === 'download-progress' || status === 'update-downloaded';
  return (
    <Card
      icon={<Download aria-hidden="true" />}
      title={isReady ? t('updates.ready') : t('updates.available')}
      onClose={isWaiting || status === 'installing' ? undefined : steps.dismiss}
    >
      <p className="muted">{t(isFetching ? 'updates.fetching' : 'updates.version', { version: version ?? '' })}</p>
      {isFetching && <UpdateMeter percent={state.percent} />}
      {isWaiting && <p role="status">{t('updates.waiting', { count: seconds })}</p>}
      {!isFetching && !isWaiting && version !== null && status !== 'installing' && (
        <ReleaseNotes version={version} title={t('updates.notes', { version })} />
      )}
      {status === 'installing' && (
        <p className="update-toast__busy" role="status">
          <span className="spinner" aria-hidden="true" />
          {t('updates.installing')}
        </p>
      )}
      {!isFetching && status !== 'installing' && (
        <div className="update-toast__actions">
          {isWaiting ? (
            <button type="button" className="button button--small" onClick={steps.cancel}>
              {t('common.cancel')}
            </button>
          ) : (
            <button
              type="button"
              className="button button--small button--primary"
              onClick={isReady ? steps.install : steps.download}
            >
              {t('updates.now')}
            </button>
          )}
        </div>
      )}
    </Card>
  );
}

/** The notice of desktop-shell.md §2: what an update offers, how far it is, that it failed, and that it is done. */
export function UpdateToast({ isComplete }: { readonly isComplete: boolean }) {
  const { t } = useTranslation();
  const updates = useUpdates();
  const errorText = useUpdateError();
  useLatestNotice(updates?.state ?? null);
  if (isComplete) return <Card icon={<CircleCheck aria-hidden="true" />} title={t('updates.complete')} />;
  if (updates === null || updates.state.isDismissed) return null;
  const { state, steps } = updates;
  switch (state.status) {
    case 'update-available-prompt':
      // What is fetched unasked is offered when it is there; on its battery the machine asks first.
      return <Offer state={state} steps={steps} />;
    case 'download-progress':
    case 'update-downloaded':
      return state.isManual ? <Offer state={state} steps={steps} /> : null;
    case 'update-ready':
    case 'installing':
      return <Offer state={state} steps={steps} />;
    case 'update-error': {
      // The clock's own looks fail in silence where there is no network; a file that is not what it should be is told.
      const isNews = state.isManual || state.error === 'content-mismatch' || state.error === 'storage-full';
      return isNews && state.error !== null ? (
        <Card icon={<CircleAlert aria-hidden="true" />} title={t('updates.failed')} onClose={steps.dismiss}>
          <p>{errorText(state.error)}</p>
          <div className="update-toast__actions">
            <button type="button" className="button button--small" onClick={steps.check}>
              {t('common.tryAgain')}
            </button>
          </div>
        </Card>
      ) : null;
    }
    default:
      return null;
  }
}
