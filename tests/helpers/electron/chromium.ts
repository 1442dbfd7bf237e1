import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CHROMIUM_FLAGS, installedChromium } from '../../../scripts/systemTools.mjs';
import { type CdpConnection, connectCdp } from './cdp.ts';

export interface Browser {
  readonly endpoint: string;
  readonly connection: CdpConnection;
  close(): void;
}

/** Starts the system's Chromium without a display and connects to it. It ends with this process. */
export async function startChromium(): Promise<Browser> {
  const binary = installedChromium();
  if (binary === null) throw new Error('no Chromium: install one or name it in CHROMIUM_PATH');
  const profile = mkdtempSync(join(tmpdir(), 'armarium-chromium-'));
  const child: ChildProcess = spawn(
    binary,
    [...CHROMIUM_FLAGS, '--headless=new', '--remote-debugging-port=0', `--user-data-dir=${profile}`, 'about:blank'],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  );
  const close = () => {
    child.kill('SIGKILL');
    rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
  };
  process.on('exit', close);
  const endpoint = await new Promise<string>((found, fail) => {
    let heard = '';
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      heard += text;
      const match = /DevTools listening on (ws:\/\/\S+)/u.exec(heard);
      if (match?.[1] !== undefined) found(match[1]);
    });
    child.once('exit', (code) => fail(new Error(`Chromium ended with code ${code}: ${heard}`)));
  });
  return { endpoint, connection: await connectCdp(endpoint), close };
}
