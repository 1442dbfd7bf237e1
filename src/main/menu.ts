import { Menu, type MenuItemConstructorOptions } from 'electron';
import brand from '../../resources/brand.json' with { type: 'json' };
import type { Texts } from './texts.ts';

export interface MenuActions {
  readonly findInFiles: () => void;
  readonly about: () => void;
}

export interface MenuOptions {
  readonly texts: Texts;
  readonly actions: MenuActions;
  /** The menu File is for those who are signed in. */
  readonly isSignedIn: boolean;
  readonly isMac?: boolean;
}

/**
 * The menus File, View and Help (desktop-shell.md §2). On macOS, which also wants a menu of the application and one for the
 * clipboard, they are the menu bar; elsewhere the page draws them, and this one is out of sight and lends its keys.
 */
export function menuTemplate({ texts, actions, isSignedIn, isMac = false }: MenuOptions): MenuItemConstructorOptions[] {
  const appMenu: MenuItemConstructorOptions = {
    label: brand.name,
    submenu: [
      { label: texts.about, click: actions.about },
      { type: 'separator' },
      { role: 'hide' },
      { role: 'hideOthers' },
      { role: 'unhide' },
      { type: 'separator' },
      { role: 'quit', label: texts.quit },
    ],
  };
  const editMenu: MenuItemConstructorOptions = {
    label: texts.edit,
    submenu: [
      { role: 'undo', label: texts.undo },
      { role: 'redo', label: texts.redo },
      { type: 'separator' },
      { role: 'cut', label: texts.cut },
      { role: 'copy', label: texts.copy },
      { role: 'paste', label: texts.paste },
      { role: 'selectAll', label: texts.selectAll },
      { type: 'separator' },
      { label: texts.findInFiles, accelerator: 'Cmd+Alt+F', click: actions.findInFiles },
    ],
  };
  return [
    ...(isMac ? [appMenu] : []),
    {
      label: texts.file,
      visible: isSignedIn,
      submenu: [
        { role: 'close', label: texts.close, accelerator: 'CmdOrCtrl+W' },
        { role: 'quit', label: texts.quit, accelerator: 'CmdOrCtrl+Q' },
      ],
    },
    ...(isMac ? [editMenu] : []),
    {
      label: texts.view,
      submenu: [
        { role: 'reload', label: texts.reload, accelerator: 'CmdOrCtrl+R' },
        { role: 'forceReload', label: texts.forceReload, accelerator: 'CmdOrCtrl+Shift+R' },
        { role: 'togglefullscreen', label: texts.toggleFullscreen, accelerator: isMac ? 'Ctrl+Cmd+F' : 'F11' },
        { role: 'resetZoom', label: texts.actualSize, accelerator: 'CmdOrCtrl+0' },
        { role: 'zoomIn', label: texts.zoomIn, accelerator: 'CmdOrCtrl+Plus' },
        // Where plus needs Shift, the same key without it.
        { role: 'zoomIn', label: texts.zoomIn, accelerator: 'CmdOrCtrl+=', visible: false },
        { role: 'zoomOut', label: texts.zoomOut, accelerator: 'CmdOrCtrl+-' },
      ],
    },
    { label: texts.help, role: 'help', submenu: [{ label: texts.aboutShort, click: actions.about }] },
  ];
}

/** Puts the menus in place. */
export function installMenu(options: Omit<MenuOptions, 'isMac'>): void {
  Menu.setApplicationMenu(Menu.buildFromTemplate(menuTemplate({ ...options, isMac: process.platform === 'darwin' })));
}
