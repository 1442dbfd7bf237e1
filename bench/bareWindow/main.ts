/** The main process of a bare Electron application: one window with a page of React, as electron-vite's template has it. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { app, BrowserWindow, protocol } from 'electron';

const SCHEME = 'app';
const folder = process.env.BARE_WINDOW_PAGE ?? '';

protocol.registerSchemesAsPrivileged([{ scheme: SCHEME, privileges: { standard: true, secure: true } }]);
app.on('window-all-closed', () => app.quit());
await app.whenReady();
protocol.handle(SCHEME, async ({ url }) => {
  const { pathname } = new URL(url);
  const type = pathname.endsWith('.js') ? 'text/javascript' : 'text/html';
  return new Response(await readFile(join(folder, pathname)), { headers: { 'content-type': type } });
});
const window = new BrowserWindow({
  width: 900,
  height: 670,
  show: false,
  webPreferences: { sandbox: true, contextIsolation: true, nodeIntegration: false },
});
window.once('ready-to-show', () => window.show());
await window.loadURL(`${SCHEME}://bare/index.html`);
