import { useMutation } from '@tanstack/react-query';
import { type FormEvent, type KeyboardEvent, useId, useRef, useState } from 'react';
import { LIMITS } from '../../../shared/rules/limits.ts';
import { useTranslation } from '../../i18n/useTranslation.ts';
import { Avatar } from '../../ui/Avatar.tsx';
import { useErrorText } from '../../ui/useErrorText.ts';
import { completeMention, type Mentionable, mentionAt, suggestions, type TypedMention } from './mentions.ts';
import { useDraft } from './useDraft.ts';

export interface ComposerProps {
  readonly label: string;
  readonly placeholder: string;
  /** The verb on the button. */
  readonly verb: string;
  /** Names what is written, so that it can be kept. */
  readonly draft: string;
  readonly initial?: string;
  /** Who can be named. */
  readonly members: readonly Mentionable[];
  readonly onSubmit: (text: string) => Promise<unknown>;
  /** Given where it can be closed again. It is closed after sending too. */
  readonly onClose?: () => void;
}

interface CounterProps {
  readonly id: string;
  readonly length: number;
}

function Counter({ id, length }: CounterProps) {
  const { t } = useTranslation();
  const max = LIMITS.commentMaxLength;
  const isTooLong = length > max;
  const used = length === 0 ? '' : t('talk.counter', { count: length, max });
  return (
    <span id={id} className={isTooLong ? 'composer__counter field__error' : 'composer__counter'}>
      {isTooLong ? t('talk.tooLong', { count: length - max }) : used}
    </span>
  );
}

interface SuggestionsProps {
  readonly id: string;
  readonly members: readonly Mentionable[];
  readonly active: number;
  readonly onChoose: (member: Mentionable) => void;
}

function Suggestions({ id, members, active, onChoose }: SuggestionsProps) {
  const { t } = useTranslation();
  return (
    <div id={id} role="listbox" className="composer__mentions" aria-label={t('talk.mentions')}>
      {members.map((member, index) => (
        // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the text, which points to it
        // biome-ignore lint/a11y/useKeyWithClickEvents: the text's keys choose it
        <div
          key={member.username}
          id={`${id}-${index}`}
          role="option"
          aria-selected={index === active}
          className="composer__mention"
          // Pressing must not take the focus out of the text.
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => onChoose(member)}
        >
          <Avatar name={member.name || member.username} username={member.username} />
          <span className="truncated">{member.name || member.username}</span>
          <span className="muted truncated">@{member.username}</span>
        </div>
      ))}
    </div>
  );
}

/** Where a comment is written: members are named with `@`, Ctrl or Cmd with Enter sends. */
export function Composer({ label, placeholder, verb, draft, initial, members, onSubmit, onClose }: ComposerProps) {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const id = useId();
  const field = useRef<HTMLTextAreaElement>(null);
  const { text, change, clear } = useDraft(draft, initial);
  const [typed, setTyped] = useState<TypedMention | null>(null);
  const [active, setActive] = useState(0);
  const send = useMutation({
    mutationFn: onSubmit,
    onSuccess: () => {
      clear();
      onClose?.();
    },
  });
  const { length } = text.trim();
  const canSend = length > 0 && length <= LIMITS.commentMaxLength && !send.isPending;
  const found = typed === null ? [] : suggestions(members, typed.query);
  const chosen = Math.min(active, found.length - 1);

  const look = (element: HTMLTextAreaElement) => {
    setTyped(mentionAt(element.value, element.selectionStart));
    setActive(0);
  };
  const complete = (member: Mentionable | undefined) => {
    if (typed === null || member === undefined) return;
    const completed = completeMention(text, typed, member.username);
    change(completed.text);
    setTyped(null);
    requestAnimationFrame(() => field.current?.setSelectionRange(completed.caret, completed.caret));
  };
  const close = () => {
    clear();
    onClose?.();
  };
  const submit = () => {
    if (canSend) send.mutate(text.trim());
  };
  const onMentionKey = (event: KeyboardEvent): boolean => {
    if (found.length === 0) return false;
    if (event.key === 'ArrowDown') setActive((chosen + 1) % found.length);
    else if (event.key === 'ArrowUp') setActive((chosen - 1 + found.length) % found.length);
    else if (event.key === 'Enter' || event.key === 'Tab') complete(found[chosen]);
    else if (event.key === 'Escape') setTyped(null);
    else return false;
    return true;
  };
  const onKeyDown = (event: KeyboardEvent) => {
    // Keys of a word that an input method is still putting together are not ours.
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      submit();
    } else if (onMentionKey(event)) {
      event.preventDefault();
      event.stopPropagation();
    } else if (event.key === 'Escape' && onClose !== undefined) {
      event.stopPropagation();
      close();
    }
  };

  return (
    <form
      className="composer"
      onSubmit={(event: FormEvent) => {
        event.preventDefault();
        submit();
      }}
    >
      <div className="composer__field">
        <textarea
          ref={field}
          className="input"
          aria-label={label}
          aria-describedby={`${id}-counter`}
          aria-invalid={length > LIMITS.commentMaxLength}
          aria-autocomplete="list"
          {...(found.length === 0
            ? {}
            : { 'aria-controls': `${id}-members`, 'aria-activedescendant': `${id}-members-${chosen}` })}
          placeholder={placeholder}
          rows={2}
          value={text}
          // Somebody who asked to answer or edit goes on typing.
          // biome-ignore lint/a11y/noAutofocus: it appears by the person's own doing
          autoFocus={onClose !== undefined}
          onFocus={(event) => onClose !== undefined && event.target.setSelectionRange(text.length, text.length)}
          onChange={(event) => {
            change(event.target.value);
            look(event.target);
          }}
          onClick={(event) => look(event.currentTarget)}
          onBlur={() => setTyped(null)}
          onKeyDown={onKeyDown}
        />
        {found.length > 0 && <Suggestions id={`${id}-members`} members={found} active={chosen} onChoose={complete} />}
      </div>
      {send.isError && (
        <p className="field__error" role="alert">
          {errorText(send.error)}
        </p>
      )}
      <div className="composer__foot">
        <Counter id={`${id}-counter`} length={length} />
        {onClose !== undefined && (
          <button type="button" className="button button--small button--quiet" onClick={close}>
            {t('common.cancel')}
          </button>
        )}
        <button type="submit" className="button button--small button--primary" disabled={!canSend}>
          {send.isPending ? t('talk.posting') : verb}
        </button>
      </div>
    </form>
  );
}
