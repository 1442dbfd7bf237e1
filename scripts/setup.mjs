/**
 * Set-up that any Node of 18 or later can run: installs the dependencies when the lockfile changed, and continues the
 * calling script on the Node that the project pins (the npm package `node` carries it).
 */
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, realpathSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const binary = process.platform === 'win32' ? 'node.exe' : 'node';
const pinnedNode = join(root, 'node_modules', 'node', 'bin', binary);
const stamp = join(root, 'node_modules', '.armarium-lock');
const lockHash = () =>
  createHash('sha256')
    .update(readFileSync(join(root, 'package-lock.json')))
    .digest('hex');

/** Whether what is installed is what the lockfile says. */
function installed() {
  return existsSync(pinnedNode) && existsSync(stamp) && readFileSync(stamp, 'utf8') === lockHash();
}

/** Only one of several scripts started at once installs; the others wait for it. */
async function withInstallLock(work) {
  const lock = join(root, '.cache', 'install.lock');
  mkdirSync(dirname(lock), { recursive: true });
  for (;;) {
    try {
      mkdirSync(lock);
      break;
    } catch (error) {
      if (error.code !== 'EEXIST') throw error;
      // A lock that nobody renewed for ten minutes belongs to a script that was killed.
      const age = Date.now() - (statSync(lock, { throwIfNoEntry: false })?.mtimeMs ?? 0);
      if (age > 600_000) rmSync(lock, { recursive: true, force: true });
      else await new Promise((done) => setTimeout(done, 250));
    }
  }
  try {
    await work();
  } finally {
    rmSync(lock, { recursive: true, force: true });
  }
}

async function install() {
  await withInstallLock(() => {
    if (installed()) return;
    process.stderr.write('Armarium: installing dependencies (once, and again when the lockfile changes) …\n');
    // Electron's binary comes from another place than the registry; it is fetched by `npm start` where that is in reach.
    const run = spawnSync('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], {
      cwd: root,
      stdio: ['ignore', 2, 2],
      shell: process.platform === 'win32',
      env: { ...process.env, ELECTRON_SKIP_BINARY_DOWNLOAD: '1', npm_config_update_notifier: 'false' },
    });
    if (run.status !== 0) {
      process.stderr.write('Armarium: npm ci failed; the reason stands above. Nothing else was changed.\n');
      process.exit(1);
    }
    writeFileSync(stamp, lockHash());
  });
}

/** The environment in which every command of the project runs: its own Node and its own tools first in the path. */
export function projectEnv(extra = {}) {
  const path = [dirname(pinnedNode), join(root, 'node_modules', '.bin'), process.env.PATH ?? ''].join(delimiter);
  return { ...process.env, PATH: path, ...extra };
}

/** Runs a command in the project's environment and resolves to its exit code; signals are passed on. */
export function run(command, args, { env = {}, stdio = 'inherit', cwd = root } = {}) {
  return new Promise((done, fail) => {
    const child = spawn(command, args, { cwd, stdio, env: projectEnv(env) });
    const pass = (signal) => child.kill(signal);
    process.on('SIGINT', pass);
    process.on('SIGTERM', pass);
    // A shell between npm and this script does not pass signals on: when it has gone, so has whoever wanted this.
    const parent = process.ppid;
    const orphaned = setInterval(() => {
      if (process.ppid !== parent) child.kill('SIGTERM');
    }, 1000);
    orphaned.unref();
    child.on('error', fail);
    child.on('exit', (code, signal) => {
      process.off('SIGINT', pass);
      process.off('SIGTERM', pass);
      clearInterval(orphaned);
      done(code ?? (signal === null ? 1 : 128));
    });
  });
}

/** Runs the project's Node. */
export const runNode = (args, options) => run(pinnedNode, args, options);

/**
 * Makes sure that what the lockfile names is installed and that `main` runs on the pinned Node: the calling script is
 * started again on it when it is not on it yet.
 * @param {string} script the calling script's `import.meta.url`
 * @param {(args: string[]) => Promise<number>} main
 */
export async function withSetup(script, main) {
  if (!installed()) await install();
  // Where `node_modules` is a link, Node tells where it really is; taken for another one, it would start itself without end.
  if (realpathSync(process.execPath) !== realpathSync(pinnedNode)) {
    process.exit(await runNode([fileURLToPath(script), ...process.argv.slice(2)]));
  }
  process.exit(await main(process.argv.slice(2)));
}
