import { Menu, type MenuItemConstructorOptions } from 'electron';
import brand from '../../resources/brand.json' with { type: 'json' };

export interface MenuActions {
  readonly findInFiles: () => void;
  readonly about: () => void;
}

/**
 * The native menu. On macOS it is the menu bar; elsewhere the page draws the menus (desktop-shell.md §2), and this one is
 * out of sight and lends its accelerators.
 */
export function installMenu(actions: MenuActions): void {
  const isMac = process.platform === 'darwin';
  const appMenu: MenuItemConstructorOptions = {
    label: brand.name,
    submenu: [{ label: `About ${brand.name}`, click: actions.about }, { type: 'separator' }, { role: 'quit' }],
  };
  const template: MenuItemConstructorOptions[] = [
    ...(isMac ? [appMenu] : []),
    {
      label: 'File',
      submenu: [
        { role: 'close', accelerator: 'CmdOrCtrl+W' },
        { role: 'quit', accelerator: 'CmdOrCtrl+Q' },
      ],
    },
    { role: 'editMenu' },
    {
      label: 'View',
      submenu: [
        { label: 'Find in files', accelerator: 'CmdOrCtrl+Alt+F', click: actions.findInFiles },
        { role: 'reload', accelerator: 'CmdOrCtrl+R' },
        { role: 'forceReload', accelerator: 'CmdOrCtrl+Shift+R' },
        { role: 'togglefullscreen', accelerator: isMac ? 'Ctrl+Cmd+F' : 'F11' },
        { role: 'resetZoom', accelerator: 'CmdOrCtrl+0' },
        { role: 'zoomIn', accelerator: 'CmdOrCtrl+Plus' },
        { role: 'zoomOut', accelerator: 'CmdOrCtrl+-' },
      ],
    },
    { label: 'Help', submenu: [{ label: 'About', click: actions.about }] },
  ];
  Menu.setApplicationMenu(Menu.buildFromTemplate(template));
}
