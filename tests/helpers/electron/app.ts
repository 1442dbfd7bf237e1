import { EventEmitter } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, watch, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import type Electron from 'electron';
import { recorded } from './control.ts';
import { strict } from './strict.ts';

type Paths = Parameters<Electron.App['getPath']>[0];

const argument = (name: string) => process.argv.find((each) => each.startsWith(`--${name}=`))?.slice(name.length + 3);
const userData = argument('user-data-dir') ?? join(tmpdir(), `stand-in-${process.pid}`);
const paths = new Map<string, string>([
  ['userData', userData],
  ['sessionData', userData],
  ['logs', join(userData, 'logs')],
  ['temp', tmpdir()],
  ['home', homedir()],
  ['documents', join(homedir(), 'Documents')],
  ['desktop', join(homedir(), 'Desktop')],
  ['exe', process.execPath],
]);
mkdirSync(userData, { recursive: true });
/** A packaged application has a folder for what it is shipped with. */
const resources = process.env.STAND_IN_RESOURCES;
// A packaged program is the application: no script stands between it and what it was given.
if (resources !== undefined) process.argv.splice(1, 1);
if (resources !== undefined) Object.assign(process, { resourcesPath: resources });

const emitter = new EventEmitter();
const lockFile = join(userData, 'singleton.lock');
let name = 'electron';
let isReady = false;
let quitting = false;
let hasLock = false;
const ready = Promise.withResolvers<void>();

/** What the windows do when the application quits; set by the windows' module. */
export const windowsHook: { closeAll: () => boolean } = { closeAll: () => true };

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    // Nobody has this number any more.
    return false;
  }
}

/** Whether another start of the application holds the lock. */
export function isRunningElsewhere(): boolean {
  return existsSync(lockFile) && isAlive(Number(readFileSync(lockFile, 'utf8')));
}

/** Tells the process that holds the lock of another start, by a file that it watches for. */
function followOtherStarts(): void {
  watch(userData, () => {
    for (const file of readdirSync(userData).filter((each) => each.startsWith('second-instance-'))) {
      const argv = JSON.parse(readFileSync(join(userData, file), 'utf8')) as string[];
      rmSync(join(userData, file));
      emitter.emit('second-instance', {}, argv, process.cwd(), null);
    }
  }).unref();
}

function exit(code = 0): void {
  if (hasLock) rmSync(lockFile, { force: true });
  process.exit(code);
}

const methods = {
  whenReady: () => ready.promise,
  isReady: () => isReady,
  enableSandbox() {
    if (isReady) throw new Error('app.enableSandbox() can only be called before app is ready');
  },
  getPath(which: Paths) {
    const path = paths.get(which);
    if (path === undefined) throw new Error(`app.getPath('${which}') is not part of the stand-in for Electron`);
    return path;
  },
  setPath(which: string, path: string) {
    paths.set(which, path);
  },
  getVersion: () =>
    process.env.STAND_IN_VERSION ?? (JSON.parse(readFileSync('package.json', 'utf8')) as { version: string }).version,
  getName: () => name,
  setName(next: string) {
    name = next;
  },
  getLocale: () => 'en-US',
  setAppUserModelId(_id: string) {
    if (isReady) throw new Error('the stand-in wants the model id before anything is shown');
  },
  /** The links of a packaged application are the system's to hand over: `startAgain` of a test does. */
  setAsDefaultProtocolClient: (_protocol: string, _path?: string, _args?: readonly string[]) => true,
  requestSingleInstanceLock() {
    try {
      writeFileSync(lockFile, String(process.pid), { flag: 'wx' });
    } catch {
      // Somebody has the lock: a process that lives, or one that was killed.
      if (isRunningElsewhere()) {
        // Moved into place, so that the other never reads half of it.
        const written = join(userData, `starting-${process.pid}`);
        writeFileSync(written, JSON.stringify(process.argv));
        renameSync(written, join(userData, `second-instance-${process.pid}`));
        return false;
      }
      writeFileSync(lockFile, String(process.pid));
    }
    hasLock = true;
    followOtherStarts();
    return true;
  },
  quit() {
    if (quitting) return;
    let prevented = false;
    emitter.emit('before-quit', { preventDefault: () => (prevented = true) });
    if (prevented) return;
    quitting = true;
    if (!windowsHook.closeAll()) {
      quitting = false;
      return;
    }
    emitter.emit('will-quit', {});
    emitter.emit('quit', {}, 0);
    setImmediate(exit);
  },
  exit,
  releaseSingleInstanceLock() {
    if (hasLock) rmSync(lockFile, { force: true });
    hasLock = false;
  },
  relaunch(options: Electron.RelaunchOptions = {}) {
    recorded.relaunches.push(options);
  },
  isPackaged: resources !== undefined,
} satisfies Partial<Electron.App>;

/** Whether the application is on its way out, so that closed windows do not make it quit again. */
export const isQuitting = () => quitting;

/** Tells the application that it is ready; called once by the stand-in's entry. */
export function applicationReady(): void {
  isReady = true;
  ready.resolve();
  emitter.emit('ready');
}

export const app = strict('electron.app', Object.assign(emitter, methods));
