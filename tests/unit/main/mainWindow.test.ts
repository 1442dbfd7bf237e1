import type { EventEmitter } from 'node:events';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { Settings } from '../../../src/main/settings.ts';

const electron = vi.hoisted(() => ({ options: {} as Record<string, unknown>, areas: [] as object[] }));
vi.mock('electron', async () => {
  const { EventEmitter: Emitter } = await import('node:events');
  class BrowserWindow extends Emitter {
    readonly webContents = {
      setZoomLevel: vi.fn(),
      getZoomLevel: () => 1,
      isDestroyed: () => false,
      getURL: () => this.url,
    };
    readonly maximize = vi.fn();
    readonly show = vi.fn();
    readonly isMaximized = () => true;
    readonly isDestroyed = () => false;
    readonly getNormalBounds = () => ({ x: 5, y: 30, width: 900, height: 700 });
    url = 'about:blank';
    constructor(options: Record<string, unknown>) {
      super();
      electron.options = options;
    }
    readonly loadURL = async (url: string) => {
      this.url = url;
    };
  }
  const displays = () => electron.areas.map((workArea, id) => ({ id, workArea }));
  return { BrowserWindow, screen: { getPrimaryDisplay: () => displays()[0], getAllDisplays: displays } };
});
const { loadPage, openMainWindow } = await import('../../../src/main/mainWindow.ts');

let kept: Partial<Settings>;
const settings = {
  get: <K extends keyof Settings>(key: K) => (kept[key] ?? null) as Settings[K],
  set: <K extends keyof Settings>(key: K, value: Settings[K]) => {
    kept[key] = value;
  },
  assign: (values: Partial<Settings>) => {
    Object.assign(kept, values);
  },
  facts: () => ({}),
};
beforeEach(() => {
  kept = {};
  electron.areas = [{ x: 0, y: 24, width: 1920, height: 1056 }];
});
const open = () =>
  openMainWindow('/preload.cjs', settings) as unknown as EventEmitter & {
    url: string;
    maximize: () => void;
    webContents: { setZoomLevel: (level: number) => void };
  };

describe('the window', () => {
  it('opens as and where it was left: place, size, maximised, zoom, screen', async () => {
    kept = {
      windowBounds: { x: 100, y: 100, width: 900, height: 700 },
      windowMaximized: true,
      zoomLevel: 1.5,
      lastRoute: '/Papers/5?find=x',
    };
    const window = open();
    expect(electron.options).toMatchObject({ x: 100, y: 100, width: 900, height: 700, show: false });
    expect(window.maximize).toHaveBeenCalledOnce();
    window.emit('ready-to-show');
    expect(window.webContents.setZoomLevel).toHaveBeenCalledWith(1.5);
    await loadPage(window as never, settings);
    expect(window.url).toBe('app://armarium/Papers/5?find=x');
  });
  it('opens in the middle when the display that it was on has gone', () => {
    kept = { windowBounds: { x: 3000, y: 100, width: 900, height: 700 } };
    open();
    expect(electron.options).toMatchObject({ width: 900, height: 700 });
    expect(electron.options).not.toHaveProperty('x');
  });
  it.each(['close', 'blur'])('remembers all of it on %s', async (event) => {
    const window = open();
    window.emit('ready-to-show');
    await loadPage(window as never, settings);
    window.url = 'app://armarium/desktop/main';
    window.emit(event);
    expect(kept).toEqual({
      windowMaximized: true,
      windowBounds: { x: 5, y: 30, width: 900, height: 700 },
      zoomLevel: 1,
      lastRoute: '/desktop/main',
    });
  });
  it('keeps what it remembers when it closes before it was shown', () => {
    kept = { zoomLevel: 2 };
    open().emit('close');
    expect(kept).toEqual({ zoomLevel: 2 });
  });
  it.each(['//evil.example/', 'https://evil.example/', '/a\\b'])('never opens on %j', async (lastRoute) => {
    kept = { lastRoute };
    const window = open();
    await loadPage(window as never, settings);
    expect(window.url).toBe('app://armarium/desktop/home');
  });
});
