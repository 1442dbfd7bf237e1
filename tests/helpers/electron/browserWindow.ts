import { EventEmitter } from 'node:events';
import { readFileSync } from 'node:fs';
import type Electron from 'electron';
import { app, isQuitting, windowsHook } from './app.ts';
import type { CdpSession } from './cdp.ts';
import { type Browser, startChromium } from './chromium.ts';
import { makeCodec } from './codec.ts';
import { dispatchInvoke, dispatchSend } from './ipc.ts';
import { createSchemes } from './schemes.ts';
import { checkOptions, strict } from './strict.ts';
import { BINDING, ISOLATED_WORLD, RECEIVER, worldScripts } from './worlds.ts';

const WINDOW_OPTIONS = [
  'width',
  'height',
  'x',
  'y',
  'minWidth',
  'minHeight',
  'show',
  'title',
  'frame',
  'titleBarStyle',
  'backgroundColor',
  'webPreferences',
];
const PREFERENCES = ['preload', 'sandbox', 'contextIsolation', 'nodeIntegration', 'webviewTag', 'spellcheck'];

export const schemes = createSchemes();
const codec = makeCodec();
const windows = new Set<StandInWindow>();
let nextId = 1;

let starting: Promise<Browser> | null = null;
/** The Chromium that plays all windows, started with the first. */
export function browser(): Promise<Browser> {
  starting ??= startChromium();
  return starting;
}

type OpenHandler = (details: { url: string }) => { action: 'deny' | 'allow' };

/** The web contents of a window: a page of Chromium, with the preload in a world of its own. */
class StandInWebContents extends EventEmitter {
  readonly id = nextId++;
  readonly mainFrame: { url: string; origin: string; parent: null; top: unknown; frameTreeNodeId: number };
  private session: CdpSession | null = null;
  private targetId = '';
  private frameId = '';
  private context: number | null = null;
  private ownNavigation = false;
  private openHandler: OpenHandler = () => ({ action: 'allow' });
  private zoomLevel = 0;
  private destroyed = false;
  readonly attached: Promise<void>;

  constructor(preferences: Electron.WebPreferences) {
    super();
    this.mainFrame = { url: 'about:blank', origin: 'null', parent: null, top: null, frameTreeNodeId: this.id };
    this.mainFrame.top = this.mainFrame;
    this.attached = this.attach(preferences);
  }

  private async attach({ preload }: Electron.WebPreferences): Promise<void> {
    const { connection } = await browser();
    await schemes.ready;
    const { targetId } = await connection.send('Target.createTarget', {
      url: 'about:blank',
      newWindow: true,
      width: 1280,
      height: 832,
    });
    const { sessionId } = await connection.send('Target.attachToTarget', { targetId, flatten: true });
    const session = connection.session(sessionId);
    this.session = session;
    this.targetId = targetId;
    this.frameId = targetId;
    // A link without a referrer opens a window that names no opener: it is known by coming right after this event.
    let denied = 0;
    session.on('Page.windowOpen', ({ url }) => {
      if (this.openHandler({ url: schemes.fromBrowser(url) }).action === 'deny') denied += 1;
    });
    connection.on('Target.targetCreated', ({ targetInfo }) => {
      if (denied === 0 || targetInfo.type !== 'page' || targetInfo.targetId === targetId) return;
      denied -= 1;
      void connection.send('Target.closeTarget', { targetId: targetInfo.targetId });
    });
    await connection.send('Target.setDiscoverTargets', { discover: true });
    session.on('Runtime.executionContextCreated', ({ context }) => {
      const { frameId } = context.auxData as { frameId: string };
      if (context.name === ISOLATED_WORLD && frameId === this.frameId) this.context = context.id;
    });
    session.on('Runtime.executionContextsCleared', () => {
      this.context = null;
    });
    session.on('Page.frameNavigated', ({ frame }) => {
      if (frame.parentId !== undefined) return;
      this.setUrl(frame.url);
    });
    session.on('Page.navigatedWithinDocument', ({ frameId, url }) => {
      if (frameId === this.frameId) this.setUrl(url);
    });
    session.on('Page.domContentEventFired', () => this.emit('dom-ready'));
    session.on('Page.loadEventFired', () => this.emit('did-finish-load'));
    session.on('Runtime.bindingCalled', ({ name, payload }) => {
      if (name === BINDING) this.receive(payload);
    });
    session.on('Fetch.requestPaused', ({ requestId, request, frameId }) => {
      const isMainFrame = frameId === this.frameId;
      const allowed =
        (isMainFrame && this.ownNavigation) || this.allowsNavigation(schemes.fromBrowser(request.url), isMainFrame);
      if (isMainFrame) this.ownNavigation = false;
      void session.send(allowed ? 'Fetch.continueRequest' : 'Fetch.failRequest', { requestId, errorReason: 'Aborted' });
    });
    await session.send('Page.enable');
    await session.send('Runtime.enable');
    await session.send('Runtime.addBinding', { name: BINDING, executionContextName: ISOLATED_WORLD });
    if (preload !== undefined) {
      const { page, isolated } = worldScripts(readFileSync(preload, 'utf8'));
      await session.send('Page.addScriptToEvaluateOnNewDocument', { source: page });
      await session.send('Page.addScriptToEvaluateOnNewDocument', { source: isolated, worldName: ISOLATED_WORLD });
    }
    await session.send('Fetch.enable', { patterns: [{ resourceType: 'Document', requestStage: 'Request' }] });
  }

  private setUrl(url: string): void {
    this.mainFrame.url = schemes.fromBrowser(url);
    const { protocol, host } = new URL(this.mainFrame.url);
    this.mainFrame.origin = host === '' ? 'null' : `${protocol}//${host}`;
  }

  private allowsNavigation(url: string, isMainFrame: boolean): boolean {
    let prevented = false;
    const event = {
      url,
      isMainFrame,
      isSameDocument: false,
      preventDefault: () => (prevented = true),
      frame: this.mainFrame,
    };
    if (isMainFrame) this.emit('will-navigate', event, url);
    this.emit('will-frame-navigate', event);
    return !prevented;
  }

  private receive(payload: string): void {
    const message = codec.decode(payload) as { kind: 'invoke' | 'send'; id: number; channel: string; args: unknown[] };
    const event = {
      sender: this,
      senderFrame: this.mainFrame,
      processId: 1,
      frameId: 1,
      type: 'frame',
    } as unknown as Electron.IpcMainInvokeEvent;
    if (message.kind === 'send') dispatchSend(message.channel, event, message.args);
    else {
      void dispatchInvoke(message.channel, event, message.args).then((answer) =>
        this.deliver({ kind: 'answer', id: message.id, ...answer }),
      );
    }
  }

  private deliver(message: unknown): void {
    if (this.context === null || this.session === null || this.destroyed) return;
    const expression = `${RECEIVER}(${JSON.stringify(schemes.withinBrowser(codec.encode(message)))})`;
    // A page that was left in the meantime has nobody to hear it.
    this.session.send('Runtime.evaluate', { expression, contextId: this.context }).catch(() => undefined);
  }

  private async withPage(work: (session: CdpSession) => Promise<unknown>): Promise<void> {
    await this.attached;
    if (this.session !== null && !this.destroyed) await work(this.session);
  }

  async load(url: string): Promise<void> {
    await this.attached;
    const loaded = new Promise<void>((done) => this.once('did-finish-load', () => done()));
    this.ownNavigation = true;
    await this.session?.send('Page.navigate', { url: schemes.toBrowser(url) });
    await loaded;
  }

  send(channel: string, ...args: unknown[]): void {
    this.deliver({ kind: 'event', channel, args });
  }
  setWindowOpenHandler(handler: OpenHandler): void {
    this.openHandler = handler;
  }
  getURL(): string {
    return this.mainFrame.url;
  }
  reload(): void {
    this.ownNavigation = true;
    void this.withPage((session) => session.send('Page.reload'));
  }
  reloadIgnoringCache(): void {
    this.ownNavigation = true;
    void this.withPage((session) => session.send('Page.reload', { ignoreCache: true }));
  }
  setZoomLevel(level: number): void {
    this.zoomLevel = level;
    void this.withPage((session) => session.send('Emulation.setPageScaleFactor', { pageScaleFactor: 1.2 ** level }));
  }
  getZoomLevel(): number {
    return this.zoomLevel;
  }
  isDestroyed(): boolean {
    return this.destroyed;
  }
  destroy(): void {
    this.destroyed = true;
    void browser()
      .then(({ connection }) => connection.send('Target.closeTarget', { targetId: this.targetId }))
      .catch(() => undefined);
  }
}

/** A window, played by a window of Chromium; without a display its size on the screen is a matter of record only. */
class StandInWindow extends EventEmitter {
  static getAllWindows(): StandInWindow[] {
    return [...windows].map((window) => window.self);
  }
  static fromWebContents(contents: StandInWebContents): StandInWindow | null {
    return [...windows].find((window) => window.webContents.id === contents.id)?.self ?? null;
  }
  static getFocusedWindow(): StandInWindow | null {
    return [...windows].find((window) => window.focused)?.self ?? null;
  }

  readonly id = nextId++;
  readonly webContents: StandInWebContents;
  private readonly self: StandInWindow;
  private bounds: { x: number; y: number; width: number; height: number };
  private state: 'normal' | 'maximized' | 'minimized' | 'fullscreen' = 'normal';
  private focused = false;
  private visible: boolean;
  private closed = false;

  constructor(options: Electron.BrowserWindowConstructorOptions = {}) {
    super();
    checkOptions('BrowserWindow', options, WINDOW_OPTIONS);
    checkOptions('webPreferences', options.webPreferences ?? {}, PREFERENCES);
    if (options.webPreferences?.contextIsolation !== true || options.webPreferences.sandbox !== true) {
      throw new Error('the stand-in plays sandboxed, isolated windows only');
    }
    this.bounds = { x: options.x ?? 0, y: options.y ?? 0, width: options.width ?? 800, height: options.height ?? 600 };
    this.visible = options.show !== false;
    this.webContents = strict('webContents', new StandInWebContents(options.webPreferences));
    this.self = strict('BrowserWindow', this);
    windows.add(this);
    app.emit('web-contents-created', {}, this.webContents);
    this.webContents.once('dom-ready', () => this.emit('ready-to-show'));
    // biome-ignore lint/correctness/noConstructorReturn: a window that fails loudly is what the application gets
    return this.self;
  }

  private become(state: 'normal' | 'maximized' | 'minimized' | 'fullscreen', event: string): void {
    if (this.state === state) return;
    this.state = state;
    this.emit(event);
  }

  loadURL(url: string): Promise<void> {
    return this.webContents.load(url);
  }
  show(): void {
    this.visible = true;
    this.emit('show');
    this.focus();
  }
  focus(): void {
    if (this.focused) return;
    this.focused = true;
    this.emit('focus');
  }
  blur(): void {
    if (!this.focused) return;
    this.focused = false;
    this.emit('blur');
  }
  isFocused(): boolean {
    return this.focused;
  }
  isVisible(): boolean {
    return this.visible;
  }
  minimize(): void {
    this.become('minimized', 'minimize');
  }
  isMinimized(): boolean {
    return this.state === 'minimized';
  }
  restore(): void {
    this.become('normal', 'restore');
  }
  maximize(): void {
    this.become('maximized', 'maximize');
  }
  unmaximize(): void {
    this.become('normal', 'unmaximize');
  }
  isMaximized(): boolean {
    return this.state === 'maximized';
  }
  setFullScreen(on: boolean): void {
    this.become(on ? 'fullscreen' : 'normal', on ? 'enter-full-screen' : 'leave-full-screen');
  }
  isFullScreen(): boolean {
    return this.state === 'fullscreen';
  }
  getBounds() {
    return this.bounds;
  }
  getNormalBounds() {
    return this.bounds;
  }
  isDestroyed(): boolean {
    return this.closed;
  }
  close(): boolean {
    let prevented = false;
    this.emit('close', { preventDefault: () => (prevented = true) });
    if (!prevented) this.destroy();
    return !prevented;
  }
  destroy(): void {
    if (this.closed) return;
    this.closed = true;
    windows.delete(this);
    this.webContents.destroy();
    this.emit('closed');
    if (windows.size === 0 && !isQuitting()) app.emit('window-all-closed');
  }
}

windowsHook.closeAll = () => [...windows].every((window) => window.close());

type SharedWindow =
  | 'loadURL'
  | 'show'
  | 'focus'
  | 'blur'
  | 'isMaximized'
  | 'maximize'
  | 'unmaximize'
  | 'minimize'
  | 'setFullScreen'
  | 'getNormalBounds'
  | 'isDestroyed';
type SharedContents =
  | 'id'
  | 'send'
  | 'reload'
  | 'reloadIgnoringCache'
  | 'setZoomLevel'
  | 'getZoomLevel'
  | 'isDestroyed'
  | 'getURL';

/** Does not compile when the stand-in drifts from Electron's own declarations. */
export function fitsElectron(
  window: StandInWindow,
  contents: StandInWebContents,
): [Pick<Electron.BrowserWindow, SharedWindow>, Pick<Electron.WebContents, SharedContents>] {
  return [window, contents];
}

export { StandInWindow as BrowserWindow };
