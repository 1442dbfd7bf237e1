import { useMutation } from '@tanstack/react-query';
import { type FormEvent, type ReactNode, useId, useState } from 'react';
import { useTranslation } from '../i18n/useTranslation.ts';
import { Dialog } from './Dialog.tsx';
import { Field } from './Field.tsx';
import { useErrorText } from './useErrorText.ts';

export interface ConfirmDialogProps {
  readonly title: string;
  readonly description?: ReactNode;
  /** The verb on the button. */
  readonly verb: string;
  /** Closes the dialog when it is done; what it throws is shown in the dialog, in these words where they say more. */
  readonly onConfirm: () => Promise<unknown>;
  readonly onClose: () => void;
  readonly errorText?: (error: unknown) => string | null;
  /** What has to be typed first, where nothing brings back what goes. */
  readonly typed?: { readonly label: string; readonly text: string };
  readonly danger?: boolean;
  readonly children?: ReactNode;
}

/** Asks before something that cannot simply be taken back. */
export function ConfirmDialog({
  title,
  description,
  verb,
  onConfirm,
  onClose,
  errorText,
  typed,
  danger = true,
  children,
}: ConfirmDialogProps) {
  const { t } = useTranslation();
  const commonText = useErrorText();
  const formId = useId();
  const [text, setText] = useState('');
  const confirm = useMutation({ mutationFn: onConfirm, onSuccess: onClose });
  const isReady = typed === undefined || text.trim().normalize('NFC') === typed.text;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isReady && !confirm.isPending) confirm.mutate();
  };
  return (
    <Dialog
      title={title}
      {...(description === undefined ? {} : { description })}
      onClose={onClose}
      actions={
        <>
          <button type="button" className="button" onClick={onClose}>
            {t('common.cancel')}
          </button>
          <button
            type="submit"
            form={formId}
            className={danger ? 'button button--danger' : 'button button--primary'}
            disabled={!isReady || confirm.isPending}
          >
            {verb}
          </button>
        </>
      }
    >
      {children}
      <form id={formId} onSubmit={submit} noValidate>
        {typed !== undefined && (
          <Field
            label={typed.label}
            value={text}
            onChange={(event) => setText(event.target.value)}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            autoFocus
          />
        )}
      </form>
      {confirm.isError && (
        <p className="notice notice--danger" role="alert">
          {errorText?.(confirm.error) ?? commonText(confirm.error)}
        </p>
      )}
    </Dialog>
  );
}
