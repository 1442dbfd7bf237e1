import { Check, CornerDownRight, RotateCcw } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from '../../i18n/useTranslation.ts';
import { Dialog } from '../../ui/Dialog.tsx';
import { notify } from '../../ui/toast.ts';
import { useErrorText } from '../../ui/useErrorText.ts';
import { CommentItem } from './CommentItem.tsx';
import { Composer } from './Composer.tsx';
import type { CommentsContext } from './context.ts';
import type { Thread } from './threads.ts';
import { useHasDraft } from './useDraft.ts';

interface DeleteDialogProps {
  /** Answers that go with it. */
  readonly answers: number;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
}

function DeleteDialog({ answers, onConfirm, onClose }: DeleteDialogProps) {
  const { t } = useTranslation();
  return (
    <Dialog
      title={t('talk.deleteTitle')}
      description={answers === 0 ? t('talk.deleteText') : t('talk.deleteAnswers', { count: answers })}
      onClose={onClose}
      actions={
        <>
          <button type="button" className="button" onClick={onClose}>
            {t('common.cancel')}
          </button>
          <button type="button" className="button button--danger" onClick={onConfirm}>
            {t('talk.deleteConfirm')}
          </button>
        </>
      }
    />
  );
}

export interface CommentThreadProps {
  readonly thread: Thread;
  readonly context: CommentsContext;
}

/** A comment, its answers, and what can be done with both. */
export function CommentThread({ thread: { root, answers }, context }: CommentThreadProps) {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const draft = `answer:${root.id}`;
  const [isAnswering, setAnswering] = useState(useHasDraft(draft));
  const [removing, setRemoving] = useState<string | null>(null);
  const { actions, canWrite, members } = context;
  const isResolved = root.resolved_at !== null;
  const name = root.author === null ? t('talk.gone') : root.author.name || root.author.username;
  const tellFailure = (error: unknown) => notify(errorText(error), 'error');
  return (
    <li className={isResolved ? 'thread thread--resolved' : 'thread'}>
      <CommentItem comment={root} context={context} onRemove={() => setRemoving(root.id)} />
      {answers.length > 0 && (
        <ul className="thread__answers">
          {answers.map((answer) => (
            <li key={answer.id}>
              <CommentItem comment={answer} context={context} onRemove={() => setRemoving(answer.id)} />
            </li>
          ))}
        </ul>
      )}
      {isAnswering && canWrite ? (
        <div className="thread__answer">
          <Composer
            label={t('talk.answerTo', { name })}
            placeholder={t('talk.answerPlaceholder')}
            verb={t('talk.answer')}
            draft={draft}
            members={members}
            onSubmit={(comment) => actions.write({ comment, parent_id: root.id })}
            onClose={() => setAnswering(false)}
          />
        </div>
      ) : (
        <div className="thread__foot">
          {isResolved && (
            <span className="badge badge--accent">
              <Check aria-hidden="true" />
              {t('talk.resolved')}
            </span>
          )}
          {canWrite && (
            <>
              <button type="button" className="button button--small button--quiet" onClick={() => setAnswering(true)}>
                <CornerDownRight aria-hidden="true" />
                {t('talk.answer')}
              </button>
              <button
                type="button"
                className="button button--small button--quiet"
                onClick={() => void actions.resolve(root.id, !isResolved).catch(tellFailure)}
              >
                {isResolved ? <RotateCcw aria-hidden="true" /> : <Check aria-hidden="true" />}
                {isResolved ? t('talk.reopen') : t('talk.resolve')}
              </button>
            </>
          )}
        </div>
      )}
      {removing !== null && (
        <DeleteDialog
          answers={removing === root.id ? answers.length : 0}
          onClose={() => setRemoving(null)}
          onConfirm={() => {
            setRemoving(null);
            void actions.remove(removing).catch(tellFailure);
          }}
        />
      )}
    </li>
  );
}
