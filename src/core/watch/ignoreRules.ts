import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, join, relative, sep } from 'node:path';
import createIgnore, { type Ignore } from 'ignore';

/** Left out everywhere: version control, installed packages, and what systems and Office leave beside documents. */
export const DEFAULT_IGNORES = [
  '.git/',
  '.hg/',
  '.svn/',
  'node_modules/',
  '.DS_Store',
  'Thumbs.db',
  'desktop.ini',
  '~$*',
  '.~lock.*#',
  '*.tmp',
  '*.swp',
  '.armariumignore',
];

const IGNORE_FILE = '.armariumignore';

/** Says which paths below a root are left out: the defaults, further globs, and `.armariumignore` files in any folder. */
export interface IgnoreRules {
  isIgnored(path: string, isFolder: boolean): boolean;
  /** Whether a path is an ignore file, whose change makes another look at its folder necessary. */
  isRulesFile(path: string): boolean;
  /** Forgets what was read of ignore files. */
  reload(): void;
}

/** Makes the rules for one root folder. */
export function createIgnoreRules(root: string, further: readonly string[] = []): IgnoreRules {
  const base = createIgnore()
    .add(DEFAULT_IGNORES)
    .add([...further]);
  let byFolder = new Map<string, Ignore | null>();

  function rulesOf(folder: string): Ignore | null {
    const known = byFolder.get(folder);
    if (known !== undefined) return known;
    const file = join(folder, IGNORE_FILE);
    const rules = existsSync(file) ? createIgnore().add(readFileSync(file, 'utf8')) : null;
    byFolder.set(folder, rules);
    return rules;
  }

  function tested(rules: Ignore, folder: string, path: string, isFolder: boolean): boolean {
    const name = relative(folder, path).split(sep).join('/');
    return rules.ignores(isFolder ? `${name}/` : name);
  }

  return {
    isIgnored(path, isFolder) {
      if (path === root) return false;
      if (tested(base, root, path, isFolder)) return true;
      for (let folder = dirname(path); folder.length >= root.length; folder = dirname(folder)) {
        const rules = rulesOf(folder);
        if (rules !== null && tested(rules, folder, path, isFolder)) return true;
        if (folder === root) break;
      }
      return false;
    },
    isRulesFile: (path) => basename(path) === IGNORE_FILE,
    reload() {
      byFolder = new Map();
    },
  };
}
