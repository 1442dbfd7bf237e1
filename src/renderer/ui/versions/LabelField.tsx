import { type FormEvent, type KeyboardEvent, useEffect, useRef, useState } from 'react';
import type { Version } from '../../../shared/model/library.ts';
import { useTranslation } from '../../i18n/useTranslation.ts';
import './labelField.css';

const LABEL_MAX = 100;

export interface LabelFieldProps {
  readonly version: Version;
  /** Null takes the name away. */
  readonly onSave: (label: string | null) => void;
  readonly onClose: () => void;
}

/** Names a version, in its row. */
export function LabelField({ version, onSave, onClose }: LabelFieldProps) {
  const { t } = useTranslation();
  const input = useRef<HTMLInputElement>(null);
  const [text, setText] = useState(version.label ?? '');
  useEffect(() => input.current?.focus(), []);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const wanted = text.trim();
    onSave(wanted === '' ? null : wanted);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape') return;
    // Closes the field, and not the dialog around it.
    event.stopPropagation();
    onClose();
  };
  return (
    <form className="version-label-form" onSubmit={submit}>
      <input
        className="input"
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={onKeyDown}
        maxLength={LABEL_MAX}
        aria-label={t('files.labelOf', { number: version.number })}
        placeholder={t('files.labelPlaceholder')}
        autoComplete="off"
        ref={input}
      />
      <button type="submit" className="button">
        {t('files.save')}
      </button>
      <button type="button" className="button button--quiet" onClick={onClose}>
        {t('common.cancel')}
      </button>
    </form>
  );
}
