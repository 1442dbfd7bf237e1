import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useId, useState } from 'react';
import type { FolderIgnoreRules } from '../../../shared/bridge/index.ts';
import { useShellState } from '../../app/shellState.ts';
import { useTranslation } from '../../i18n/useTranslation.ts';
import type { WorkspaceCapability } from '../../platform/types.ts';
import { Section } from '../../ui/Section.tsx';
import { ErrorState, LoadingRows } from '../../ui/States.tsx';
import { notify } from '../../ui/toast.ts';
import { useErrorText } from '../../ui/useErrorText.ts';

const KEY = 'ignore rules';

interface FolderRulesProps {
  readonly rules: FolderIgnoreRules;
  readonly onSave: (text: string) => Promise<void>;
}

function FolderRules({ rules: { folder, text }, onSave }: FolderRulesProps) {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const id = useId();
  const [draft, setDraft] = useState(text);
  const [isSaving, setSaving] = useState(false);
  const save = () => {
    setSaving(true);
    onSave(draft)
      .then(
        () => notify(t('settings.ignoreSaved')),
        (error: unknown) => notify(errorText(error), 'error'),
      )
      .finally(() => setSaving(false));
  };
  return (
    <div className="field">
      <label className="field__label ignore__folder" htmlFor={id}>
        {t('settings.ignoreIn', { folder })}
      </label>
      <textarea
        id={id}
        className="input mono"
        rows={4}
        spellCheck={false}
        placeholder={'drafts/\n*.bak'}
        value={draft}
        onChange={(event) => setDraft(event.target.value)}
      />
      <div>
        <button type="button" className="button" disabled={isSaving || draft === text} onClick={save}>
          {t('files.save')}
        </button>
      </div>
    </div>
  );
}

/** What is left out of the index: everywhere, and by a file at the top of each folder. */
export function IgnoreRules({ workspace }: { readonly workspace: WorkspaceCapability }) {
  const { t } = useTranslation();
  const queries = useQueryClient();
  const { value: state } = useShellState(workspace);
  const folders = state === null ? [] : [state.folder, ...state.localFolders];
  const { data, error, isPending, isLoadingError, refetch } = useQuery({
    queryKey: [KEY, folders],
    queryFn: () => workspace.ignoreRules(),
  });
  return (
    <Section title={t('settings.ignore')} text={t('settings.ignoreText')}>
      {isPending ? (
        <LoadingRows rows={2} shape="text" />
      ) : isLoadingError ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : (
        <>
          <div>
            <p className="field__label">{t('settings.ignoreAlways')}</p>
            <ul className="ignore__defaults">
              {data.defaults.map((pattern) => (
                <li key={pattern} className="badge mono">
                  {pattern}
                </li>
              ))}
            </ul>
          </div>
          {data.folders.map((rules) => (
            <FolderRules
              key={rules.folder}
              rules={rules}
              onSave={async (text) => {
                await workspace.saveIgnoreRules(rules.folder, text);
                await queries.invalidateQueries({ queryKey: [KEY] });
              }}
            />
          ))}
        </>
      )}
    </Section>
  );
}
