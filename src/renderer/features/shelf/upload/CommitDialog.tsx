import { useVirtualizer } from '@tanstack/react-virtual';
import { X } from 'lucide-react';
import { type KeyboardEvent, useId, useMemo, useRef, useState } from 'react';
import type { ShelfDocument } from '../../../../shared/model/library.ts';
import { LIMITS } from '../../../../shared/rules/limits.ts';
import { nameKey } from '../../../../shared/rules/names.ts';
import type { UploadItem } from '../../../../shared/upload/uploadEngine.ts';
import { useSession } from '../../../app/services.ts';
import { useTranslation } from '../../../i18n/useTranslation.ts';
import { Dialog } from '../../../ui/Dialog.tsx';
import { FileIcon } from '../../../ui/FileIcon.tsx';
import { useFormats } from '../../../ui/useFormats.ts';
import type { PickedFile } from './nameConflicts.ts';
import { NAME_CHOICES, type NameChoice, type NameChoices, resolveNames } from './nameConflicts.ts';
import './upload.css';

const ROW_HEIGHT = 49;

interface NameChoiceFieldProps {
  readonly label: string;
  readonly value: NameChoice | '';
  readonly onChange: (choice: NameChoice) => void;
}

/** What becomes of a file, or of all files, whose name is on the shelf already. */
function NameChoiceField({ label, value, onChange }: NameChoiceFieldProps) {
  const { t } = useTranslation();
  return (
    <select
      className="input select picked__choice"
      aria-label={label}
      value={value}
      onChange={({ target }) => onChange(NAME_CHOICES.find((each) => each === target.value) ?? 'version')}
    >
      {value === '' && <option value="">{t('uploads.choiceMixed')}</option>}
      {NAME_CHOICES.map((choice) => (
        <option key={choice} value={choice}>
          {t(`uploads.choice_${choice}`)}
        </option>
      ))}
    </select>
  );
}

interface PickedRowProps {
  readonly picked: PickedFile;
  /** Null for a name that is not on the shelf. */
  readonly choice: NameChoice | null;
  readonly onChoice: (choice: NameChoice) => void;
  readonly onRemove: () => void;
}

function PickedRow({ picked: { name, file, problem }, choice, onChoice, onRemove }: PickedRowProps) {
  const { t } = useTranslation();
  const formats = useFormats();
  return (
    <>
      <FileIcon name={name} />
      <span className="picked__text">
        <span className="picked__name">{name}</span>
        {problem !== null && <span className="field__error">{t(`names.${problem}`)}</span>}
      </span>
      <span className="muted nowrap picked__size">{formats.size(file.size)}</span>
      {problem !== null ? (
        <span className="badge badge--danger">{t('upload.unusable')}</span>
      ) : choice !== null ? (
        <NameChoiceField label={t('uploads.choiceFor', { name })} value={choice} onChange={onChoice} />
      ) : (
        <span className="badge badge--accent">{t('upload.newDocument')}</span>
      )}
      <button type="button" className="icon-button" aria-label={t('upload.remove', { name })} onClick={onRemove}>
        <X />
      </button>
    </>
  );
}

interface PickedListProps {
  readonly files: readonly PickedFile[];
  readonly choiceOf: (name: string) => NameChoice | null;
  readonly onChoice: (name: string, choice: NameChoice) => void;
  readonly onRemove: (name: string) => void;
}

/** The chosen files; only the rows in sight are drawn. */
function PickedList({ files, choiceOf, onChoice, onRemove }: PickedListProps) {
  const { t } = useTranslation();
  const scroller = useRef<HTMLDivElement>(null);
  const virtualizer = useVirtualizer({
    count: files.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_HEIGHT,
    getItemKey: (index) => files[index]?.name ?? index,
    overscan: 8,
  });
  return (
    <div className="picked" ref={scroller}>
      <ul className="picked__rows" aria-label={t('upload.files')} style={{ height: virtualizer.getTotalSize() }}>
        {virtualizer.getVirtualItems().map(({ index, start }) => {
          const picked = files[index];
          if (picked === undefined) return null;
          return (
            <li
              key={picked.name}
              ref={virtualizer.measureElement}
              data-index={index}
              className="picked__file"
              style={{ transform: `translateY(${start}px)` }}
            >
              <PickedRow
                picked={picked}
                choice={choiceOf(picked.name)}
                onChoice={(choice) => onChoice(picked.name, choice)}
                onRemove={() => onRemove(picked.name)}
              />
            </li>
          );
        })}
      </ul>
    </div>
  );
}

export interface CommitDialogProps {
  readonly library: string;
  readonly shelf: string;
  readonly documents: readonly ShelfDocument[];
  readonly files: readonly PickedFile[];
  readonly onRemove: (name: string) => void;
  readonly onCancel: () => void;
  readonly onCommit: (message: string, items: readonly UploadItem<File>[]) => void;
}

/** What is about to be committed, under which names, and why: the message. */
export function CommitDialog({ library, shelf, documents, files, onRemove, onCancel, onCommit }: CommitDialogProps) {
  const { t } = useTranslation();
  const formats = useFormats();
  const messageId = useId();
  const username = useSession(({ user }) => user?.username ?? '');
  const [message, setMessage] = useState('');
  const [choices, setChoices] = useState<NameChoices>(new Map());
  const [at] = useState(() => new Date());
  const present = useMemo(() => new Set(documents.map(({ name }) => nameKey(name))), [documents]);
  const clashing = useMemo(
    () => files.filter(({ name, problem }) => problem === null && present.has(nameKey(name))),
    [files, present],
  );
  const items = useMemo(
    () => resolveNames({ files, present, choices, username, at }),
    [files, present, choices, username, at],
  );
  const total = items.reduce((sum, { size }) => sum + size, 0);
  const choiceOf = (name: string) => (present.has(nameKey(name)) ? (choices.get(name) ?? 'version') : null);
  const ofAll = new Set(clashing.map(({ name }) => choiceOf(name)));
  const commit = () => {
    if (items.length > 0) onCommit(message.trim(), items);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) commit();
  };
  return (
    <Dialog
      title={t('upload.title', { count: items.length })}
      description={t('uploads.description', { library, shelf, size: formats.size(total) })}
      onClose={onCancel}
      size="lg"
      actions={
        <>
          <button type="button" className="button" onClick={onCancel}>
            {t('common.cancel')}
          </button>
          <button type="button" className="button button--primary" onClick={commit} disabled={items.length === 0}>
            {t('upload.start', { count: items.length })}
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
      {clashing.length > 0 && (
        <div className="picked__all">
          <p>{t('uploads.clashes', { count: clashing.length })}</p>
          {clashing.length > 1 && (
            <span className="picked__for">
              <span aria-hidden="true">{t('uploads.choiceForAll')}</span>
              <NameChoiceField
                label={t('uploads.choiceForAll')}
                value={ofAll.size === 1 ? ([...ofAll][0] ?? 'version') : ''}
                onChange={(choice) => setChoices(new Map(clashing.map(({ name }) => [name, choice])))}
              />
            </span>
          )}
        </div>
      )}
      <PickedList
        files={files}
        choiceOf={choiceOf}
        onChoice={(name, choice) => setChoices((before) => new Map(before).set(name, choice))}
        onRemove={onRemove}
      />
    </Dialog>
  );
}
