import { X } from 'lucide-react';
import { type KeyboardEvent, useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ShelfDocument } from '../../../../shared/model/library.ts';
import { LIMITS } from '../../../../shared/rules/limits.ts';
import { nameKey } from '../../../../shared/rules/names.ts';
import { Dialog } from '../../../ui/Dialog.tsx';
import { FileIcon } from '../../../ui/FileIcon.tsx';
import { useFormats } from '../../../ui/useFormats.ts';
import type { PickedFile } from './pickedFiles.ts';
import './upload.css';

export interface CommitDialogProps {
  readonly library: string;
  readonly shelf: string;
  readonly documents: readonly ShelfDocument[];
  readonly files: readonly PickedFile[];
  readonly onRemove: (name: string) => void;
  readonly onCancel: () => void;
  readonly onCommit: (message: string) => void;
}

/** What is about to be committed, and why: the message. */
export function CommitDialog({ library, shelf, documents, files, onRemove, onCancel, onCommit }: CommitDialogProps) {
  const { t } = useTranslation();
  const formats = useFormats();
  const messageId = useId();
  const [message, setMessage] = useState('');
  const present = new Set(documents.map(({ name }) => nameKey(name)));
  const usable = files.filter(({ problem }) => problem === null);
  const total = usable.reduce((sum, { file }) => sum + file.size, 0);
  const commit = () => {
    if (usable.length > 0) onCommit(message.trim());
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) commit();
  };
  return (
    <Dialog
      title={t('upload.title', { count: usable.length })}
      description={t('upload.description', { library, shelf, size: formats.size(total) })}
      onClose={onCancel}
      wide
      actions={
        <>
          <button type="button" className="button" onClick={onCancel}>
            {t('common.cancel')}
          </button>
          <button type="button" className="button button--primary" onClick={commit} disabled={usable.length === 0}>
            {t('upload.start', { count: usable.length })}
          </button>
        </>
      }
    >
      <div className="field">
        <label className="field__label" htmlFor={messageId}>
          {t('upload.message')}
        </label>
        <textarea
          id={messageId}
          className="input"
          value={message}
          onChange={(event) => setMessage(event.target.value)}
          onKeyDown={onKeyDown}
          placeholder={t('upload.messagePlaceholder')}
          maxLength={LIMITS.commitMessageMaxLength}
          rows={2}
          autoFocus
        />
      </div>
      <ul className="picked" aria-label={t('upload.files')}>
        {files.map(({ name, file, problem }) => (
          <li key={name} className="picked__file">
            <FileIcon name={name} />
            <span className="picked__text">
              <span className="picked__name">{name}</span>
              {problem !== null && <span className="field__error">{t(`names.${problem}`)}</span>}
            </span>
            <span className="muted nowrap">{formats.size(file.size)}</span>
            {problem !== null ? (
              <span className="badge badge--danger">{t('upload.unusable')}</span>
            ) : present.has(nameKey(name)) ? (
              <span className="badge badge--info">{t('upload.newVersion')}</span>
            ) : (
              <span className="badge badge--accent">{t('upload.newDocument')}</span>
            )}
            <button
              type="button"
              className="icon-button"
              aria-label={t('upload.remove', { name })}
              onClick={() => onRemove(name)}
            >
              <X />
            </button>
          </li>
        ))}
      </ul>
    </Dialog>
  );
}
