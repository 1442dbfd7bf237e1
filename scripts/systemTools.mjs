/**
 * What the tests need besides packages: a Chromium, poppler's pdftotext as the independent reader of PDFs, LibreOffice, by
 * which the server makes PDFs, and a keychain, in which the desktop keeps tokens.
 */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { root, runNode } from './setup.mjs';

/** Switches without which Chromium fails as root, or looks for hosts that tests have no business with. */
export const CHROMIUM_FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

const LIBREOFFICE = ['writer', 'calc', 'impress'].map((part) => `libreoffice-${part}-nogui`);
const CHROMIUM_NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome'];
const MAC_CHROME = '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome';

/** The path of a program on PATH, or null. */
export function which(name) {
  for (const folder of (process.env.PATH ?? '').split(delimiter)) {
    const file = join(folder, process.platform === 'win32' ? `${name}.exe` : name);
    if (existsSync(file)) return file;
  }
  return null;
}

/** The path of an installed Chromium or Chrome, the one that CHROMIUM_PATH names first; null when there is none. */
export function installedChromium() {
  const named = process.env.CHROMIUM_PATH;
  if (named && existsSync(named)) return named;
  for (const name of CHROMIUM_NAMES) {
    const found = which(name);
    if (found !== null) return found;
  }
  return existsSync(MAC_CHROME) ? MAC_CHROME : null;
}

/** Installs Debian packages, as root or by a sudo that asks nothing; false where neither is possible. */
function aptInstall(packages) {
  if (which('apt-get') === null) return false;
  const asRoot = process.getuid?.() === 0;
  if (!asRoot && spawnSync('sudo', ['-n', 'true'], { stdio: 'ignore' }).status !== 0) return false;
  const apt = (...args) =>
    spawnSync(asRoot ? 'apt-get' : 'sudo', asRoot ? args : ['-n', 'apt-get', ...args], {
      stdio: ['ignore', 'ignore', 2],
      env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    }).status === 0;
  process.stderr.write(`Armarium: installing ${packages.join(', ')} …\n`);
  return apt('update', '-q') && apt('install', '-y', '-q', '--no-install-recommends', ...packages);
}

/** Playwright's own Chromium, downloaded where its place is in reach. */
async function playwrightChromium() {
  const { chromium } = await import('@playwright/test');
  if (existsSync(chromium.executablePath())) return chromium.executablePath();
  process.stderr.write("Armarium: fetching Playwright's Chromium …\n");
  await runNode([join(root, 'node_modules', '@playwright', 'test', 'cli.js'), 'install', 'chromium'], {
    stdio: 'ignore',
  });
  return existsSync(chromium.executablePath()) ? chromium.executablePath() : null;
}

/**
 * Finds or installs the tools: an installed Chromium, else Playwright's, else the system package manager's.
 * @returns the environment that tells the tests where Chromium is.
 */
export async function ensureSystemTools() {
  let chromium = installedChromium() ?? (await playwrightChromium());
  const missing = [
    ...(chromium === null ? ['chromium', 'fonts-liberation'] : []),
    ...(which('pdftotext') === null ? ['poppler-utils'] : []),
    ...(which('soffice') === null ? LIBREOFFICE : []),
    ...(which('gnome-keyring-daemon') === null ? ['gnome-keyring', 'dbus'] : []),
  ];
  if (missing.length > 0) aptInstall(missing);
  chromium ??= installedChromium();
  if (chromium === null) {
    throw new Error('No Chromium: install one (or name it in CHROMIUM_PATH); the browser and desktop tests need it.');
  }
  return { CHROMIUM_PATH: chromium };
}
