import { spawn } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { copyFile, mkdir, mkdtemp, readdir, rename, rm, stat, utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { pathToFileURL } from 'node:url';
import { AppError } from '../../shared/errors.ts';

/** Turns documents into PDF by LibreOffice, once per content. */
export interface Converter {
  /**
   * The PDF of a content, as a file.
   * @throws AppError `unsupported` for kinds that it does not know, or without LibreOffice; `timed-out`
   */
  convert(sha256: string, name: string, open: () => Readable): Promise<string>;
}

/** What LibreOffice is asked to open. Nothing that fetches anything by itself. */
const KINDS = new Set(
  'doc docx odt rtf txt xls xlsx ods csv ppt pptx odp'.split(' ').map((extension) => `.${extension}`),
);
const TIME_LIMIT_MS = 50_000;
const CACHE_BYTES = 1024 * 1024 * 1024;

/** The kinds of files that can be turned into PDF. */
export function isConvertible(name: string): boolean {
  return KINDS.has(extname(name).toLowerCase());
}

/** Makes the converter; what it made is kept in `cacheFolder`, the longest unused going first. */
export function createConverter(options: {
  /** Path or name of LibreOffice's program. */
  readonly program: string;
  readonly cacheFolder: string;
}): Converter {
  const { program, cacheFolder } = options;
  const running = new Map<string, Promise<string>>();
  let last: Promise<unknown> = Promise.resolve();

  /** One at a time: each takes a core and some hundred megabytes. */
  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = last.then(work, work);
    last = turn.catch(() => undefined);
    return turn;
  }

  function runOffice(folder: string, file: string): Promise<void> {
    // A profile of its own, so that no setting and no macro of another document is at hand.
    const profile = pathToFileURL(join(folder, 'profile')).href;
    const flags = ['--headless', '--norestore', '--nolockcheck', '--nodefault', '--nofirststartwizard'];
    const args = [`-env:UserInstallation=${profile}`, ...flags, '--convert-to', 'pdf', '--outdir', folder, file];
    return new Promise((done, failed) => {
      const child = spawn(program, args, {
        cwd: folder,
        stdio: 'ignore',
        detached: true,
        env: { ...process.env, HOME: folder },
      });
      const timer = setTimeout(() => {
        // LibreOffice starts others; the whole group ends.
        if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
        failed(new AppError('timed-out', 'the document took too long to convert'));
      }, TIME_LIMIT_MS);
      child.once('error', (error: NodeJS.ErrnoException) => {
        clearTimeout(timer);
        failed(
          error.code === 'ENOENT'
            ? new AppError('unsupported', 'this server has no LibreOffice, which makes the PDF', { cause: error })
            : error,
        );
      });
      child.once('exit', () => {
        clearTimeout(timer);
        done();
      });
    });
  }

  async function make(target: string, name: string, open: () => Readable): Promise<string> {
    const folder = await mkdtemp(join(tmpdir(), 'armarium-export-'));
    try {
      const source = join(folder, `document${extname(name).toLowerCase()}`);
      await pipeline(open(), createWriteStream(source));
      await runOffice(folder, source);
      const made = join(folder, 'document.pdf');
      if (!(await readdir(folder)).includes('document.pdf')) {
        throw new AppError('unsupported', 'LibreOffice could not read the document');
      }
      await mkdir(cacheFolder, { recursive: true });
      const aside = `${target}.unfinished`;
      await copyFile(made, aside);
      await rename(aside, target);
      return target;
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }

  async function isKept(target: string): Promise<boolean> {
    try {
      await utimes(target, new Date(), new Date());
      return true;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
      throw error;
    }
  }

  async function shrinkCache(): Promise<void> {
    const files = await Promise.all(
      (await readdir(cacheFolder)).map(async (name) => {
        const path = join(cacheFolder, name);
        const { size, mtimeMs } = await stat(path);
        return { path, size, mtimeMs };
      }),
    );
    let total = files.reduce((sum, { size }) => sum + size, 0);
    for (const { path, size } of files.sort((a, b) => a.mtimeMs - b.mtimeMs)) {
      if (total <= CACHE_BYTES) return;
      await rm(path, { force: true });
      total -= size;
    }
  }

  return {
    async convert(sha256, name, open) {
      if (!isConvertible(name)) throw new AppError('unsupported', 'documents of this kind cannot be made into a PDF');
      const target = join(cacheFolder, `${sha256}${extname(name).toLowerCase()}.pdf`);
      if (await isKept(target)) return target;
      const known = running.get(target);
      if (known !== undefined) return known;
      const made = inTurn(() => make(target, name, open)).finally(() => running.delete(target));
      running.set(target, made);
      const file = await made;
      await shrinkCache();
      return file;
    },
  };
}
