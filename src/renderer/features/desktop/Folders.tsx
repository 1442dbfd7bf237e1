import { FolderOpen, FolderPlus, Trash2 } from 'lucide-react';
import { isAppError } from '../../../shared/errors.ts';
import { useServices } from '../../app/services.ts';
import { useShellState } from '../../app/shellState.ts';
import { useTranslation } from '../../i18n/useTranslation.ts';
import type { WorkspaceCapability } from '../../platform/types.ts';
import { ErrorState, LoadingRows } from '../../ui/States.tsx';
import { notify } from '../../ui/toast.ts';
import { useErrorText } from '../../ui/useErrorText.ts';

/** Runs a step of the shell's; a dialog that was closed without a choice is no error. */
function useShellStep(): (step: Promise<unknown>) => void {
  const errorText = useErrorText();
  return (step) => {
    step.catch((error: unknown) => {
      if (!isAppError(error, 'cancelled')) notify(errorText(error), 'error');
    });
  };
}

/** The folder whose files are indexed, and the way to choose it. */
export function WorkspaceFolder({ workspace }: { readonly workspace: WorkspaceCapability }) {
  const { t } = useTranslation();
  const run = useShellStep();
  const { value: state, error, retry } = useShellState(workspace);
  if (state === null) {
    return error === null ? <LoadingRows rows={1} shape="text" /> : <ErrorState error={error} onRetry={retry} />;
  }
  const choose = () => run(workspace.chooseFolder());
  const { folder } = state;
  if (folder === null) {
    return (
      <div className="folder-empty">
        <p className="muted">{t('desktop.workspaceEmpty')}</p>
        <button type="button" className="button button--primary" onClick={choose}>
          <FolderOpen />
          {t('settings.chooseFolder')}
        </button>
      </div>
    );
  }
  return (
    <div className="folder">
      <FolderOpen aria-hidden="true" />
      <span className="folder__path">
        {folder}
        {state.missing.includes(folder) && <span className="badge badge--danger">{t('settings.missing')}</span>}
      </span>
      <button type="button" className="button button--small" onClick={choose}>
        {t('settings.changeFolder')}
      </button>
    </div>
  );
}

/** Folders indexed besides the workspace. */
export function LocalFolders({ workspace }: { readonly workspace: WorkspaceCapability }) {
  const { t } = useTranslation();
  const run = useShellStep();
  const { value: state } = useShellState(workspace);
  return (
    <div className="folders">
      {state?.localFolders.length === 0 && <p className="muted">{t('settings.localFoldersNone')}</p>}
      <ul>
        {state?.localFolders.map((folder) => (
          <li key={folder} className="folder">
            <FolderOpen aria-hidden="true" />
            <span className="folder__path">
              {folder}
              {state.missing.includes(folder) && <span className="badge badge--danger">{t('settings.missing')}</span>}
            </span>
            <button
              type="button"
              className="icon-button"
              aria-label={t('settings.removeFolder', { folder })}
              onClick={() => run(workspace.removeLocalFolder(folder))}
            >
              <Trash2 />
            </button>
          </li>
        ))}
      </ul>
      <button type="button" className="button" onClick={() => run(workspace.addLocalFolder())}>
        <FolderPlus />
        {t('settings.addFolder')}
      </button>
    </div>
  );
}

/** The workspace capability, for screens that exist in the shell only. */
export function useWorkspace(): WorkspaceCapability | null {
  return useServices().platform.workspace;
}
