import { Lock } from 'lucide-react';
import { type FormEvent, type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { Link } from 'wouter';
import type { ShelfDocument } from '../../../shared/model/library.ts';
import { documentNameProblem } from '../../../shared/rules/names.ts';
import { useTranslation } from '../../i18n/useTranslation.ts';
import { FileIcon } from '../../ui/FileIcon.tsx';
import { splitName } from '../../ui/fileKind.ts';
import { useErrorText } from '../../ui/useErrorText.ts';

export interface NameEditorProps {
  readonly document: ShelfDocument;
  /** Throws what the server says against the name. */
  readonly onRename: (name: string) => Promise<void>;
  readonly onClose: () => void;
}

/** The part of a name that is meant to be typed over: between its folders and its ending. */
function selectBase(input: HTMLInputElement): void {
  const { folder, base } = splitName(input.value);
  const dot = base.lastIndexOf('.');
  input.setSelectionRange(folder.length, folder.length + (dot > 0 ? dot : base.length));
}

/** The name of a document as a field in its row: Enter or leaving it keeps the name, Escape does not. */
export function NameEditor({ document, onRename, onClose }: NameEditorProps) {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const noteId = useId();
  const input = useRef<HTMLInputElement>(null);
  const [name, setName] = useState(document.name);
  const [isSaving, setSaving] = useState(false);
  const [refusal, setRefusal] = useState<string | null>(null);
  const problem = documentNameProblem(name.trim());
  const note = problem === null ? refusal : t(`names.${problem}`);
  useEffect(() => {
    if (input.current === null) return;
    input.current.focus();
    selectBase(input.current);
  }, []);

  const save = async () => {
    const wanted = name.trim();
    if (isSaving || problem !== null) return;
    if (wanted === document.name) {
      onClose();
      return;
    }
    setSaving(true);
    try {
      await onRename(wanted);
      onClose();
    } catch (error) {
      setRefusal(errorText(error));
      setSaving(false);
    }
  };
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    void save();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape') onClose();
  };
  return (
    <td className="grid__name">
      <FileIcon name={name} />
      <form className="documents__rename" onSubmit={onSubmit} noValidate>
        <input
          className="input"
          value={name}
          ref={input}
          onChange={(event) => {
            setName(event.target.value);
            setRefusal(null);
          }}
          onKeyDown={onKeyDown}
          onBlur={() => (problem === null && refusal === null ? void save() : onClose())}
          aria-label={t('files.renameLabel', { name: document.name })}
          aria-invalid={note !== null}
          aria-describedby={note === null ? undefined : noteId}
          readOnly={isSaving}
          autoComplete="off"
          spellCheck={false}
        />
        {note !== null && (
          <p id={noteId} className="field__error" role="alert">
            {note}
          </p>
        )}
      </form>
    </td>
  );
}

function LockedBy({ name }: { readonly name: string }) {
  const { t } = useTranslation();
  return (
    <span className="documents__lock">
      <Lock aria-hidden="true" />
      <span className="truncated">{t('files.lockedBy', { name })}</span>
    </span>
  );
}

export interface DocumentNameProps {
  readonly document: ShelfDocument;
  readonly href: string;
  readonly tabIndex: 0 | -1;
  /** A row that is not has its words alone; they stay the same elements, which may have the focus. */
  readonly isWhole: boolean;
}

/** A document's name, which opens it, and who has it checked out. */
export function DocumentName({ document, href, tabIndex, isWhole }: DocumentNameProps) {
  const { folder, base } = splitName(document.name);
  return (
    <td className={isWhole ? 'grid__name' : 'grid__name grid__name--plain'}>
      {isWhole && <FileIcon name={document.name} />}
      <span className="grid__text" data-locked={document.lock !== null}>
        <Link
          href={href}
          className={folder === '' || document.lock !== null ? 'grid__link' : 'grid__link documents__path'}
          title={document.name}
          aria-label={document.name}
          data-focus=""
          tabIndex={tabIndex}
        >
          {folder !== '' && <span className="documents__folder">{folder}</span>}
          {folder === '' ? base : <span>{base}</span>}
        </Link>
        {document.lock !== null && <LockedBy name={document.lock.by} />}
      </span>
    </td>
  );
}
