/** Builds the bundles, when a source is newer than they are. */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { root, runNode, withSetup } from './setup.mjs';

const SOURCES = [
  'src',
  'resources',
  'package-lock.json',
  'scripts/installable.ts',
  'scripts/packages.mjs',
  'scripts/splash.ts',
  'vite.node.config.ts',
  'vite.preload.config.ts',
  'vite.renderer.config.ts',
];
const stamp = join(root, 'out', '.built');

function files(path) {
  if (!statSync(path).isDirectory()) return [path];
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

/** The state of all sources by content, so that a checkout of another branch and back builds nothing anew. */
function sourcesHash() {
  const hash = createHash('sha256');
  for (const file of SOURCES.flatMap((name) => files(join(root, name)))) {
    hash.update(file.slice(root.length)).update('\0').update(readFileSync(file)).update('\0');
  }
  return hash.digest('hex');
}

/** @throws Error when a bundle does not build; vite has said why. */
export async function build() {
  const now = sourcesHash();
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === now) return;
  process.stderr.write('Armarium: building …\n');
  const vite = join(root, 'node_modules', 'vite', 'bin', 'vite.js');
  for (const args of [
    ['--config', 'vite.node.config.ts'],
    ['--config', 'vite.preload.config.ts'],
    ['--config', 'vite.renderer.config.ts', '--mode', 'desktop'],
    ['--config', 'vite.renderer.config.ts', '--mode', 'web'],
  ]) {
    const code = await runNode([vite, 'build', ...args], { stdio: ['ignore', 2, 2] });
    if (code !== 0) throw new Error(`vite build ${args.join(' ')} failed`);
  }
  writeFileSync(stamp, now);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await withSetup(import.meta.url, async () => {
    await build();
    return 0;
  });
}
