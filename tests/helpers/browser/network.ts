import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { connect, createServer, type Socket } from 'node:net';
import type { Page } from '@playwright/test';

/** A network between a browser and a server, which can be cut. What was on its way is lost, as on a phone. */
export interface Network {
  /** The server, over this network. */
  readonly url: string;
  cut(): void;
  restore(): void;
  /** Another server is at the same address from now on. */
  leadTo(url: string): void;
  close(): Promise<void>;
}

/** Puts a network between. */
export async function network(serverUrl: string): Promise<Network> {
  let port = Number(new URL(serverUrl).port);
  let isCut = false;
  const sockets = new Set<Socket>();
  const end = () => {
    for (const socket of sockets) socket.destroy();
  };
  const server = createServer((near) => {
    if (isCut) return near.destroy();
    const far = connect(port, '127.0.0.1');
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(socket);
      socket.pipe(other);
      socket.on('close', () => {
        sockets.delete(socket);
        other.destroy();
      });
      // A broken connection is what this is for; its other side is closed with it.
      socket.on('error', () => other.destroy());
    }
    return undefined;
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    cut() {
      isCut = true;
      end();
    },
    restore() {
      isCut = false;
    },
    leadTo(url) {
      port = Number(new URL(url).port);
      end();
    },
    async close() {
      const closed = once(server, 'close');
      server.close();
      end();
      await closed;
    },
  };
}

const BITS = 8;
/** What browsers' own tools call 3G: 400 ms there and back, 0.4 Mbit/s each way (Chromium's "Slow 3G" is 2 s). */
const SLOW = { latency: 400, downloadThroughput: 400_000 / BITS, uploadThroughput: 400_000 / BITS };

/** Makes the page's network as slow as 3G is. @returns what ends it */
export async function slowDown(page: Page): Promise<() => Promise<void>> {
  const devtools = await page.context().newCDPSession(page);
  const set = (to: typeof SLOW) => devtools.send('Network.emulateNetworkConditions', { offline: false, ...to });
  await devtools.send('Network.enable');
  await set(SLOW);
  return async () => {
    await set({ latency: 0, downloadThroughput: -1, uploadThroughput: -1 });
    await devtools.detach();
  };
}
