import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { extname, join } from 'node:path';

const PACKAGES = ['linux-source-6.1', 'python3.11-doc', 'libreoffice-help-zh-cn', 'libreoffice-help-ja'];
/** The largest trees of drivers, and what is written for single processors. */
const LEFT_OUT = ['arch', 'drivers/gpu', 'drivers/net'];
/** Not text, or text only after unpacking. */
const NOT_TEXT = ['.gif', '.gz', '.inv', '.ods', '.png'];
const MOST_BYTES = 2_000_000;

/** Unpacks Debian's packages into a folder. */
function unpackPackages(names: readonly string[], work: string, unpacked: string): void {
  const packages = join(work, 'packages');
  mkdirSync(packages, { recursive: true });
  try {
    execFileSync('apt-get', ['download', ...names], { cwd: packages, stdio: ['ignore', 'ignore', 'pipe'] });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(`the corpus cannot be fetched: it is made of Debian's packages ${names.join(', ')}\n${reason}`);
  }
  for (const name of readdirSync(packages)) execFileSync('dpkg-deb', ['-x', join(packages, name), unpacked]);
}

/** Makes a corpus once: `fill` puts it together from what the packages hold. */
function madeOnce(target: string, names: readonly string[], fill: (unpacked: string, corpus: string) => void): string {
  if (existsSync(target)) return target;
  process.stderr.write(`Fetching a corpus to ${target} …\n`);
  const work = `${target}.part`;
  rmSync(work, { recursive: true, force: true });
  const [unpacked, corpus] = [join(work, 'unpacked'), join(work, 'corpus')];
  mkdirSync(corpus, { recursive: true });
  unpackPackages(names, work, unpacked);
  fill(unpacked, corpus);
  renameSync(corpus, target);
  rmSync(work, { recursive: true });
  return target;
}

/** HTML stays as it is written, since the peers know nothing else of it. */
function keepTexts(folder: string): void {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isDirectory()) continue;
    if (!entry.isFile() || NOT_TEXT.includes(extname(path)) || statSync(path).size > MOST_BYTES) rmSync(path);
    else if (extname(path) === '.html') renameSync(path, `${path}.txt`);
  }
}

/**
 * The corpus of the goals: some 50,000 text files, 700 MB, of kernel sources, Python's documentation and LibreOffice's help in
 * Chinese and Japanese, from Debian's packages, unpacked once.
 * @throws Error when they cannot be fetched, with what they are
 */
export function debianCorpus(target: string): string {
  return madeOnce(target, PACKAGES, (unpacked, corpus) => {
    mkdirSync(join(corpus, 'linux'));
    const sources = join(unpacked, 'usr', 'src', 'linux-source-6.1.tar.xz');
    const excluded = LEFT_OUT.map((folder) => `--exclude=linux-source-6.1/${folder}`);
    execFileSync('tar', ['-xf', sources, '-C', join(corpus, 'linux'), '--strip-components=1', ...excluded]);
    cpSync(join(unpacked, 'usr', 'share', 'doc', 'python3.11'), join(corpus, 'python'), { recursive: true });
    cpSync(join(unpacked, 'usr', 'share', 'libreoffice', 'help'), join(corpus, 'help'), { recursive: true });
    // Some lead around in circles.
    execFileSync('find', [corpus, '-type', 'l', '-delete']);
    keepTexts(corpus);
  });
}

/**
 * Manuals as PDF, from one of Debian's packages, unpacked once.
 * @throws Error when it cannot be fetched, with what it is
 */
export function debianManuals(target: string): string {
  return madeOnce(target, ['texlive-latex-base-doc'], (unpacked, corpus) => {
    const manuals = readdirSync(unpacked, { recursive: true, withFileTypes: true }).filter(
      (entry) => entry.isFile() && extname(entry.name) === '.pdf',
    );
    for (const [index, { parentPath, name }] of manuals.entries()) {
      cpSync(join(parentPath, name), join(corpus, `${index}-${name}`));
    }
  });
}
