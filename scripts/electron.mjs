/** Where an Electron runtime is at hand, and how to get one. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root, runNode } from './setup.mjs';

const DOWNLOAD_MS = 300_000;

/** The path of an Electron executable, or null: an unpacked distribution that the environment names, or the package's own. */
export function electronBinary() {
  const folder = process.env.ELECTRON_OVERRIDE_DIST_PATH ?? join(root, 'node_modules', 'electron', 'dist');
  const name =
    { win32: 'electron.exe', darwin: 'Electron.app/Contents/MacOS/Electron' }[process.platform] ?? 'electron';
  const named = join(root, 'node_modules', 'electron', 'path.txt');
  const file = join(folder, existsSync(named) ? readFileSync(named, 'utf8').trim() : name);
  return existsSync(file) ? file : null;
}

/** Downloads Electron's runtime by the package's own script; false where that place is out of reach. */
export async function fetchElectron() {
  process.stderr.write('Armarium: fetching the Electron runtime (once) …\n');
  const timer = new Promise((done) => setTimeout(done, DOWNLOAD_MS, 1).unref());
  const code = await Promise.race([
    runNode([join(root, 'node_modules', 'electron', 'install.js')], {
      stdio: 'ignore',
      env: { ELECTRON_SKIP_BINARY_DOWNLOAD: '' },
    }),
    timer,
  ]);
  return code === 0 && electronBinary() !== null;
}
