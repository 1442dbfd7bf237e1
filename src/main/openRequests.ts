import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import { Readable } from 'node:stream';
import brand from '../../resources/brand.json' with { type: 'json' };
import type { Opened } from '../shared/bridge/index.ts';
import { isAppPath, pathOfLink } from './policy.ts';

/** What the page may read at a time; older files are opened again by whoever wants them. */
const MOST_FILES = 500;

/** What starts, links and the system's file manager ask the application to open, until the page takes it. */
export interface OpenRequests {
  /** Links and files among the arguments of a start, this one's or another's. */
  openArguments(args: readonly string[], folder: string): Promise<void>;
  openLink(link: string): void;
  openFile(path: string): Promise<void>;
  /** A place inside the application. */
  openPath(path: string): void;
  take(): Opened;
  /** The contents of a file that was opened, by its id; null for any other id. */
  read(id: string): Promise<Response | null>;
}

interface OpenRequestsOptions {
  /** Told when there is something to take. */
  readonly onOpened: () => void;
}

/** Makes the list of what is to be opened. */
export function createOpenRequests({ onOpened }: OpenRequestsOptions): OpenRequests {
  let path: string | null = null;
  let waiting: Opened['files'] = [];
  const files = new Map<string, string>();

  async function addFile(file: string): Promise<boolean> {
    // What is not there, or not a file, was no request of a person's: starts have other arguments too.
    const found = await stat(file).catch(() => null);
    if (found === null || !found.isFile()) return false;
    const id = randomUUID();
    files.set(id, file);
    for (const oldest of [...files.keys()].slice(0, Math.max(0, files.size - MOST_FILES))) files.delete(oldest);
    waiting = [...waiting, { id, name: basename(file), size: found.size }].slice(-MOST_FILES);
    return true;
  }

  const requests: OpenRequests = {
    async openArguments(args, folder) {
      const given = args.filter((each) => !each.startsWith('-'));
      const links = given.filter((each) => each.startsWith(`${brand.protocol}:`));
      for (const link of links) requests.openLink(link);
      const others = given.filter((each) => !links.includes(each));
      const added = await Promise.all(others.map((each) => addFile(resolve(folder, each))));
      if (added.includes(true)) onOpened();
    },
    openLink(link) {
      const target = pathOfLink(link, brand.protocol);
      if (target !== null) requests.openPath(target);
    },
    async openFile(file) {
      if (await addFile(file)) onOpened();
    },
    openPath(target) {
      if (!isAppPath(target)) return;
      path = target;
      onOpened();
    },
    take() {
      const taken = { path, files: waiting };
      path = null;
      waiting = [];
      return taken;
    },
    async read(id) {
      const file = files.get(id);
      if (file === undefined) return null;
      const found = await stat(file).catch(() => null);
      if (found === null || !found.isFile()) return null;
      const body = Readable.toWeb(createReadStream(file)) as ReadableStream<Uint8Array<ArrayBuffer>>;
      return new Response(body, {
        headers: {
          'content-type': 'application/octet-stream',
          'content-length': String(found.size),
          'content-security-policy': "default-src 'none'; sandbox",
          'x-content-type-options': 'nosniff',
        },
      });
    },
  };
  return requests;
}
