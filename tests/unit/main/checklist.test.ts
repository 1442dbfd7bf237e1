/**
 * Electron's security checklist (electronjs.org/docs/latest/tutorial/security), each item by its number. What a window does
 * with them in practice is in tests/e2e/desktop; here stands what decides it.
 */
import { EventEmitter } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import builder, { fuses } from '../../../packaging/electronBuilder.mjs';
import { procedure } from '../../../src/shared/bridge/contract.ts';

const log = pino({ level: 'silent' });
const ROOT = join(import.meta.dirname, '..', '..', '..');

type Handler = (...args: never[]) => unknown;
const electron = vi.hoisted(() => ({
  handlers: new Map<string, (event: unknown, input: unknown) => Promise<unknown>>(),
  schemes: [] as { scheme: string; privileges: Record<string, boolean> }[],
  page: null as ((request: Request) => Promise<Response>) | null,
  opened: [] as string[],
  fetched: [] as string[],
  windows: [] as Record<string, unknown>[],
  appEvents: new Map<string, (...args: unknown[]) => void>(),
  session: null as unknown,
}));

class FakeSession {
  request: Handler = () => undefined;
  check: Handler = () => undefined;
  device: Handler = () => true;
  setPermissionRequestHandler(handler: Handler) {
    this.request = handler;
  }
  setPermissionCheckHandler(handler: Handler) {
    this.check = handler;
  }
  setDevicePermissionHandler(handler: Handler) {
    this.device = handler;
  }
}

class FakeContents extends EventEmitter {
  open: (details: { url: string }) => { action: string } = () => ({ action: 'allow' });
  setWindowOpenHandler(handler: typeof this.open) {
    this.open = handler;
  }
}

vi.mock('electron', () => {
  class BrowserWindow extends EventEmitter {
    readonly webContents = new EventEmitter();
    constructor(options: Record<string, unknown>) {
      super();
      electron.windows.push(options);
    }
    readonly maximize = () => undefined;
  }
  const display = { id: 1, workArea: { x: 0, y: 0, width: 1920, height: 1080 } };
  return {
    BrowserWindow,
    app: { on: (name: string, listener: never) => electron.appEvents.set(name, listener) },
    ipcMain: { handle: (channel: string, handler: never) => electron.handlers.set(channel, handler) },
    net: {
      fetch: async (url: string) => {
        electron.fetched.push(url);
        return new Response('{}');
      },
    },
    protocol: {
      registerSchemesAsPrivileged: (schemes: typeof electron.schemes) => electron.schemes.push(...schemes),
      handle: (_scheme: string, handler: never) => {
        electron.page = handler;
      },
    },
    screen: { getPrimaryDisplay: () => display, getAllDisplays: () => [display] },
    session: {
      get defaultSession() {
        return electron.session;
      },
    },
    shell: { openExternal: async (url: string) => void electron.opened.push(url) },
  };
});
const { handleAppScheme, registerSchemes } = await import('../../../src/main/appProtocol.ts');
const { guardSessions, guardWebContents } = await import('../../../src/main/guards.ts');
const { mountBridge } = await import('../../../src/main/ipc.ts');
const { openMainWindow } = await import('../../../src/main/mainWindow.ts');

/** The sources of main process and preload. */
async function sources(): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  for (const folder of ['main', 'preload']) {
    const names = await readdir(join(ROOT, 'src', folder), { recursive: true });
    for (const name of names.filter((each) => each.endsWith('.ts')))
      found.set(`${folder}/${name}`, await readFile(join(ROOT, 'src', folder, name), 'utf8'));
  }
  return found;
}
const filesWith = async (text: RegExp) =>
  [...(await sources())].filter(([, code]) => text.test(code)).map(([name]) => name);

describe('windows', () => {
  const preferences = () => {
    const settings = { get: () => null as never, set: () => undefined, assign: () => undefined, facts: () => ({}) };
    openMainWindow('/preload.cjs', settings);
    return electron.windows.at(-1)?.webPreferences as Record<string, unknown>;
  };
  it('2, 3, 4, 11: have no Node, an isolated preload, a sandbox, and no webviews', () => {
    expect(preferences()).toMatchObject({
      nodeIntegration: false,
      contextIsolation: true,
      sandbox: true,
      webviewTag: false,
    });
  });
  it('6, 8, 9, 10: turn nothing of the browser engine’s own care off', () => {
    for (const name of [
      'webSecurity',
      'allowRunningInsecureContent',
      'experimentalFeatures',
      'enableBlinkFeatures',
      'nodeIntegrationInWorker',
      'nodeIntegrationInSubFrames',
    ]) {
      expect(preferences()).not.toHaveProperty(name);
    }
  });
  it('4: every process of a page is sandboxed, whoever opens it', async () => {
    expect(await filesWith(/app\.enableSandbox\(\)/u)).toEqual(['main/index.ts']);
    expect(await filesWith(/no-sandbox|disable-web-security|commandLine/u)).toEqual([]);
  });
});

describe('every web contents', () => {
  const contents = new FakeContents();
  beforeAll(() => {
    guardWebContents(log);
    electron.appEvents.get('web-contents-created')?.({}, contents);
  });
  const isPrevented = (name: string, url?: string) => {
    const preventDefault = vi.fn();
    contents.emit(name, { url, preventDefault });
    return preventDefault.mock.calls.length === 1;
  };
  it.each(['will-navigate', 'will-frame-navigate', 'will-redirect'])('13: %s stays within the application', (name) => {
    expect(isPrevented(name, 'app://armarium/Library')).toBe(false);
    for (const url of ['https://example.org/', 'file:///etc/passwd', 'app://evil/', 'data:text/html,x', 'javascript:1'])
      expect(isPrevented(name, url), url).toBe(true);
  });
  it('12: attaches no webview', () => expect(isPrevented('will-attach-webview')).toBe(true));
  it('14, 15: opens no window; of links those to the web and to mail go to the system', () => {
    for (const url of [
      'https://example.org/help',
      'mailto:ana@example.org',
      'http://127.0.0.1:3000/',
      'file:///etc/passwd',
      'smb://host/share',
      'armarium://open/x',
      'javascript:alert(1)',
    ]) {
      expect(contents.open({ url })).toEqual({ action: 'deny' });
    }
    expect(electron.opened).toEqual(['https://example.org/help', 'mailto:ana@example.org']);
  });
  it('15: nothing else hands addresses or paths to the system, and nothing is run by name', async () => {
    expect(await filesWith(/shell\.openExternal\(/u)).toEqual(['main/guards.ts', 'main/session.ts']);
    // An update, which was verified before, replaces the application and starts it.
    const runs = await filesWith(/shell\.openPath|child_process|execFile|spawn\(/u);
    expect(runs.filter((name) => !name.startsWith('main/updates/'))).toEqual([]);
  });
});

it('5: permissions are denied in every session but for the list, to everybody but our page', () => {
  const first = new FakeSession();
  const later = new FakeSession();
  electron.session = first;
  guardSessions();
  electron.appEvents.get('session-created')?.(later);
  for (const session of [first, later]) {
    const asked = (permission: string, requestingUrl: string) => {
      const answer = vi.fn();
      session.request(...([null, permission, answer, { requestingUrl, isMainFrame: true }] as never[]));
      return answer.mock.calls[0]?.[0];
    };
    expect(asked('fullscreen', 'app://armarium/')).toBe(true);
    expect(asked('fullscreen', 'https://example.org/')).toBe(false);
    expect(asked('media', 'app://armarium/')).toBe(false);
    expect(session.check(...([null, 'geolocation', 'app://armarium/', {}] as never[]))).toBe(false);
    expect(session.check(...([null, 'fullscreen', 'app://armarium/', {}] as never[]))).toBe(true);
    expect(session.device()).toBe(false);
  }
});

describe('the scheme of the application', () => {
  let root: string;
  const ask = (url: string, init?: RequestInit) => electron.page?.(new Request(url, init)) as Promise<Response>;
  beforeAll(async () => {
    const folder = await mkdtemp(join(tmpdir(), 'armarium-page-'));
    root = join(folder, 'renderer');
    await mkdir(root);
    await writeFile(join(folder, 'secret.js'), 'secret');
    await writeFile(join(root, 'index.html'), '<!doctype html>page');
    await writeFile(join(root, 'app.js'), 'code');
    registerSchemes();
    handleAppScheme({
      pageRoot: root,
      session: { accessToken: async () => 'token' } as never,
      serverOrigin: () => 'http://127.0.0.1:1',
      serviceSources: () => ['https://counts.example'],
      openedFile: async (id) => (id === 'known' ? new Response('given') : null),
      onWritten: () => undefined,
      log,
    });
  });
  afterAll(() => rm(join(root, '..'), { recursive: true, force: true }));

  it('1, 18: stands beside those of local pictures and videos alone, secure, and not open to other origins (CVE-2026-70604)', () => {
    expect(electron.schemes).toEqual([
      { scheme: 'app', privileges: { standard: true, secure: true, supportFetchAPI: true, stream: true } },
      { scheme: 'local-image', privileges: { standard: true, secure: true } },
      { scheme: 'video-stream', privileges: { standard: true, secure: true, stream: true } },
    ]);
  });
  it('7: gives every answer of its own a content policy', async () => {
    for (const path of ['/', '/Library/5', '/app.js', '/missing.js']) {
      expect((await ask(`app://armarium${path}`)).headers.get('content-security-policy')).toContain(
        "default-src 'none'",
      );
    }
  });
  it('7: lets the page send to the services of others that it is given, and the worker of PDFs to none', async () => {
    const policyOf = async (path: string) =>
      (await ask(`app://armarium${path}`)).headers.get('content-security-policy') ?? '';
    expect(await policyOf('/')).toContain("connect-src 'self' blob: https://counts.example;");
    expect(await policyOf('/pdfjs-1.0/worker.js')).not.toContain('counts.example');
  });
  it('18: serves nothing outside its folder, whatever the address', async () => {
    const paths = [
      '/../secret.js',
      '/%2e%2e/secret.js',
      '/..%2fsecret.js',
      '/%2e%2e%2fsecret.js',
      '/x/..%2f..%2fsecret.js',
      '/..%5csecret.js',
      '/secret.js%00.html',
      '//secret.js',
      '/app.js/../../secret.js',
    ];
    for (const path of paths) expect(await (await ask(`app://armarium${path}`)).text(), path).not.toContain('secret');
    expect((await ask('app://evil/index.html')).status).toBe(404);
    expect((await ask('app://armarium/app.js', { method: 'POST' })).status).toBe(405);
  });
  it('passes calls on to the chosen server alone, and none that deals in tokens', async () => {
    await ask('app://armarium/api/v1/libraries/');
    await ask('app://armarium/auth/v1/token/');
    expect(electron.fetched).toEqual(['http://127.0.0.1:1/api/v1/libraries/']);
  });
  it('hands out opened files by their ids only', async () => {
    expect(await (await ask('app://armarium/opened/known')).text()).toBe('given');
    expect((await ask('app://armarium/opened/other')).status).toBe(404);
    expect(await (await ask('app://armarium/opened/..%2f..%2fsecret.js')).text()).not.toContain('secret');
  });
});

describe('17: messages between processes', () => {
  const echo = vi.fn((input: { text: string }) => input.text);
  const contract = {
    test: { echo: procedure({ summary: '', input: z.object({ text: z.string().max(5) }), output: z.string() }) },
  };
  beforeAll(() =>
    mountBridge(contract, { test: { echo } }, { windowOf: (id) => (id === 1 ? ({} as never) : null), log }),
  );
  const call = (frame: unknown, input: unknown, id = 1) =>
    electron.handlers.get('test.echo')?.({ senderFrame: frame, sender: { id } }, input) as Promise<{
      ok: boolean;
      error?: { code: string };
    }>;
  const page = { url: 'app://armarium/Library', parent: null };

  it('are answered to the top frame of our page in a window of ours', async () => {
    expect(await call(page, { text: 'hi' })).toEqual({ ok: true, value: 'hi' });
  });
  it.each([
    [null, 1],
    [{ url: 'app://armarium/', parent: page }, 1],
    [{ url: 'https://example.org/', parent: null }, 1],
    [{ url: 'about:srcdoc', parent: page }, 1],
    [{ url: 'app://evil/', parent: null }, 1],
    [page, 2],
  ])('are refused to %j of contents %i', async (frame, id) => {
    echo.mockClear();
    expect(await call(frame, { text: 'hi' }, id)).toMatchObject({ ok: false, error: { code: 'forbidden' } });
    expect(echo).not.toHaveBeenCalled();
  });
  it.each([undefined, null, 1, 'text', {}, { text: 1 }, { text: 'too long' }, ['text']])(
    'are refused with %j for an input',
    async (input) => {
      echo.mockClear();
      expect((await call(page, input)).ok).toBe(false);
      expect(echo).not.toHaveBeenCalled();
    },
  );
  it('come in at one place', async () => {
    expect(await filesWith(/ipcMain\.(?:handle|on)/u)).toEqual(['main/ipc.ts']);
  });
});

it('16: Electron is one with the corrections that the custom schemes need', async () => {
  const { devDependencies } = JSON.parse(await readFile(join(ROOT, 'package.json'), 'utf8')) as {
    devDependencies: Record<string, string>;
  };
  expect(Number(devDependencies.electron?.split('.')[0])).toBeGreaterThanOrEqual(42);
});

describe('19: the packed application', () => {
  it('has every fuse decided', () => {
    expect(fuses).toEqual({
      runAsNode: false,
      enableCookieEncryption: true,
      enableNodeOptionsEnvironmentVariable: false,
      enableNodeCliInspectArguments: false,
      enableEmbeddedAsarIntegrityValidation: true,
      onlyLoadAppFromAsar: true,
      loadBrowserProcessSpecificV8Snapshot: false,
      grantFileProtocolExtraPrivileges: false,
    });
    expect(builder).toMatchObject({ asar: true, electronFuses: fuses });
  });
  it('is described in words that electron-builder knows', async () => {
    const fromBuilder = createRequire(createRequire(import.meta.url).resolve('electron-builder'));
    const { validateConfiguration } = fromBuilder('app-builder-lib/out/util/config/config') as {
      validateConfiguration: (config: object, log: { isEnabled: boolean }) => Promise<void>;
    };
    await expect(validateConfiguration(structuredClone(builder), { isEnabled: false })).resolves.toBeUndefined();
  });
});

it('20: the page gets two functions, and no object of Electron’s', async () => {
  const preload = await readFile(join(ROOT, 'src', 'preload', 'index.ts'), 'utf8');
  expect(preload.match(/exposeInMainWorld\(/gu)).toHaveLength(1);
  expect(preload).toMatch(/exposeInMainWorld\('armarium', port\)/u);
  expect(preload).toMatch(/forward = \(_event: IpcRendererEvent, payload: unknown\) => listener\(payload\)/u);
});
