import { useMutation } from '@tanstack/react-query';
import { CircleCheck, FolderOpen, MonitorX, RotateCw, Undo2 } from 'lucide-react';
import { type KeyboardEvent, useEffect, useId, useMemo, useRef, useState } from 'react';
import type { Checkout, ConflictAction } from '../../../../shared/model/workspace.ts';
import { LIMITS } from '../../../../shared/rules/limits.ts';
import { useTranslation } from '../../../i18n/useTranslation.ts';
import type { WorkspaceCapability } from '../../../platform/types.ts';
import { ConfirmDialog } from '../../../ui/ConfirmDialog.tsx';
import { Dialog } from '../../../ui/Dialog.tsx';
import { Meter } from '../../../ui/Meter.tsx';
import { ErrorState, LoadingRows } from '../../../ui/States.tsx';
import { notify } from '../../../ui/toast.ts';
import { useBatch } from '../../../ui/useBatch.ts';
import { useErrorText } from '../../../ui/useErrorText.ts';
import { When } from '../../../ui/When.tsx';
import { ChangeList } from './ChangeList.tsx';
import { type ChangeRowActions, choicesFor } from './ChangeRow.tsx';
import { useSummaryText } from './CheckoutButton.tsx';
import { ConflictChoices } from './ConflictChoices.tsx';
import { isTicked, NEW_DRAFT, useDrafts, withAll, withoutCommitted, withToggled } from './drafts.ts';
import { isCommittable, pathOfCopy, summaryOf } from './summary.ts';
import { useChanges } from './useCheckouts.ts';
import './checkouts.css';

export interface ChangesDialogProps {
  readonly checkout: Checkout;
  readonly workspace: WorkspaceCapability;
  readonly onClose: () => void;
}

/** What keeps the shelf from being in step, or from being written to. */
function StateNotice({ checkout: { state, message, is_writable } }: { readonly checkout: Checkout }) {
  const { t } = useTranslation();
  if (state === 'elsewhere' || state === 'gone' || state === 'offline' || state === 'failed') {
    return (
      <div className={state === 'failed' ? 'notice notice--danger' : 'notice notice--warning'}>
        <div>
          <p>{t(`checkouts.notices.${state}`)}</p>
          {state === 'failed' && message !== null && <p className="muted mono checkout-failure">{message}</p>}
        </div>
      </div>
    );
  }
  return is_writable ? null : <p className="notice">{t('checkouts.notices.readOnly')}</p>;
}

/** Nothing is known to differ, as far as that can be said. */
function Empty({ state }: Pick<Checkout, 'state'>) {
  const { t } = useTranslation();
  if (state !== 'ready' && state !== 'working' && state !== 'offline') return null;
  return (
    <p className="checkout-empty">
      <CircleCheck aria-hidden="true" />
      {state === 'offline' ? t('checkouts.emptyOffline') : t('checkouts.empty')}
    </p>
  );
}

/** What can be done with the whole folder, and how it stands. */
function Toolbar(props: ChangesDialogProps & { readonly onFailure: (error: unknown) => void }) {
  const { checkout, workspace, onClose, onFailure } = props;
  const { t } = useTranslation();
  const summaryText = useSummaryText();
  const [isReleasing, setReleasing] = useState(false);
  const { mutate: look, isPending: isLooking } = useMutation({
    mutationFn: () => workspace.checkouts.sync(),
    onError: onFailure,
  });
  const open = () => {
    workspace.showInFolder(checkout.folder).catch(onFailure);
  };
  return (
    <div className="checkout-tools">
      <span className="checkout-tools__state" role="status">
        {summaryText(summaryOf(checkout))}
        {checkout.checked_at !== null && (
          <span className="muted">
            {t('checkouts.lookedAt')} <When moment={checkout.checked_at} />
          </span>
        )}
      </span>
      <span className="checkout-tools__buttons">
        <button type="button" className="button button--small" disabled={isLooking} onClick={() => look()}>
          <RotateCw className={isLooking ? 'turning' : ''} aria-hidden="true" />
          {t('checkouts.lookNow')}
        </button>
        <button type="button" className="button button--small" onClick={open}>
          <FolderOpen aria-hidden="true" />
          {t('checkouts.openFolder')}
        </button>
        <button type="button" className="button button--small" onClick={() => setReleasing(true)}>
          <MonitorX aria-hidden="true" />
          {t('checkouts.release')}
        </button>
      </span>
      {isReleasing && (
        <ConfirmDialog
          title={t('checkouts.releaseTitle', { shelf: checkout.shelf })}
          description={t('checkouts.releaseText', { folder: checkout.folder })}
          verb={t('checkouts.releaseVerb')}
          danger={false}
          onConfirm={async () => {
            await workspace.checkouts.release(checkout.folder);
            notify(t('checkouts.released', { shelf: checkout.shelf }));
            onClose();
          }}
          onClose={() => setReleasing(false)}
        />
      )}
    </div>
  );
}

/** What is asked about before it is done. */
type Question =
  | { readonly kind: 'discard'; readonly names: readonly string[] }
  | { readonly kind: 'theirs'; readonly names: readonly string[] };

/** The changes of a shelf that is kept on this computer: to commit, to discard, and its conflicts to settle. */
export function ChangesDialog({ checkout, workspace, onClose }: ChangesDialogProps) {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const messageId = useId();
  const { checkouts } = workspace;
  const { folder, shelf, library, shelf_id, state } = checkout;
  const { data, error, isPending, isLoadingError, refetch } = useChanges(checkouts, checkout);
  const draft = useDrafts(({ byFolder }) => byFolder[folder]) ?? NEW_DRAFT;
  const changeDraft = useDrafts((store) => store.change);
  const [failure, setFailure] = useState<unknown>(null);
  const [question, setQuestion] = useState<Question | null>(null);
  const { progress: settling, run } = useBatch();
  const isOpen = useRef(true);
  useEffect(() => {
    isOpen.current = true;
    return () => {
      isOpen.current = false;
    };
  }, []);
  /** Said where it happened, or in passing when the dialog was closed meanwhile. */
  const fail = (thrown: unknown) => {
    if (isOpen.current) setFailure(thrown);
    else notify(errorText(thrown), 'error');
  };

  const documents = data?.documents ?? [];
  const committable = useMemo(
    () => (data?.documents ?? []).filter(isCommittable).map(({ name }) => name),
    [data?.documents],
  );
  const ticked = committable.filter((name) => isTicked(draft, name));
  const conflicts = documents.filter(({ code }) => code === 'C');
  const isWritable = checkout.is_writable && state !== 'gone' && state !== 'elsewhere';

  const commit = useMutation({
    mutationFn: (names: readonly string[]) => checkouts.commit(folder, names, draft.message.trim()),
    onMutate: () => setFailure(null),
    onSuccess: ({ commit: hash }, names) => {
      changeDraft(folder, (before) => withoutCommitted(before, new Set(names), committable));
      if (hash === null) notify(t('upload.nothing'), 'info');
      else notify(t('checkouts.committed', { count: names.length, shelf }));
    },
    onError: fail,
    onSettled: () => refetch(),
  });
  const resolve = useMutation({
    mutationFn: ({ name, action }: { readonly name: string; readonly action: ConflictAction }) =>
      checkouts.resolve(folder, name, action),
    onMutate: () => setFailure(null),
    onError: fail,
    onSettled: () => refetch(),
  });
  const resolveAll = async (names: readonly string[], action: ConflictAction) => {
    setFailure(null);
    const failures = await run(names, 1, async (some) => {
      const outcomes = await Promise.allSettled(some.map((name) => checkouts.resolve(folder, name, action)));
      return outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason as unknown] : []));
    });
    if (failures.length > 0) fail(failures[0]);
    await refetch();
  };
  const askAll = (action: ConflictAction) => {
    const names = conflicts.filter((each) => choicesFor(each).includes(action)).map(({ name }) => name);
    if (action === 'keep-theirs') setQuestion({ kind: 'theirs', names });
    else void resolveAll(names, action);
  };
  const isBusy = commit.isPending || resolve.isPending || settling !== null;
  const submit = () => {
    if (ticked.length > 0 && isWritable && !isBusy) commit.mutate(ticked);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) submit();
  };
  const actions: ChangeRowActions = {
    toggle: (name) => changeDraft(folder, (before) => withToggled(before, name)),
    resolve: (name, action) => resolve.mutate({ name, action }),
    discard: (names) => setQuestion({ kind: 'discard', names }),
    show: (name) => {
      workspace.showInFolder(pathOfCopy(folder, name)).catch(fail);
    },
  };
  const { progress } = checkout;
  return (
    <Dialog
      title={t('checkouts.title', { shelf })}
      description={t('checkouts.where', { library, folder })}
      onClose={onClose}
      size="xl"
      isAddressed
      actions={
        <>
          <button type="button" className="button" onClick={onClose}>
            {t('common.close')}
          </button>
          {isWritable && committable.length > 0 && (
            <button
              type="button"
              className="button button--primary"
              disabled={ticked.length === 0 || isBusy}
              onClick={submit}
            >
              {commit.isPending ? t('upload.committing') : t('checkouts.commit', { count: ticked.length })}
            </button>
          )}
        </>
      }
    >
      <Toolbar checkout={checkout} workspace={workspace} onClose={onClose} onFailure={fail} />
      <StateNotice checkout={checkout} />
      {isPending ? (
        <LoadingRows rows={4} />
      ) : isLoadingError ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : documents.length === 0 ? (
        <Empty state={state} />
      ) : (
        <>
          {conflicts.length > 0 && (
            <ConflictChoices
              count={conflicts.length}
              progress={settling}
              isWritable={isWritable}
              isBusy={isBusy}
              onAll={askAll}
            />
          )}
          <div className="checkout-selection">
            {isWritable && committable.length > 0 && (
              <label className="check">
                <input
                  ref={(element) => {
                    if (element !== null) {
                      element.indeterminate = ticked.length > 0 && ticked.length < committable.length;
                    }
                  }}
                  type="checkbox"
                  checked={ticked.length === committable.length}
                  disabled={isBusy}
                  onChange={({ target }) => changeDraft(folder, (before) => withAll(before, target.checked))}
                />
                {t('checkouts.tickAll', { ticked: ticked.length, count: committable.length })}
              </label>
            )}
            {data.count > documents.length && (
              <span className="muted">{t('checkouts.listed', { shown: documents.length, count: data.count })}</span>
            )}
            {ticked.length > 0 && (
              <button
                type="button"
                className="button button--small button--quiet checkout-selection__discard"
                disabled={isBusy}
                onClick={() => setQuestion({ kind: 'discard', names: ticked })}
              >
                <Undo2 aria-hidden="true" />
                {t('checkouts.discard', { count: ticked.length })}
              </button>
            )}
          </div>
          <ChangeList
            documents={documents}
            library={library}
            shelfId={shelf_id}
            isTicked={(name) => isTicked(draft, name)}
            isWritable={isWritable}
            isBusy={isBusy}
            actions={actions}
          />
        </>
      )}
      {isWritable && (committable.length > 0 || draft.message !== '') && (
        <div className="field">
          <label className="field__label" htmlFor={messageId}>
            {t('upload.message')}
          </label>
          <textarea
            id={messageId}
            className="input checkout-message"
            value={draft.message}
            onChange={({ target }) => changeDraft(folder, (before) => ({ ...before, message: target.value }))}
            onKeyDown={onKeyDown}
            placeholder={t('upload.messagePlaceholder')}
            maxLength={LIMITS.commitMessageMaxLength}
            readOnly={commit.isPending}
            rows={2}
          />
        </div>
      )}
      {commit.isPending && progress !== null && progress.total > 0 && (
        <Meter label={t('upload.committing')} {...progress} />
      )}
      {failure !== null && (
        <p className="notice notice--danger" role="alert">
          {errorText(failure)}
        </p>
      )}
      {question?.kind === 'discard' && (
        <ConfirmDialog
          title={t('checkouts.discardTitle', { count: question.names.length, name: question.names[0] ?? '' })}
          description={t('checkouts.discardText')}
          verb={t('checkouts.discard', { count: question.names.length })}
          onConfirm={async () => {
            await checkouts.discard(folder, question.names);
            await refetch();
          }}
          onClose={() => setQuestion(null)}
        />
      )}
      {question?.kind === 'theirs' && (
        <ConfirmDialog
          title={t('checkouts.theirsTitle', { count: question.names.length })}
          description={t('checkouts.explained.keep-theirs')}
          verb={t('checkouts.choices.keep-theirs')}
          onConfirm={async () => {
            void resolveAll(question.names, 'keep-theirs');
          }}
          onClose={() => setQuestion(null)}
        />
      )}
    </Dialog>
  );
}
