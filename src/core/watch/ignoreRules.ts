import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, join, relative, sep } from 'node:path';
import createIgnore, { type Ignore } from 'ignore';
import picomatch from 'picomatch';
import { below } from './listing.ts';

/** Says, in the syntax of .gitignore, what is left out of its folder. */
export const IGNORE_FILE = '.armariumignore';

/** What the workspace keeps in a checked-out shelf: what is known of the shelf, and versions that are on their way. */
export const CHECKOUT_FOLDER = '.armarium';

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
  IGNORE_FILE,
  `${CHECKOUT_FOLDER}/`,
];

/** On Linux `Build/` and `build/` are two folders: a rule for one must not take the other's documents. */
const IGNORES_CASE = process.platform !== 'linux';

/** The rules that hold inside one folder. */
export interface FolderRules {
  isIgnored(name: string, isFolder: boolean): boolean;
}

/**
 * Says which paths below a root are left out: the defaults, which no file can bring back, and what ignore files in any folder
 * and further globs say. As in Git the last pattern that fits decides, deeper files come after higher ones, and below a folder
 * that is left out nothing can be brought back.
 */
export interface IgnoreRules {
  /** The rules in a folder that is not left out itself; the names in it, when they are at hand, spare a look for ignore files. */
  in(folder: string, names?: readonly string[]): FolderRules;
  /** Whether a path is left out, by itself or with a folder above it. */
  isIgnored(path: string, isFolder: boolean): boolean;
  /** Whether a path is an ignore file, whose change makes another look at its folder necessary. */
  isRulesFile(path: string): boolean;
  /** Forgets what was read of ignore files. */
  reload(): void;
}

/** One expression for all names: every name of every folder is tested. */
function namesExpression(patterns: readonly string[]): RegExp {
  return new RegExp(patterns.map((pattern) => picomatch.makeRe(pattern, { dot: true }).source).join('|'), 'i');
}
const IGNORED_FOLDERS = namesExpression(
  DEFAULT_IGNORES.filter((pattern) => pattern.endsWith('/')).map((pattern) => pattern.slice(0, -1)),
);
const IGNORED_NAMES = namesExpression(DEFAULT_IGNORES.filter((pattern) => !pattern.endsWith('/')));

function isIgnoredByDefault(name: string, isFolder: boolean): boolean {
  return IGNORED_NAMES.test(name) || (isFolder && IGNORED_FOLDERS.test(name));
}

/** A path below the root as patterns and rules write it. */
const slashed = (path: string) => path.split(sep).join('/');

/** A pattern of an ignore file as it reads from the root, so that files of several folders are one list in order. */
function fromRoot(line: string, folder: string): string {
  const pattern = line.replace(/\r$/u, '');
  if (folder === '' || pattern.trim() === '' || pattern.startsWith('#')) return pattern;
  const isNegated = pattern.startsWith('!');
  const own = isNegated ? pattern.slice(1) : pattern;
  const isAnchored = own.replace(/\/\s*$/u, '').includes('/');
  const prefix = folder.replace(/[\\*?[\]!# ]/gu, '\\$&');
  return `${isNegated ? '!' : ''}/${prefix}/${isAnchored ? '' : '**/'}${own.replace(/^\//u, '')}`;
}

/** The text of an ignore file; one that cannot be read says nothing. */
function readLines(file: string): string[] {
  try {
    return readFileSync(file, 'utf8')
      .replace(/^\uFEFF/u, '')
      .split('\n');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === undefined) throw error;
    return [];
  }
}

/** Makes the rules for one root folder. */
export function createIgnoreRules(root: string, further: readonly string[] = []): IgnoreRules {
  const given = further.length === 0 ? null : createIgnore({ ignorecase: IGNORES_CASE }).add([...further]);
  const inside = below(root);
  let patternsByFolder = new Map<string, Ignore | null>();

  /** The patterns of a folder's own files after those of the folders above it; null where no folder has any. */
  function patternsIn(folder: string, names?: readonly string[]): Ignore | null {
    const known = patternsByFolder.get(folder);
    if (known !== undefined) return known;
    const above = folder === root || dirname(folder) === folder ? null : patternsIn(dirname(folder));
    const file = join(folder, IGNORE_FILE);
    let patterns = above;
    if (names?.includes(IGNORE_FILE) ?? existsSync(file)) {
      const place = slashed(relative(root, folder));
      patterns = createIgnore({ ignorecase: IGNORES_CASE });
      if (above !== null) patterns.add(above);
      patterns.add(readLines(file).map((line) => fromRoot(line, place)));
    }
    patternsByFolder.set(folder, patterns);
    return patterns;
  }

  function rulesIn(folder: string, names?: readonly string[]): FolderRules {
    const patterns = patternsIn(folder, names);
    if (patterns === null && given === null) return { isIgnored: isIgnoredByDefault };
    const place = folder === root ? '' : `${slashed(relative(root, folder))}/`;
    return {
      isIgnored(name, isFolder) {
        if (isIgnoredByDefault(name, isFolder)) return true;
        const path = `${place}${name}${isFolder ? '/' : ''}`;
        return given?.ignores(path) === true || patterns?.ignores(path) === true;
      },
    };
  }

  function isIgnored(path: string, isFolder: boolean): boolean {
    // A watcher asks about the root and what is beside it as well: the rules are not about them.
    if (!path.startsWith(inside)) return false;
    const folder = dirname(path);
    return isIgnored(folder, true) || rulesIn(folder).isIgnored(basename(path), isFolder);
  }

  return {
    in: rulesIn,
    isIgnored,
    isRulesFile: (path) => basename(path) === IGNORE_FILE,
    reload() {
      patternsByFolder = new Map();
    },
  };
}
