import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { type NameProblem, nameProblem } from '../../shared/rules/names.ts';
import { useTranslation } from '../i18n/useTranslation.ts';

const PAUSE_MS = 300;

const PROBLEMS: ReadonlySet<string> = new Set<NameProblem>([
  'empty',
  'too-long',
  'forbidden-character',
  'control-character',
  'leading-or-trailing',
  'device-name',
  'reserved',
  'empty-folder',
]);

/** The text that follows the typing with a pause. */
export function useDebounced(text: string, pauseMs: number): string {
  const [settled, setSettled] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), pauseMs);
    return () => clearTimeout(timer);
  }, [text, pauseMs]);
  return settled;
}

export interface NameCheck {
  readonly state: 'empty' | 'checking' | 'good' | 'bad';
  /** The text beside the field. */
  readonly text: string;
}

/** Checks a name as it is typed: first by the rules, then with the server. A server out of reach does not block the form. */
export function useNameCheck(
  name: string,
  scope: string,
  ask: (name: string) => Promise<{ readonly available: boolean; readonly problem: string | null }>,
): NameCheck {
  const { t } = useTranslation();
  const settled = useDebounced(name, PAUSE_MS);
  const problem = nameProblem(name);
  const { data, isFetching } = useQuery({
    queryKey: ['name-check', scope, settled],
    queryFn: () => ask(settled),
    enabled: settled === name && problem === null,
    staleTime: 5000,
    retry: false,
  });
  if (name === '') return { state: 'empty', text: '' };
  if (problem !== null) return { state: 'bad', text: t(`names.${problem}`) };
  if (settled !== name || isFetching) return { state: 'checking', text: t('names.checking') };
  if (data === undefined) return { state: 'good', text: '' };
  if (data.available) return { state: 'good', text: t('names.available') };
  const known = data.problem !== null && PROBLEMS.has(data.problem) ? (data.problem as NameProblem) : null;
  return { state: 'bad', text: known === null ? t('names.taken') : t(`names.${known}`) };
}
