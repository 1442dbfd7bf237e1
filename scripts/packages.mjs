/** Tells which packages ship, with their licences: what the open-source page of the application shows. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';

/** Runs the desktop application; its packager puts it there, and no lockfile says so. */
const RUNTIME = 'node_modules/electron';
const LICENSE_FILE = /^(?:licen[cs]e|copying)(?:[._-].*)?$/iu;

/** The folder of the package that a module or asset belongs to, relative to the repository; null for our own. */
function packageFolder(path) {
  const at = path.lastIndexOf('node_modules/');
  if (at < 0) return null;
  const [scope, name] = path.slice(at + 'node_modules/'.length).split('/');
  const folder = scope.startsWith('@') ? `${scope}/${name}` : scope;
  return `${path.slice(path.indexOf('node_modules/'), at)}node_modules/${folder}`;
}

/** Folders of what is installed beside the server and the desktop application: everything that is no tool of ours. */
function installedFolders(root) {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  return Object.entries(packages)
    .filter(([folder, { dev }]) => folder !== '' && dev !== true)
    .map(([folder]) => folder);
}

function licenseOf({ license, licenses }) {
  if (typeof license === 'string') return license;
  return license?.type ?? licenses?.map(({ type }) => type).join(' OR ') ?? 'UNKNOWN';
}

function homepageOf({ homepage, repository }) {
  const address = homepage ?? (typeof repository === 'string' ? repository : repository?.url) ?? '';
  const plain = address
    .replace(/^git\+/u, '')
    .replace(/^git:/u, 'https:')
    .replace(/\.git$/u, '');
  return /^https?:/u.test(plain) ? plain : null;
}

function textOf(folder, bundled) {
  const own = readdirSync(folder, { withFileTypes: true })
    .filter((file) => file.isFile() && LICENSE_FILE.test(file.name))
    .slice(0, 1)
    .map((file) => join(folder, file.name));
  // Fonts and decoders that a package carries have licences of their own, which ship beside them.
  const carried = bundled.filter((file) => LICENSE_FILE.test(basename(file)) && dirname(file) !== folder);
  const files = [...own, ...carried];
  return files.length === 0 ? null : files.map((file) => readFileSync(file, 'utf8').trim()).join('\n\n');
}

/**
 * @param {string} root folder of the repository
 * @param {readonly string[]} bundled files that went into the bundles of the page
 */
export function packagesThatShip(root, bundled) {
  const folders = new Set([
    RUNTIME,
    ...installedFolders(root),
    ...bundled.flatMap((path) => packageFolder(path) ?? []),
  ]);
  const texts = [];
  const packages = new Map();
  for (const folder of folders) {
    const manifest = join(root, folder, 'package.json');
    // What is for other systems than this one is in the lockfile and not on the disk.
    if (!existsSync(manifest)) continue;
    const described = JSON.parse(readFileSync(manifest, 'utf8'));
    const carried = bundled.filter((path) => packageFolder(path) === folder).map((path) => resolve(root, path));
    const text = textOf(join(root, folder), carried);
    if (text !== null && !texts.includes(text)) texts.push(text);
    packages.set(`${described.name} ${described.version}`, {
      name: described.name,
      version: described.version,
      license: licenseOf(described),
      homepage: homepageOf(described),
      text: text === null ? null : texts.indexOf(text),
    });
  }
  return { packages: [...packages.values()].sort((a, b) => a.name.localeCompare(b.name, 'en')), texts };
}
