import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { type Browser, chromium, _electron as electron, type Page } from '@playwright/test';
import { electronBinary } from '../../../scripts/electron.mjs';
import type { ControlMessage, ControlRequest, DialogKind, LoopDelay, Recorded } from './control.ts';

const ROOT = join(import.meta.dirname, '..', '..', '..');
const MAIN = join(ROOT, 'out', 'main', 'index.js');

/** The desktop application under test, on the real Electron or on the stand-in: the specs see no difference. */
export interface DesktopApp {
  readonly kind: 'electron' | 'stand-in';
  readonly page: Page;
  recorded(): Promise<Recorded>;
  /** Prepares the answer to the next dialog of a kind. */
  answerDialog(kind: DialogKind, answer: object): Promise<void>;
  /** The next address that the application sends the system's browser to. */
  openedUrl(): Promise<string>;
  clickMenu(...path: string[]): Promise<void>;
  /** Chooses from the menu of the tray. */
  clickTray(label: string): Promise<void>;
  /** Clicks the notification that came last. */
  clickNotification(): Promise<void>;
  /** Turns to another window, or comes back. */
  focus(focused: boolean): Promise<void>;
  /** Starts the application a second time with the same user data; resolves when that start has ended. */
  startAgain(...args: string[]): Promise<void>;
  /** Quits as a person would, and waits for the end. */
  close(): Promise<void>;
}

export interface LaunchOptions {
  /** Folder for everything that the application keeps. */
  readonly userData: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Entry of another main process than the product's. */
  readonly mainEntry?: string;
}

/** Which of the two the specs run on here. */
export function desktopKind(): DesktopApp['kind'] {
  return electronBinary() === null ? 'stand-in' : 'electron';
}

/** Starts the built application. */
export function launchDesktop(options: LaunchOptions): Promise<DesktopApp> {
  return desktopKind() === 'electron' ? launchElectron(options) : launchStandIn(options);
}

function standInArguments({ userData, mainEntry = MAIN }: LaunchOptions): string[] {
  return [
    '--disable-warning=ExperimentalWarning',
    '--import',
    join(import.meta.dirname, 'register.ts'),
    mainEntry,
    `--user-data-dir=${userData}`,
  ];
}

async function firstPage(browser: Browser): Promise<Page> {
  const [context] = browser.contexts();
  if (context === undefined) throw new Error('the browser has no context');
  const isOurs = (page: Page) => /^http:\/\/[^/]+\.localhost:/u.test(page.url());
  for (;;) {
    const page = context.pages().find(isOurs);
    if (page !== undefined) return page;
    await Promise.race([
      context.waitForEvent('page'),
      ...context.pages().map((each) => each.waitForEvent('framenavigated')),
    ]);
  }
}

/** What only the stand-in tells of itself, for benchmarks. */
export interface StandInApp extends DesktopApp {
  readonly pid: number;
  /** How long the main process was held up since it was asked last; measured from the first question to the one that ends it. */
  loopDelay(goesOn: boolean): Promise<LoopDelay>;
}

/** Starts an application on the stand-in, whether or not there is an Electron. */
export async function launchStandIn(options: LaunchOptions): Promise<StandInApp> {
  const { env } = options;
  const output = process.env.ARMARIUM_STAND_IN_OUTPUT === undefined ? 'pipe' : 'inherit';
  const child: ChildProcess = spawn(process.execPath, standInArguments(options), {
    cwd: ROOT,
    env: { ...process.env, ...env },
    stdio: ['ignore', output, output, 'ipc'],
  });
  let log = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (text: string) => (log += text));
  const ended = once(child, 'exit');
  const waiting = new Map<number, { resolve: (value: never) => void; reject: (error: Error) => void }>();
  const opened: string[] = [];
  const wantUrl: ((url: string) => void)[] = [];
  let nextId = 1;
  child.on('message', (message: ControlMessage) => {
    if (message.type === 'openedUrl') {
      const want = wantUrl.shift();
      if (want === undefined) opened.push(message.url);
      else want(message.url);
      return;
    }
    const call = waiting.get(message.id);
    waiting.delete(message.id);
    if (message.error === undefined) call?.resolve(message.value as never);
    else call?.reject(new Error(message.error));
  });
  void ended.then(() => {
    for (const call of waiting.values()) call.reject(new Error(`the application has ended: ${log}`));
  });
  const ask = <T>(request: ControlRequest): Promise<T> =>
    new Promise<T>((resolve, reject) => {
      const id = nextId++;
      waiting.set(id, { resolve, reject });
      child.send({ id, ...request }, (error) => {
        if (error !== null) reject(error);
      });
    });

  const browser = await chromium.connectOverCDP(await ask<string>({ type: 'endpoint' }));
  const page = await firstPage(browser);
  return {
    kind: 'stand-in',
    page,
    pid: child.pid ?? 0,
    loopDelay: (goesOn) => ask({ type: 'loopDelay', goesOn }),
    recorded: () => ask({ type: 'recorded' }),
    answerDialog: (kind, answer) => ask({ type: 'answerDialog', kind, answer }),
    openedUrl: async () => opened.shift() ?? new Promise<string>((found) => wantUrl.push(found)),
    clickMenu: (...path) => ask({ type: 'clickMenu', path }),
    clickTray: (label) => ask({ type: 'clickTray', label }),
    clickNotification: () => ask({ type: 'clickNotification' }),
    focus: (focused) => ask({ type: 'focus', focused }),
    async startAgain(...args) {
      const second = spawn(process.execPath, [...standInArguments(options), ...args], {
        cwd: ROOT,
        env: { ...process.env, ...env },
        stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      });
      await once(second, 'exit');
    },
    async close() {
      if (child.exitCode === null) {
        // The answer may be lost with the process that gives it.
        ask({ type: 'quit' }).catch(() => undefined);
        await ended;
      }
      await browser.close();
    },
  };
}

/** What the specs need of the real Electron: effects on the system are replaced in its main process. */
async function launchElectron({ userData, env }: LaunchOptions): Promise<DesktopApp> {
  const executablePath = electronBinary();
  if (executablePath === null) throw new Error('there is no Electron here');
  const args = [ROOT, `--user-data-dir=${userData}`, ...(process.getuid?.() === 0 ? ['--no-sandbox'] : [])];
  const app = await electron.launch({
    executablePath,
    args,
    env: { ...process.env, ...env } as Record<string, string>,
  });
  await app.evaluate(({ dialog, Notification, shell, Tray }) => {
    const state = {
      openedUrls: [],
      openedPaths: [],
      shownItems: [],
      dialogs: [],
      notifications: [],
      menuLabels: [],
      trayLabels: [],
      answers: {},
      taken: 0,
    } as unknown as Record<string, never[]> & {
      answers: Record<string, object[]>;
    };
    Object.assign(globalThis, { __recorded: state });
    shell.openExternal = async (url) => void state.openedUrls?.push(url as never);
    shell.openPath = async (path) => {
      state.openedPaths?.push(path as never);
      return '';
    };
    shell.showItemInFolder = (path) => void state.shownItems?.push(path as never);
    const last = globalThis as unknown as { __notification?: Electron.Notification; __tray?: Electron.Menu };
    Notification.prototype.show = function show(this: Electron.Notification) {
      last.__notification = this;
      state.notifications?.push({ title: this.title, body: this.body } as never);
    };
    Tray.prototype.setContextMenu = (menu) => {
      if (menu !== null) last.__tray = menu;
      state.trayLabels?.splice(0, Infinity, ...((menu?.items.map(({ label }) => label) ?? []) as never[]));
    };
    for (const kind of ['showOpenDialog', 'showSaveDialog', 'showMessageBox'] as const) {
      Object.assign(dialog, {
        [kind]: async (...given: unknown[]) => {
          state.dialogs?.push({ kind, options: given.at(-1) } as never);
          return { canceled: true, filePaths: [], ...(state.answers[kind]?.shift() ?? {}) };
        },
      });
    }
  });
  const read = () => app.evaluate(() => (globalThis as unknown as { __recorded: Recorded }).__recorded);
  let taken = 0;
  return {
    kind: 'electron',
    page: await app.firstWindow(),
    recorded: read,
    answerDialog: (kind, answer) =>
      app.evaluate(
        (_electron, given) => {
          const { answers } = (globalThis as unknown as { __recorded: { answers: Record<string, object[]> } })
            .__recorded;
          answers[given.kind] = [...(answers[given.kind] ?? []), given.answer];
        },
        { kind, answer },
      ),
    async openedUrl() {
      const position = taken++;
      for (;;) {
        const url = (await read()).openedUrls[position];
        if (url !== undefined) return url;
        await app.firstWindow().then((page) => page.evaluate(() => new Promise((next) => setTimeout(next, 20))));
      }
    },
    clickMenu: (...path) =>
      app.evaluate(({ Menu }, labels) => {
        let items = Menu.getApplicationMenu()?.items ?? [];
        let found: (typeof items)[number] | undefined;
        for (const label of labels) {
          found = items.find((item) => item.label === label);
          items = found?.submenu?.items ?? [];
        }
        found?.click();
      }, path),
    clickTray: (label) =>
      app.evaluate((_electron, wanted) => {
        const { __tray } = globalThis as unknown as { __tray?: Electron.Menu };
        __tray?.items.find((item) => item.label === wanted)?.click();
      }, label),
    clickNotification: () =>
      app.evaluate(() => {
        (globalThis as unknown as { __notification?: Electron.Notification }).__notification?.emit('click');
      }),
    focus: (focused) =>
      app.evaluate(({ BrowserWindow }, isWanted) => {
        for (const window of BrowserWindow.getAllWindows()) {
          if (isWanted) window.focus();
          else window.blur();
        }
      }, focused),
    async startAgain(...more) {
      const second = spawn(executablePath, [...args, ...more], { env: { ...process.env, ...env }, stdio: 'ignore' });
      await once(second, 'exit');
    },
    close: () => app.close(),
  };
}
