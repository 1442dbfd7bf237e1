import { EventEmitter } from 'node:events';
import { existsSync } from 'node:fs';
import type Electron from 'electron';
import { recorded } from './control.ts';
import { checkOptions, strict } from './strict.ts';

type Template = Electron.MenuItemConstructorOptions;

/** One display, with a bar of the system's at its top. */
const display = {
  id: 1,
  workArea: { x: 0, y: 24, width: 1920, height: 1056 },
  bounds: { x: 0, y: 0, width: 1920, height: 1080 },
} as Electron.Display;
export const screen = strict('electron.screen', {
  getPrimaryDisplay: () => display,
  getAllDisplays: () => [display],
} satisfies Partial<Electron.Screen>);

export const nativeImage = strict('electron.nativeImage', {
  createFromPath(path: string) {
    if (!existsSync(path)) throw new Error(`there is no picture at ${path}`);
    return strict('NativeImage', { path });
  },
});

let tray: readonly Template[] = [];
/** What a click on the tray shows. */
export const trayMenu = () => tray;

class StandInTray extends EventEmitter {
  toolTip = '';
  setToolTip(text: string): void {
    this.toolTip = text;
  }
  setContextMenu(menu: Electron.Menu | null): void {
    tray = (menu ?? []) as unknown as Template[];
    recorded.trayLabels.splice(0, Infinity, ...tray.map(({ label }) => label ?? ''));
  }
}
export class Tray extends StandInTray {
  constructor(_image: unknown) {
    super();
    // biome-ignore lint/correctness/noConstructorReturn: a tray that fails loudly is what the application gets
    return strict('Tray', this);
  }
}

let last: EventEmitter | null = null;
/** Clicks the notification that was shown last. */
export function notificationClick(): void {
  if (last === null) throw new Error('no notification was shown');
  last.emit('click', {});
}

export class Notification extends EventEmitter {
  private readonly options: Electron.NotificationConstructorOptions;

  static isSupported(): boolean {
    return true;
  }
  constructor(options: Electron.NotificationConstructorOptions = {}) {
    super();
    checkOptions('Notification', options, ['title', 'body']);
    this.options = options;
  }
  show(): void {
    last = this;
    recorded.notifications.push({ title: this.options.title ?? '', body: this.options.body ?? '' });
  }
}
