import { EventEmitter } from 'node:events';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

const electron = vi.hoisted(() => ({
  /** The buttons that are pressed, in turn. */
  presses: [] as string[],
  asked: [] as { message: string; detail: string; buttons: string[] }[],
  notifications: [] as { title: string; body: string; emit: (name: string) => void }[],
  isFocused: false,
  quit: vi.fn(),
  app: null as unknown as EventEmitter,
}));
vi.mock('electron', async () => {
  const { EventEmitter: Emitter } = await import('node:events');
  class Notification extends Emitter {
    static isSupported = () => true;
    readonly options: { title: string; body: string };
    constructor(options: { title: string; body: string }) {
      super();
      this.options = options;
    }
    show() {
      electron.notifications.push({ ...this.options, emit: (name) => this.emit(name) });
    }
  }
  electron.app = Object.assign(new Emitter(), { quit: electron.quit, isReady: () => true, getLocale: () => 'en' });
  return {
    app: electron.app,
    BrowserWindow: { getFocusedWindow: () => (electron.isFocused ? {} : null) },
    Notification,
    dialog: {
      showMessageBox: async (options: (typeof electron.asked)[number]) => {
        electron.asked.push(options);
        return { response: options.buttons.indexOf(electron.presses.shift() ?? '') };
      },
      showErrorBox: vi.fn(),
    },
  };
});
const { watchFaults } = await import('../../../src/main/faults.ts');
const { textsOf } = await import('../../../src/main/texts.ts');
const { createNativeNotifications } = await import('../../../src/main/nativeNotifications.ts');

const log = pino({ level: 'silent' });
const texts = () => textsOf({ get: () => null as never });
const report = vi.fn(async () => true);

function openWindow() {
  const webContents = Object.assign(new EventEmitter(), { reload: vi.fn(), forcefullyCrashRenderer: vi.fn() });
  return Object.assign(new EventEmitter(), { webContents, isDestroyed: () => false });
}

describe('faults', () => {
  let window: ReturnType<typeof openWindow>;
  const before = process.listeners('uncaughtException');
  const beforeRejected = process.listeners('unhandledRejection');
  beforeEach(() => {
    electron.asked.length = 0;
    vi.clearAllMocks();
    window = openWindow();
    watchFaults({ texts, report, log }).watch(window as never);
  });
  afterEach(() => {
    // Those of the test runner stay.
    for (const listener of process.listeners('uncaughtException')) {
      if (!before.includes(listener)) process.removeListener('uncaughtException', listener);
    }
    for (const listener of process.listeners('unhandledRejection')) {
      if (!beforeRejected.includes(listener)) process.removeListener('unhandledRejection', listener);
    }
    electron.app.removeAllListeners();
  });
  const gone = (reason: string) => window.webContents.emit('render-process-gone', {}, { reason, exitCode: 1 });

  it('of the page are said, and it is reloaded', async () => {
    electron.presses = ['Reload'];
    gone('crashed');
    await vi.waitFor(() => expect(window.webContents.reload).toHaveBeenCalledOnce());
    expect(electron.asked[0]?.message).toBe('The window has stopped working');
  });
  it('can be reported, and the question stands', async () => {
    electron.presses = ['Report a Problem…', 'Quit'];
    gone('oom');
    await vi.waitFor(() => expect(electron.quit).toHaveBeenCalledOnce());
    expect(report).toHaveBeenCalledOnce();
    expect(electron.asked).toHaveLength(2);
  });
  it('are asked about one at a time, and a page that was closed is none', async () => {
    gone('clean-exit');
    expect(electron.asked).toEqual([]);
    electron.presses = ['Quit'];
    gone('crashed');
    gone('crashed');
    await vi.waitFor(() => expect(electron.quit).toHaveBeenCalled());
    expect(electron.asked).toHaveLength(1);
  });
  it('of a page that hangs: it is waited for, or started again without another question', async () => {
    electron.presses = ['Wait'];
    window.emit('unresponsive');
    await vi.waitFor(() => expect(electron.asked).toHaveLength(1));
    expect(window.webContents.forcefullyCrashRenderer).not.toHaveBeenCalled();
    // The answer is taken in its own turn.
    await new Promise(setImmediate);
    electron.presses = ['Reload'];
    window.emit('unresponsive');
    await vi.waitFor(() => expect(window.webContents.forcefullyCrashRenderer).toHaveBeenCalledOnce());
    gone('killed');
    expect(window.webContents.reload).toHaveBeenCalledOnce();
    expect(electron.asked).toHaveLength(2);
  });
  it('that nobody caught are said by their message, without a stack', async () => {
    electron.presses = ['Go On'];
    process.listeners('uncaughtException').at(-1)?.(new TypeError('no such thing'), 'uncaughtException');
    await vi.waitFor(() => expect(electron.asked).toHaveLength(1));
    expect(electron.asked[0]?.detail).toMatch(/TypeError: no such thing$/u);
    expect(electron.asked[0]?.buttons).toEqual(['Go On', 'Report a Problem…', 'Quit']);
  });
});

describe('notifications of the system', () => {
  const openPath = vi.fn();
  const show = createNativeNotifications({ openPath, log });
  const wanted = {
    title: 'ana commented on lease.txt',
    body: 'Papers / <b>Leases</b>',
    path: '/Papers/5?tab=comments',
  };

  it('lead to what they tell of', () => {
    show(wanted);
    electron.notifications.at(-1)?.emit('click');
    expect(openPath).toHaveBeenCalledWith('/Papers/5?tab=comments');
  });
  it('hold names, not markup', () => {
    if (process.platform === 'linux') expect(electron.notifications.at(-1)?.body).not.toMatch(/[<>&]/u);
  });
  it('are not for whoever looks at the window', () => {
    electron.isFocused = true;
    const count = electron.notifications.length;
    show(wanted);
    expect(electron.notifications).toHaveLength(count);
  });
});
