import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Settings, SettingsStore } from '../../../src/main/settings.ts';
import type { Installer } from '../../../src/main/updates/installer.ts';
import { createUpdates, type Updates } from '../../../src/main/updates/updates.ts';
import { waitUntilIdle } from '../../../src/main/updates/waitUntilIdle.ts';
import { AppError } from '../../../src/shared/errors.ts';
import { INDEX_OFF, type IndexStatus } from '../../../src/shared/model/search.ts';
import type { AppState, UpdateStatus } from '../../../src/shared/model/update.ts';

const HOUR = 3600_000;
const appState: AppState = { path: '/desktop/main', scroll: 0, search: null, drafts: {} };

let kept: Partial<Settings>;
let steps: string[];
let fails: { check?: AppError; download?: AppError; verify?: AppError; install?: AppError };
let offered: string | null;
let isOnBattery: boolean;
/** Whether the server keeps what is fetched waiting until the download is stopped. */
let isSlow: boolean;
let seen: UpdateStatus[];

const installer: Installer = {
  async check() {
    steps.push('check');
    if (fails.check !== undefined) throw fails.check;
    return offered === null ? null : { version: offered, releaseDate: null };
  },
  async download(onProgress, signal) {
    steps.push('download');
    for (const percent of [10.5, 55.9]) onProgress(percent);
    if (isSlow) {
      await new Promise((stopped) => signal.addEventListener('abort', stopped, { once: true }));
      steps.push('stopped');
      throw new AppError('cancelled', 'stopped');
    }
    if (fails.download !== undefined) throw fails.download;
  },
  async verify() {
    steps.push('verify');
    if (fails.verify !== undefined) throw fails.verify;
  },
  async install(onFailure) {
    steps.push('install');
    if (fails.install !== undefined) onFailure(fails.install);
  },
};

function open(currentVersion = '1.0.0', having: Installer | null = installer): Updates {
  const settings = {
    get: (key: keyof Settings) => kept[key],
    set: (key: keyof Settings, value: never) => {
      kept = { ...kept, [key]: value };
    },
  } as SettingsStore;
  const updates = createUpdates({
    installer: having,
    unsupported: having === null ? 'development' : null,
    currentVersion,
    settings,
    isOnBattery: () => isOnBattery,
    beforeInstall: async () => void steps.push('close'),
    startAgain: () => void steps.push('start again'),
    log: pino({ level: 'silent' }),
  });
  seen = [];
  updates.onChange(({ status }) => {
    if (seen.at(-1) !== status) seen.push(status);
  });
  return updates;
}

beforeEach(() => {
  vi.useFakeTimers();
  kept = { updates: 'automatic', beforeUpdate: null };
  steps = [];
  fails = {};
  offered = '2.0.0';
  isOnBattery = false;
  isSlow = false;
});
afterEach(() => vi.useRealTimers());

describe('updates by the clock', () => {
  it('are looked for after the start and a few times a day, fetched, and then wait for the person', async () => {
    const updates = open();
    updates.start();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(updates.state()).toMatchObject({ status: 'update-ready', isManual: false, version: '2.0.0' });
    expect(steps).toEqual(['check', 'download', 'verify']);
    await vi.advanceTimersByTimeAsync(24 * HOUR);
    expect(steps).not.toContain('install');
    expect(seen).toEqual([
      'checking',
      'update-available-prompt',
      'download-progress',
      'update-downloaded',
      'update-ready',
    ]);
  });
  it('make no request at all in a day where they are switched off (field.md row 87)', async () => {
    kept = { ...kept, updates: 'never' };
    const updates = open();
    updates.start();
    await vi.advanceTimersByTimeAsync(24 * HOUR);
    expect(steps).toEqual([]);
    updates.setPreference('automatic');
    await vi.advanceTimersByTimeAsync(1000);
    expect(steps).toContain('download');
    expect(kept.updates).toBe('automatic');
    updates.setPreference('never');
    steps = [];
    await vi.advanceTimersByTimeAsync(24 * HOUR);
    expect(steps).toEqual([]);
  });
  it.each(['never', 'notify'] as const)(
    'are not fetched on once %s is chosen, and are still to be had',
    async (preference) => {
      isSlow = true;
      const updates = open();
      updates.start();
      await vi.advanceTimersByTimeAsync(60_000);
      expect(updates.state()).toMatchObject({ status: 'download-progress', percent: 55 });
      updates.setPreference(preference);
      await vi.advanceTimersByTimeAsync(1000);
      expect(steps.filter((step) => step !== 'check')).toEqual(['download', 'stopped']);
      expect(updates.state()).toMatchObject({
        status: 'update-available-prompt',
        version: '2.0.0',
        percent: 0,
        error: null,
        isDismissed: true,
      });
      isSlow = false;
      await updates.download();
      expect(updates.state()).toMatchObject({ status: 'update-ready', isManual: true });
    },
  );
  it('are fetched on where the person asked for it and wants to be told of others', async () => {
    isSlow = true;
    const updates = open();
    await updates.check();
    void updates.download();
    await vi.advanceTimersByTimeAsync(0);
    updates.setPreference('notify');
    await vi.advanceTimersByTimeAsync(1000);
    expect(updates.state()).toMatchObject({ status: 'download-progress', isManual: true });
    updates.setPreference('never');
    await vi.advanceTimersByTimeAsync(1000);
    expect(updates.state()).toMatchObject({ status: 'update-available-prompt', isDismissed: true });
  });
  it('are told of and fetched only when the person says so, where that is wanted', async () => {
    kept = { ...kept, updates: 'notify' };
    const updates = open();
    updates.start();
    await vi.advanceTimersByTimeAsync(24 * HOUR);
    expect(new Set(steps)).toEqual(new Set(['check']));
    expect(updates.state()).toMatchObject({ status: 'update-available-prompt', isDismissed: false });
    updates.dismiss();
    await vi.advanceTimersByTimeAsync(24 * HOUR);
    expect(updates.state()).toMatchObject({ status: 'update-available-prompt', isDismissed: true });
    await updates.download();
    expect(updates.state()).toMatchObject({ status: 'update-ready', isManual: true });
  });
  it('stay offered when a later look fails, give way to a newer one, and go when there is none any more', async () => {
    kept = { updates: 'notify', beforeUpdate: null };
    const updates = open();
    updates.start();
    await vi.advanceTimersByTimeAsync(60_000);
    fails = { check: new AppError('server-unreachable', 'no network') };
    await vi.advanceTimersByTimeAsync(4 * HOUR);
    expect(updates.state()).toMatchObject({ status: 'update-available-prompt', version: '2.0.0', error: null });
    updates.dismiss();
    fails = {};
    await vi.advanceTimersByTimeAsync(4 * HOUR);
    expect(updates.state()).toMatchObject({ version: '2.0.0', isDismissed: true });
    offered = '2.1.0';
    await vi.advanceTimersByTimeAsync(4 * HOUR);
    expect(updates.state()).toMatchObject({
      status: 'update-available-prompt',
      version: '2.1.0',
      isDismissed: false,
    });
    offered = null;
    await vi.advanceTimersByTimeAsync(4 * HOUR);
    expect(updates.state()).toMatchObject({ status: 'update-not-available', version: null });
    expect(seen).toEqual(['checking', 'update-available-prompt', 'update-not-available']);
  });
  it('are no longer fetched where the person says no while one is looked for', async () => {
    const updates = open();
    updates.start();
    updates.onChange(({ status, preference }) => {
      if (status === 'checking' && preference === 'automatic') updates.setPreference('never');
    });
    await vi.advanceTimersByTimeAsync(24 * HOUR);
    expect(steps).toEqual(['check']);
  });
  it.each(['battery', 'metered connection'])('are asked about first on a %s', async (where) => {
    isOnBattery = where === 'battery';
    const updates = open();
    updates.setMetered(!isOnBattery);
    updates.start();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(updates.state().status).toBe('update-available-prompt');
    expect(steps).toEqual(['check']);
  });
});

describe('updates by hand', () => {
  it('are offered, fetched and installed in steps, with what was open kept', async () => {
    const updates = open();
    await updates.check();
    expect(updates.state().status).toBe('update-available-prompt');
    await expect(updates.install()).rejects.toMatchObject({ code: 'conflict' });
    await updates.download();
    expect(updates.state().status).toBe('update-ready');
    updates.saveState(appState);
    await updates.install();
    // Checked again before anything is closed.
    expect(steps).toEqual(['check', 'download', 'verify', 'verify', 'close', 'install']);
    expect(kept.beforeUpdate).toEqual({ to: '2.0.0', appState });

    const after = open('2.0.0');
    expect(after.state()).toMatchObject({ status: 'restore-app-state', appState });
    after.restored();
    expect(after.state().status).toBe('idle');
    expect(open('2.0.0').state().status).toBe('idle');
  });
  it('say so where a version was not installed, and keep what was open all the same', () => {
    kept = { ...kept, beforeUpdate: { to: '2.0.0', appState } };
    expect(open('1.0.0').state()).toMatchObject({ status: 'update-error', appState });
  });
  it('install nothing that was changed on the disk meanwhile', async () => {
    const updates = open();
    await updates.check();
    await updates.download();
    fails.verify = new AppError('content-mismatch', 'changed');
    await updates.install();
    expect(updates.state()).toMatchObject({ status: 'update-error', error: 'content-mismatch' });
    expect(steps).not.toContain('close');
    expect(steps).not.toContain('install');
  });
  it('start the version that is there again where it could not be replaced', async () => {
    const updates = open();
    await updates.check();
    await updates.download();
    fails.install = new AppError('storage-full', 'full');
    await updates.install();
    expect(steps.slice(-2)).toEqual(['install', 'start again']);
    expect(updates.state()).toMatchObject({ status: 'update-error', error: 'storage-full' });
  });
  it.each(['check', 'download', 'verify'] as const)('tell of a failure in %s', async (step) => {
    fails[step] = new AppError('server-unreachable', 'lost');
    const updates = open();
    await updates.check();
    await updates.download();
    expect(updates.state()).toMatchObject({ status: 'update-error', error: 'server-unreachable' });
  });
  it('are not there where the copy does not update itself', async () => {
    const updates = open('1.0.0', null);
    updates.start();
    await updates.check();
    await vi.advanceTimersByTimeAsync(24 * HOUR);
    expect(updates.state()).toMatchObject({ status: 'idle', unsupported: 'development' });
  });
});

describe('waiting for the index (desktop-shell.md §9)', () => {
  function index(state: IndexStatus['state']) {
    const listeners = new Set<(status: IndexStatus) => void>();
    return {
      status: () => ({ ...INDEX_OFF, state }),
      onStatus: (listener: (status: IndexStatus) => void) => {
        listeners.add(listener);
        return () => void listeners.delete(listener);
      },
      become: (next: IndexStatus['state']) => {
        for (const listener of listeners) listener({ ...INDEX_OFF, state: next });
      },
      listeners,
    };
  }
  it.each(['ready', 'paused', 'off', 'failed'] as const)('does not wait for one that is %s', async (state) => {
    expect(await waitUntilIdle(index(state), 30_000)).toBe(true);
  });
  it('ends when the index has nothing to do, and after the time at the latest', async () => {
    const busy = index('indexing');
    const waiting = waitUntilIdle(busy, 30_000);
    busy.become('indexing');
    busy.become('ready');
    expect(await waiting).toBe(true);
    const tooLong = waitUntilIdle(busy, 30_000);
    await vi.advanceTimersByTimeAsync(29_999);
    expect(busy.listeners.size).toBe(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(await tooLong).toBe(false);
    expect(busy.listeners.size).toBe(0);
  });
});
