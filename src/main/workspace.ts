import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { type BrowserWindow, dialog } from 'electron';
import type { WorkspaceState } from '../shared/bridge/index.ts';
import { AppError } from '../shared/errors.ts';
import type { SettingsStore } from './settings.ts';
import type { Texts } from './texts.ts';

/** The folders that the person chose: the workspace, and local folders that are searched but never uploaded (decisions.md §8). */
export interface Workspace {
  state(): Promise<WorkspaceState>;
  /** All folders to index. */
  roots(): readonly string[];
  onChange(listener: (state: WorkspaceState) => void): void;
  chooseFolder(window: BrowserWindow): Promise<WorkspaceState>;
  addLocalFolder(window: BrowserWindow): Promise<WorkspaceState>;
  removeLocalFolder(folder: string): Promise<WorkspaceState>;
}

async function isFolder(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isDirectory();
  } catch {
    // Gone, or on a drive that is not there: both are "missing" to the person.
    return false;
  }
}

/** Makes the workspace over the settings. */
export function createWorkspace(settings: SettingsStore, texts: () => Texts): Workspace {
  const listeners: ((state: WorkspaceState) => void)[] = [];

  async function state(): Promise<WorkspaceState> {
    const folder = settings.get('workspaceFolder');
    const localFolders = settings.get('localFolders');
    const all = folder === null ? localFolders : [folder, ...localFolders];
    const there = await Promise.all(all.map(isFolder));
    return { folder, localFolders, missing: all.filter((_, position) => there[position] === false) };
  }

  async function changed(): Promise<WorkspaceState> {
    const next = await state();
    for (const listener of listeners) listener(next);
    return next;
  }

  async function ask(window: BrowserWindow, title: string): Promise<string | null> {
    const answer = await dialog.showOpenDialog(window, { title, properties: ['openDirectory', 'createDirectory'] });
    const [chosen] = answer.filePaths;
    if (answer.canceled || chosen === undefined) return null;
    if (!(await isFolder(chosen))) {
      throw new AppError('folder-unavailable', 'the folder cannot be opened', { details: { folder: chosen } });
    }
    return resolve(chosen);
  }

  return {
    state,
    roots: () => [settings.get('workspaceFolder'), ...settings.get('localFolders')].filter((each) => each !== null),
    onChange: (listener) => {
      listeners.push(listener);
    },
    async chooseFolder(window) {
      const chosen = await ask(window, texts().chooseWorkspace);
      if (chosen === null) return state();
      settings.set('workspaceFolder', chosen);
      return changed();
    },
    async addLocalFolder(window) {
      const chosen = await ask(window, texts().addLocalFolder);
      if (chosen === null) return state();
      settings.set('localFolders', [...settings.get('localFolders').filter((folder) => folder !== chosen), chosen]);
      return changed();
    },
    async removeLocalFolder(folder) {
      settings.set(
        'localFolders',
        settings.get('localFolders').filter((each) => each !== folder),
      );
      return changed();
    },
  };
}
