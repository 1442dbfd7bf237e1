import { createHash, randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AppUpdater } from 'electron-updater';
import { NsisUpdater } from 'electron-updater/out/NsisUpdater.js';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Settings, SettingsStore } from '../../../src/main/settings.ts';
import { replaceAppImage, SafeAppImageUpdater } from '../../../src/main/updates/appImage.ts';
import { FeedExecutor } from '../../../src/main/updates/feedExecutor.ts';
import { createInstaller, type Installer } from '../../../src/main/updates/installer.ts';
import { createUpdates } from '../../../src/main/updates/updates.ts';
import type { UpdatePreference, UpdateStatus } from '../../../src/shared/model/update.ts';
import { openRequest } from '../../helpers/electron/netRequest.ts';
import { createAccount, startTestServer, type TestClient, type TestServer } from '../../helpers/server.ts';
import { type BadLine, openBadLine, publishVersion } from '../../helpers/updateFeed.ts';

/** The module object that electron-updater's own code writes files by. */
const commonFs = createRequire(import.meta.url)('node:fs') as typeof import('node:fs');

/** It is started once installed: without its first line the shell would run what is random. */
const NEW_APP = Buffer.concat([Buffer.from('#!/bin/sh\nexit 0\n'), randomBytes(700_000)]);
const NEW_SETUP = randomBytes(300_000);
const sha512 = (bytes: Uint8Array) => createHash('sha512').update(bytes).digest('base64');

let server: TestServer;
let line: BadLine;
let home: string;
let appImage: string;
let opened: number;

beforeAll(async () => {
  server = await startTestServer();
  const admin: TestClient = await createAccount(server.url);
  await publishVersion(admin, '2.0.0', 'linux', {
    'Armarium-2.0.0.AppImage': NEW_APP,
    'Armarium-2.0.0-arm64.AppImage': 'for another processor',
  });
  await publishVersion(admin, '2.0.0', 'win32', {
    'Armarium Setup 2.0.0.exe': NEW_SETUP,
    'Armarium Setup 2.0.0 arm64.exe': 'for another processor',
  });
});
afterAll(() => server.close());
beforeEach(async () => {
  line = await openBadLine(server.url);
  home = await mkdtemp(join(tmpdir(), 'armarium-update-'));
  appImage = join(home, 'Armarium-1.0.0.AppImage');
  await writeFile(appImage, 'the old application');
  await chmod(appImage, 0o755);
  await writeFile(join(home, 'app-update.yml'), 'provider: generic\nupdaterCacheDirName: updates\n');
  vi.stubEnv('APPIMAGE', appImage);
  opened = 0;
});
afterEach(async () => {
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
  await line.close();
  await rm(home, { recursive: true, force: true });
});

/** An application as electron-updater asks for it, without Electron. */
function adapter(version: string) {
  return {
    version,
    name: 'Armarium',
    isPackaged: true,
    appUpdateConfigPath: join(home, 'app-update.yml'),
    userDataPath: home,
    baseCachePath: home,
    whenReady: async () => undefined,
    relaunch: () => undefined,
    quit: () => undefined,
    onQuit: () => {
      throw new Error('nothing may be installed when the application quits');
    },
  };
}

function installerOver(updater: AppUpdater, extension: 'exe' | 'AppImage', silenceMs = 30_000): Installer {
  const executor = new FeedExecutor((options) => {
    opened += 1;
    expect(Object.keys(options.headers ?? {})).not.toContain('x-user-staging-id');
    return openRequest(options);
  }, silenceMs);
  const log = pino({ level: 'silent' });
  return createInstaller({ updater, executor, extension, feed: () => `${line.url}/updates/`, log });
}

const ofAppImage = (version = '1.0.0', silenceMs?: number) =>
  installerOver(new SafeAppImageUpdater(null, adapter(version)), 'AppImage', silenceMs);

const pending = () => join(home, 'updates', 'pending');
async function leftOvers(): Promise<string[]> {
  return existsSync(pending()) ? (await readdir(pending())).filter((name) => name !== 'update-info.json') : [];
}

async function fetchUpdate(installer: Installer): Promise<number[]> {
  const percents: number[] = [];
  expect(await installer.check()).toMatchObject({ version: '2.0.0' });
  await installer.download((percent) => percents.push(percent), new AbortController().signal);
  await installer.verify();
  return percents;
}

describe('an update from our own server', () => {
  it('is found, fetched once, and takes the place of the AppImage', async () => {
    const updater = new SafeAppImageUpdater(null, adapter('1.0.0'));
    const installer = installerOver(updater, 'AppImage');
    await fetchUpdate(installer);
    expect(await readFile(appImage, 'utf8')).toBe('the old application');
    const asked = line.asked.length;
    // Another start of the same version: what lies there is taken, not fetched again.
    await fetchUpdate(ofAppImage());
    expect(line.asked.slice(asked)).toEqual(['/updates/latest-linux.yml']);

    updater.install(true, true);
    expect(await readFile(join(home, 'Armarium-2.0.0.AppImage'))).toEqual(NEW_APP);
    expect(existsSync(appImage)).toBe(false);
    expect((await readdir(home)).filter((name) => name.endsWith('.new'))).toEqual([]);
  });
  it('is fetched for Windows, for its processor', async () => {
    const updater = new NsisUpdater(null, adapter('1.0.0'));
    Object.assign(updater, { _testOnlyOptions: { platform: 'win32' } });
    await fetchUpdate(installerOver(updater, 'exe'));
    expect(await leftOvers()).toEqual(['Armarium Setup 2.0.0.exe']);
    expect(sha512(await readFile(join(pending(), 'Armarium Setup 2.0.0.exe')))).toBe(sha512(NEW_SETUP));
  });
  it.each(['2.0.0', '2.0.1', '3.0.0-beta.1'])('is none for version %s', async (version) => {
    expect(await ofAppImage(version).check()).toBeNull();
  });
  it('is none where nothing was published', async () => {
    line.mischief = ({ response }) => response.writeHead(404).end();
    expect(await ofAppImage().check()).toBeNull();
  });
});

describe('what the person prefers (field.md row 87)', () => {
  const FEED = '/updates/latest-linux.yml';
  const FILE = '/updates/Armarium-2.0.0.AppImage';
  const DAY_MS = 24 * 3600_000;

  function begin(preference: UpdatePreference) {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const updates = createUpdates({
      installer: ofAppImage(),
      unsupported: null,
      currentVersion: '1.0.0',
      settings: {
        get: (key: keyof Settings) => ({ updates: preference })[key as 'updates'] ?? null,
        set: () => undefined,
      } as unknown as SettingsStore,
      isOnBattery: () => false,
      beforeInstall: async () => undefined,
      startAgain: () => undefined,
      log: pino({ level: 'silent' }),
    });
    const reaches = (wanted: UpdateStatus) =>
      new Promise<void>((reached) => updates.onChange(({ status }) => status === wanted && reached()));
    updates.start();
    return { updates, reaches };
  }
  afterEach(() => vi.useRealTimers());

  it('never: nothing is asked for in a day, and only the feed when the person looks', async () => {
    const { updates } = begin('never');
    await vi.advanceTimersByTimeAsync(DAY_MS);
    expect(line.asked).toEqual([]);
    await updates.check();
    expect(updates.state()).toMatchObject({ status: 'update-available-prompt', version: '2.0.0' });
    expect(line.asked).toEqual([FEED]);
    await vi.advanceTimersByTimeAsync(DAY_MS);
    expect(line.asked).toEqual([FEED]);
  });
  it('never, while it is fetched: the download ends, nothing is left of it, and it can be had later', async () => {
    const { updates } = begin('automatic');
    const gone = Promise.withResolvers<void>();
    line.mischief = ({ path, body, response }) => {
      response.setHeader('content-length', body.length);
      if (path === FEED) response.end(body);
      else response.once('close', gone.resolve).write(body.subarray(0, body.length / 2));
    };
    await vi.advanceTimersByTimeAsync(60_000);
    await vi.waitFor(async () => expect(await leftOvers()).toHaveLength(1));
    expect(updates.state().status).toBe('download-progress');
    updates.setPreference('never');
    await gone.promise;
    await vi.waitFor(async () => expect(await leftOvers()).toEqual([]));
    expect(updates.state()).toMatchObject({ status: 'update-available-prompt', error: null, isDismissed: true });
    line.mischief = null;
    await updates.download();
    expect(updates.state().status).toBe('update-ready');
    expect(line.asked).toEqual([FEED, FILE, FILE]);
  });
  it('notify only: the feed is asked for, the file when the person says so', async () => {
    const { updates, reaches } = begin('notify');
    const offered = reaches('update-available-prompt');
    await vi.advanceTimersByTimeAsync(60_000);
    await offered;
    expect(line.asked).toEqual([FEED]);
    await updates.download();
    expect(updates.state().status).toBe('update-ready');
    expect(line.asked).toEqual([FEED, FILE]);
  });
  it('automatic: the file is fetched unasked, but not where data is to be saved', async () => {
    const saving = begin('automatic');
    saving.updates.setMetered(true);
    const offered = saving.reaches('update-available-prompt');
    await vi.advanceTimersByTimeAsync(60_000);
    await offered;
    expect(line.asked).toEqual([FEED]);
    line.asked.length = 0;
    const { reaches } = begin('automatic');
    const ready = reaches('update-ready');
    await vi.advanceTimersByTimeAsync(60_000);
    await ready;
    expect(line.asked).toEqual([FEED, FILE]);
  });
});

describe('an update that is not what it should be is refused (field.md row 88)', () => {
  const yml = (change: (text: string) => string) => {
    line.mischief = ({ path, body, response }) => {
      const answer = path.endsWith('.yml') ? Buffer.from(change(body.toString())) : body;
      response.setHeader('content-length', answer.length).end(answer);
    };
  };
  async function isRefused(installer: Installer, code: string): Promise<void> {
    await expect(fetchUpdate(installer)).rejects.toMatchObject({ code });
    expect(await leftOvers()).toEqual([]);
    expect(await readFile(appImage, 'utf8')).toBe('the old application');
  }

  it('a file with one bit changed', async () => {
    line.mischief = ({ path, body, response }) => {
      const answer = Buffer.from(body);
      if (!path.endsWith('.yml')) answer[1000] = (answer[1000] ?? 0) ^ 1;
      response.setHeader('content-length', answer.length).end(answer);
    };
    await isRefused(ofAppImage(), 'content-mismatch');
  });
  it('a shorter file', async () => {
    line.mischief = ({ path, body, response }) => {
      const answer = path.endsWith('.yml') ? body : body.subarray(0, body.length - 1);
      response.setHeader('content-length', answer.length).end(answer);
    };
    await isRefused(ofAppImage(), 'content-mismatch');
  });
  it('a checksum of something else', async () => {
    yml((text) => text.replaceAll(sha512(NEW_APP), sha512(Buffer.from('else'))));
    await isRefused(ofAppImage(), 'content-mismatch');
  });
  it.each(['', 'abc', 'null'])('a checksum that is %j', async (given) => {
    yml((text) => text.replaceAll(sha512(NEW_APP), given));
    await isRefused(ofAppImage(), 'content-mismatch');
  });
  it('a file of another host', async () => {
    const { port } = new URL(server.url);
    yml((text) => text.replaceAll('"url":"Armarium-2.0.0', `"url":"http://localhost:${port}/updates/Armarium-2.0.0`));
    await isRefused(ofAppImage(), 'forbidden');
  });
  it.each(['..%2f..%2f..%2f', '../', '..%5c'])('a name that leads out of the folder by %j', async (way) => {
    yml((text) => text.replaceAll('"url":"Armarium-2.0.0', `"url":"${way}Armarium-2.0.0`));
    await isRefused(ofAppImage(), 'forbidden');
  });
  it('a redirect, of the feed or of the file', async () => {
    for (const part of ['.yml', '.AppImage']) {
      line.mischief = ({ path, body, response }) => {
        if (path.endsWith(part)) response.writeHead(302, { location: `${server.url}${path}` }).end();
        else response.setHeader('content-length', body.length).end(body);
      };
      await isRefused(ofAppImage(), 'forbidden');
    }
  });
  it.each(['', '- 1', 'version: "x"\nfiles: []\n', 'version: 2.0.0\n', '\u0000', '{'])(
    'a feed that says %j',
    async (text) => {
      yml(() => text);
      const outcome = await ofAppImage()
        .check()
        .catch((error: { code: string }) => error.code);
      expect(['unsupported', null]).toContain(outcome);
    },
  );
  it('a file that was changed after it was checked', async () => {
    const installer = ofAppImage();
    await fetchUpdate(installer);
    await writeFile(join(pending(), 'Armarium-2.0.0.AppImage'), 'something else');
    await expect(installer.verify()).rejects.toMatchObject({ code: 'content-mismatch' });
  });
});

describe('an update on a bad day', () => {
  const half = ({ path, body, response }: Parameters<NonNullable<BadLine['mischief']>>[0]) => {
    response.setHeader('content-length', body.length);
    if (path.endsWith('.yml')) response.end(body);
    else response.write(body.subarray(0, body.length / 2));
  };

  it('survives a connection that is lost in the middle, and is fetched the next time', async () => {
    const installer = ofAppImage();
    line.mischief = (answer) => {
      half(answer);
      if (!answer.path.endsWith('.yml')) setImmediate(() => answer.response.destroy());
    };
    await expect(fetchUpdate(installer)).rejects.toMatchObject({ code: 'server-unreachable' });
    expect(await leftOvers()).toEqual([]);
    line.mischief = null;
    await fetchUpdate(installer);
    expect(await leftOvers()).toEqual(['Armarium-2.0.0.AppImage']);
  });
  it('gives a server up that stops sending', async () => {
    line.mischief = half;
    await expect(fetchUpdate(ofAppImage('1.0.0', 300))).rejects.toMatchObject({ code: 'timed-out' });
    expect(await leftOvers()).toEqual([]);
  });
  it('says that the server does not answer', async () => {
    await line.close();
    await expect(ofAppImage().check()).rejects.toMatchObject({ code: 'server-unreachable' });
    expect(opened).toBeGreaterThan(0);
  });
  it.runIf(existsSync('/dev/full'))('leaves nothing behind on a disk that is full', async () => {
    const create = commonFs.createWriteStream.bind(commonFs);
    vi.spyOn(commonFs, 'createWriteStream').mockImplementation((path, ...rest) =>
      create(String(path).startsWith(home) ? '/dev/full' : path, ...rest),
    );
    const installer = ofAppImage();
    await expect(fetchUpdate(installer)).rejects.toMatchObject({ code: 'storage-full' });
    expect(await leftOvers()).toEqual([]);
    vi.restoreAllMocks();
    await fetchUpdate(installer);
  });
  it.runIf(existsSync('/dev/full'))('leaves the old AppImage where the new one cannot be written', async () => {
    const installer = join(home, 'downloads', 'Armarium-2.0.0.AppImage');
    await mkdir(join(home, 'downloads'));
    await writeFile(installer, NEW_APP);
    await symlink('/dev/full', join(home, '.Armarium-2.0.0.AppImage.new'));
    // What this writes to takes nothing.
    expect(() => replaceAppImage(appImage, installer)).toThrow();
    expect(await readFile(appImage, 'utf8')).toBe('the old application');
    expect((await readdir(home)).sort()).toEqual(['Armarium-1.0.0.AppImage', 'app-update.yml', 'downloads']);
    // A file that a person named keeps its name.
    const named = join(home, 'armarium');
    await writeFile(named, 'the old application');
    expect(replaceAppImage(named, installer)).toBe(named);
    expect(await readFile(named)).toEqual(NEW_APP);
  });
});
