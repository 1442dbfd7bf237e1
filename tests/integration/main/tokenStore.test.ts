import { execFile, execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '..', '..', '..');
const run = promisify(execFile);

/** A keychain that can be started for a test alone: gnome-keyring on a D-Bus of its own. */
function hasKeyring(): boolean {
  try {
    execFileSync('gnome-keyring-daemon', ['--version'], { stdio: 'ignore' });
    execFileSync('dbus-run-session', ['--version'], { stdio: 'ignore' });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    return false;
  }
}

interface Outcome {
  readonly backend: string;
  readonly loaded: readonly unknown[];
  readonly log: string;
}

let home: string;
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'armarium-tokens-'));
});
afterEach(() => rm(home, { recursive: true, force: true }));

const program = (steps: readonly string[]) => [
  '--disable-warning=ExperimentalWarning',
  '--import',
  join(ROOT, 'tests', 'helpers', 'electron', 'register.ts'),
  join(ROOT, 'tests', 'fixtures', 'tokenStoreRun.ts'),
  join(home, 'tokens.json'),
  ...steps,
  `--user-data-dir=${join(home, 'user')}`,
];
const environment = (more: Readonly<Record<string, string>>) => ({
  ...process.env,
  HOME: home,
  XDG_DATA_HOME: join(home, 'data'),
  XDG_RUNTIME_DIR: home,
  DBUS_SESSION_BUS_ADDRESS: 'disabled:',
  ...more,
});

async function open(steps: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Outcome> {
  const { stdout } = await run(process.execPath, program(steps.slice()), { cwd: ROOT, env: environment(env) });
  return JSON.parse(stdout) as Outcome;
}

/** The same beside a keychain, which a password opens and which is kept in `home`. */
async function openWithKeyring(...starts: readonly (readonly string[])[]): Promise<Outcome[]> {
  const quoted = (steps: readonly string[]) =>
    program(steps)
      .map((each) => `'${each}'`)
      .join(' ');
  const script = [
    'printf secret | gnome-keyring-daemon --unlock --components=secrets >/dev/null 2>&1',
    ...starts.map((steps) => `'${process.execPath}' ${quoted(steps)}`),
  ].join('\n');
  const { stdout } = await run('dbus-run-session', ['--', 'sh', '-ec', script], { cwd: ROOT, env: environment({}) });
  return stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Outcome);
}

/** Every file below a folder that holds one of the tokens as it is. */
async function leaks(): Promise<string[]> {
  const files = (await readdir(home, { recursive: true, withFileTypes: true })).filter((entry) => entry.isFile());
  const found = await Promise.all(
    files.map(async ({ parentPath, name }) => {
      const text = await readFile(join(parentPath, name), 'latin1');
      return /canary-(access|refresh)/u.test(text) ? [join(parentPath, name)] : [];
    }),
  );
  return found.flat();
}

const TOKENS = { accessToken: 'canary-access', refreshToken: 'canary-refresh', expiresAt: 1 };

describe('where tokens are kept', () => {
  it.skipIf(!hasKeyring())(
    'in the keychain of the system, over starts and for each server (needs gnome-keyring and dbus)',
    async () => {
      const [first, second, third] = await openWithKeyring(
        ['load', 'local', 'save', 'local', 'save', 'https://a.example'],
        ['load', 'local', 'load', 'https://b.example', 'clear', 'local'],
        ['load', 'local', 'load', 'https://a.example'],
      );
      expect(first).toMatchObject({ backend: 'keyring', loaded: [null] });
      expect(second).toMatchObject({ backend: 'keyring', loaded: [TOKENS, null] });
      expect(third).toMatchObject({ backend: 'keyring', loaded: [null, TOKENS] });
      expect([first, second, third].map((each) => each?.log).join()).not.toMatch(/canary/u);
      expect(await leaks()).toEqual([]);
    },
  );
  it("encrypted with Electron's key, where there is no keychain service", async () => {
    const env = { STAND_IN_KEYCHAIN_SECRET: 'a' };
    expect(await open(['save', 'local', 'save', 'https://a.example'], env)).toMatchObject({ backend: 'safe-storage' });
    expect(await leaks()).toEqual([]);
    expect((await open(['load', 'local', 'clear', 'local', 'load', 'local'], env)).loaded).toEqual([TOKENS, null]);
    expect(existsSync(join(home, 'tokens.json'))).toBe(true);
    await open(['clear', 'https://a.example'], env);
    expect(existsSync(join(home, 'tokens.json'))).toBe(false);
  });
  it('nowhere but in memory, where neither protects anything (field.md row 6)', async () => {
    const outcome = await open(['save', 'local', 'load', 'local']);
    expect(outcome).toMatchObject({ backend: 'memory', loaded: [TOKENS] });
    expect(outcome.log).not.toMatch(/canary/u);
    expect(await leaks()).toEqual([]);
    expect((await open(['load', 'local'])).loaded).toEqual([null]);
  });
  it('and what was encrypted with another key is kept, not thrown away', async () => {
    await open(['save', 'local'], { STAND_IN_KEYCHAIN_SECRET: 'a' });
    await expect(open(['load', 'local'], { STAND_IN_KEYCHAIN_SECRET: 'b' })).rejects.toThrow();
    expect((await open(['load', 'local'], { STAND_IN_KEYCHAIN_SECRET: 'a' })).loaded).toEqual([TOKENS]);
  });
});
