import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type DesktopApp, launchStandIn } from '../../helpers/electron/desktop.ts';

let folder: string;
let app: DesktopApp;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'armarium-stand-in-'));
  app = await launchStandIn({
    userData: folder,
    mainEntry: join(import.meta.dirname, '../../fixtures/standInApp/main.mjs'),
  });
});
afterAll(async () => {
  await app.close();
  await rm(folder, { recursive: true, force: true });
});

/** Runs in the page. */
// biome-ignore lint/suspicious/noExplicitAny: the page is the fixture's own
const inPage = <T>(work: (api: any) => T | Promise<T>): Promise<T> =>
  app.page.evaluate(`(${work})(window.fixture)`) as Promise<T>;

describe('the stand-in for Electron', () => {
  it('runs the preload before the scripts of the page, in a world that the page cannot see', async () => {
    expect(await app.page.getAttribute('body', 'data-seen')).toBe('invoke,on,facts');
    expect(
      await app.page.evaluate(
        '[typeof require, typeof ipcRenderer, typeof __standInSend, typeof preloadSecret].join()',
      ),
    ).toBe('undefined,undefined,undefined,undefined');
    expect(await app.page.evaluate('Object.isFrozen(window.fixture)')).toBe(true);
  });
  it('carries what structured cloning carries', async () => {
    const kinds = await inPage(async (api) => {
      const back = await api.invoke('echo', {
        date: new Date(5),
        map: new Map([[1, 'x']]),
        bytes: new Uint8Array([1, 2]),
        none: undefined,
        big: 7n,
      });
      return [back.date instanceof Date, back.map.get(1), back.bytes[1], 'none' in back, String(back.big)];
    });
    expect(kinds).toEqual([true, 'x', 2, true, '7']);
  });
  it('brings a thrown error as its message, as Electron does', async () => {
    expect(await inPage((api) => api.invoke('fail').catch((error: Error) => error.message))).toBe(
      "Error invoking remote method 'fail': Error: refused",
    );
    expect(await inPage((api) => api.invoke('nobody').catch((error: Error) => error.message))).toMatch(
      /No handler registered for 'nobody'/u,
    );
  });
  it('sends events until the page has heard enough', async () => {
    const heard = await inPage(
      (api) =>
        new Promise((done) => {
          const got: number[] = [];
          const stop = api.on('tick', (value: number) => {
            got.push(value);
            if (got.length === 2) {
              stop();
              void api.invoke('emit', 3).then(() => done(got));
            }
          });
          void api.invoke('emit', 1).then(() => api.invoke('emit', 2));
        }),
    );
    expect(heard).toEqual([1, 2]);
  });
  it('names the frame that sends by the address of its own scheme', async () => {
    expect(await inPage((api) => api.invoke('whoami'))).toEqual({
      url: 'fixture://app/',
      origin: 'fixture://app',
      isTop: true,
    });
  });
  it('serves the scheme: bodies both ways, streams, policies, the history, workers', async () => {
    expect(
      await app.page.evaluate(
        "fetch('/echo', { method: 'POST', body: 'x'.repeat(300000) }).then((r) => r.text()).then((t) => t.length)",
      ),
    ).toBe(300_000);
    expect(
      await app.page.evaluate(`fetch('/stream').then(async (response) => {
        const reader = response.body.getReader();
        const first = new TextDecoder().decode((await reader.read()).value);
        await fetch('/go-on', { method: 'POST' });
        const second = new TextDecoder().decode((await reader.read()).value);
        return first + second;
      })`),
    ).toBe('onetwo');
    const inline = `(() => {
      const script = document.createElement('script');
      script.textContent = 'window.inlineRan = true';
      document.body.append(script);
      return typeof window.inlineRan;
    })()`;
    expect(await app.page.evaluate(inline)).toBe('undefined');
    await app.page.evaluate("history.pushState({}, '', '/deep/link')");
    expect(await inPage((api) => api.invoke('whoami'))).toMatchObject({ url: 'fixture://app/deep/link' });
    expect(
      await app.page.evaluate(
        "new Promise((done) => { new Worker('/worker.js').onmessage = (event) => done(event.data); })",
      ),
    ).toBe('worked');
    expect(await app.page.evaluate('window.isSecureContext')).toBe(true);
  });
  it('keeps the page where it is when a navigation is prevented', async () => {
    await app.page.evaluate("location.href = 'https://example.org/'");
    // The page's script goes on before the request that is the navigation is made.
    await expect.poll(() => inPage((api) => api.invoke('navigations'))).toEqual(['https://example.org/']);
    expect(await app.page.textContent('h1')).toBe('Fixture');
  });
  it('records what it does not do, and gives the prepared answers', async () => {
    await app.answerDialog('showOpenDialog', { canceled: false, filePaths: ['/some/folder'] });
    expect(await inPage((api) => api.invoke('choose'))).toEqual(['/some/folder']);
    expect(await inPage((api) => api.invoke('choose'))).toEqual([]);
    await inPage((api) => api.invoke('open', 'https://example.org/help'));
    expect(await app.openedUrl()).toBe('https://example.org/help');
    await app.clickMenu('File', 'Greet');
    expect((await app.recorded()).menuLabels).toEqual(['File']);
  });
  it('runs utility processes', async () => {
    expect(await inPage((api) => api.invoke('utility', 21))).toBe(42);
  });
  it('fails loudly on what it does not have', async () => {
    expect(await inPage((api) => api.invoke('unknown').catch((error: Error) => error.message))).toContain(
      'electron.app.dock is not part of the stand-in for Electron',
    );
  });
  it('passes a second start on to the first, and ends it', async () => {
    const argv = inPage((api) => new Promise((done) => api.on('second', done)));
    await inPage((api) => api.invoke('echo', 1));
    await app.startAgain();
    expect(await argv).toContain(`--user-data-dir=${folder}`);
  });
});
