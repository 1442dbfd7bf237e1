import { ArrowDown, ArrowUp, X } from 'lucide-react';
import type { KeyboardEvent, RefObject } from 'react';
import { useStore } from 'zustand';
import { createStore } from 'zustand/vanilla';
import { LIMITS } from '../../../../shared/rules/limits.ts';
import { useTranslation } from '../../../i18n/useTranslation.ts';
import { IconButton } from '../../../ui/IconButton.tsx';
import type { FindState } from './findSession.ts';
import { FIND } from './findSession.ts';
import type { Find } from './useFind.ts';
import './find.css';

/** Stands in while the text is not there yet. */
const WAITING = createStore<FindState>()(() => ({
  query: '',
  phase: 'idle',
  matches: [],
  hasMore: false,
  active: -1,
}));

function useStatus({ session, text, isLoading, problem }: Find): string {
  const { t } = useTranslation();
  const { query, phase, matches, hasMore, active } = useStore(session?.store ?? WAITING);
  if (problem !== null) return t(`viewer.find_${problem}`);
  if ([...text].length < FIND.minLength) return '';
  if (isLoading) return t('viewer.findLoading');
  if (phase === 'failed') return t('viewer.find_unreachable');
  if (query === '' || (phase === 'searching' && matches.length === 0)) return t('viewer.finding');
  if (matches.length === 0) return t('viewer.noMatches');
  const total = t(hasMore ? 'viewer.totalAndMore' : 'viewer.total', { count: matches.length });
  return active < 0 ? t('viewer.matches', { total }) : t('viewer.matchOf', { number: active + 1, total });
}

export interface FindBarProps {
  readonly find: Find;
  readonly input: RefObject<HTMLInputElement | null>;
  readonly onClose: () => void;
}

/** Finds in the document that is in sight: the browser's own search knows only what is drawn of it. */
export function FindBar({ find, input, onClose }: FindBarProps) {
  const { t } = useTranslation();
  const { session, text, type } = find;
  const status = useStatus(find);
  const hasMatches = useStore(session?.store ?? WAITING, ({ matches }) => matches.length > 0);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === 'Escape') onClose();
    else if (event.key === 'Enter') session?.step(event.shiftKey ? -1 : 1);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <search className="find-bar" aria-label={t('viewer.find')} onKeyDown={onKeyDown}>
      <input
        ref={input}
        type="text"
        className="input find-bar__input"
        aria-label={t('viewer.find')}
        placeholder={t('viewer.find')}
        maxLength={LIMITS.searchMaxLength}
        autoComplete="off"
        spellCheck={false}
        value={text}
        onChange={({ target }) => type(target.value)}
      />
      <span className="find-bar__status" role="status">
        {status}
      </span>
      {find.problem === 'unreachable' && (
        <button type="button" className="button button--small" onClick={find.retry}>
          {t('common.tryAgain')}
        </button>
      )}
      <IconButton label={t('viewer.previousMatch')} disabled={!hasMatches} onClick={() => session?.step(-1)}>
        <ArrowUp />
      </IconButton>
      <IconButton label={t('viewer.nextMatch')} disabled={!hasMatches} onClick={() => session?.step(1)}>
        <ArrowDown />
      </IconButton>
      <IconButton label={t('viewer.closeFind')} onClick={onClose}>
        <X />
      </IconButton>
    </search>
  );
}
