/** Puts the splash into the page of the desktop, as a script that needs nothing of the application to be drawn. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plugin } from 'vite';
import { splash as words } from '../src/renderer/i18n/splash.ts';
import { LIMITS } from '../src/shared/rules/limits.ts';

const FILE = 'splash.js';

const wordsOf = (language: keyof typeof words) => [words[language].label, ...words[language].messages].join('|');

/** The plugin; `root` is the repository. */
export function splash(root: string): Plugin {
  return {
    name: 'splash',
    transformIndexHtml: () => [
      {
        tag: 'script',
        attrs: {
          src: `/${FILE}`,
          'data-milliseconds': String(LIMITS.splashMs),
          'data-en': wordsOf('en'),
          'data-de': wordsOf('de'),
        },
        injectTo: 'body',
      },
    ],
    generateBundle() {
      const source = readFileSync(join(root, 'src', 'renderer', 'layouts', 'desktop', FILE));
      this.emitFile({ type: 'asset', fileName: FILE, source });
    },
  };
}
