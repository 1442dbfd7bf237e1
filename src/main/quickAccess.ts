import { app, Menu, type MenuItemConstructorOptions, nativeImage, Tray } from 'electron';
import brand from '../../resources/brand.json' with { type: 'json' };
import type { RecentShelf } from '../shared/bridge/index.ts';
import type { Texts } from './texts.ts';

export interface QuickActions {
  readonly show: () => void;
  readonly openPath: (path: string) => void;
  readonly findInFiles: () => void;
}

/** The menu of the tray, or of the dock, whose system adds Quit by itself. */
export function quickMenu(
  shelves: readonly RecentShelf[],
  texts: Texts,
  actions: QuickActions,
  isDock = false,
): MenuItemConstructorOptions[] {
  return [
    ...(isDock ? [] : [{ label: texts.open, click: actions.show }]),
    { label: texts.findInFiles, click: actions.findInFiles },
    ...(shelves.length === 0
      ? []
      : [
          { type: 'separator' as const },
          { label: texts.recentShelves, enabled: false },
          ...shelves.map(({ path, name, library }) => ({
            // An ampersand would mark the next letter as a key.
            label: `${name} · ${library}`.replaceAll('&', '&&'),
            click: () => actions.openPath(path),
          })),
        ]),
    ...(isDock
      ? []
      : [{ type: 'separator' as const }, { label: texts.quit, role: 'quit' as const, click: () => app.quit() }]),
  ];
}

/** The arguments by which Windows starts the application on a shelf. A path is percent-encoded: it holds no quotes or spaces. */
export function jumpArguments(path: string): string {
  return `"${brand.protocol}://open${path.replaceAll('"', '%22')}"`;
}

/** The jump list of the task bar of Windows; nothing on it that the person has taken off. */
export function jumpList(
  shelves: readonly RecentShelf[],
  texts: Texts,
  program: { readonly path: string; readonly before: string },
): Electron.JumpListCategory[] {
  if (shelves.length === 0) return [];
  const items = shelves.map(
    ({ path, name, library }): Electron.JumpListItem => ({
      type: 'task',
      program: program.path,
      args: program.before + jumpArguments(path),
      title: name.slice(0, 255),
      description: library.slice(0, 255),
      iconPath: program.path,
      iconIndex: 0,
    }),
  );
  return [{ type: 'custom', name: texts.recentShelves, items }];
}

export interface QuickAccessOptions {
  readonly shelves: () => readonly RecentShelf[];
  /** The person has taken shelves off the list by the means of the system. */
  readonly onRemoved: (paths: readonly string[]) => void;
  readonly texts: () => Texts;
  readonly actions: QuickActions;
  /** The picture of the tray. */
  readonly icon: string;
}

/** Puts the recent shelves where the system has a place for them: tray, dock, task bar. Answers how to renew it. */
export function installQuickAccess(options: QuickAccessOptions): () => void {
  const { shelves, texts, actions, icon } = options;
  if (process.platform === 'darwin') {
    return () => app.dock?.setMenu(Menu.buildFromTemplate(quickMenu(shelves(), texts(), actions, true)));
  }
  const tray = new Tray(nativeImage.createFromPath(icon));
  tray.setToolTip(brand.name);
  tray.on('click', actions.show);
  return () => {
    tray.setContextMenu(Menu.buildFromTemplate(quickMenu(shelves(), texts(), actions)));
    if (process.platform === 'win32') renewJumpList(options);
  };
}

function renewJumpList({ shelves, onRemoved, texts }: QuickAccessOptions): void {
  const removed = app.getJumpListSettings().removedItems.map(({ args }) => args ?? '');
  // Windows shows no list at all that brings back what was taken off.
  const isRemoved = ({ path }: RecentShelf) => removed.some((args) => args.endsWith(jumpArguments(path)));
  const [gone, kept] = [shelves().filter(isRemoved), shelves().filter((shelf) => !isRemoved(shelf))];
  // Started from the sources, the program is Electron and wants the folder first.
  const before = app.isPackaged ? '' : `"${app.getAppPath()}" `;
  app.setJumpList(jumpList(kept, texts(), { path: process.execPath, before }));
  if (gone.length > 0) onRemoved(gone.map(({ path }) => path));
}
