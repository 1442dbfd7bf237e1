import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin } from 'vite';
import brand from './resources/brand.json' with { type: 'json' };
import { packagesThatShip } from './scripts/packages.mjs';

const PLATFORMS = { desktop: 'out/renderer', web: 'out/web' } as const;

/** Puts the platform's entry, all in which the two builds differ, and the product's name into index.html. */
function platformEntry(platform: string): Plugin {
  return {
    name: 'platform-entry',
    transformIndexHtml: {
      order: 'pre',
      handler: (html) => html.replace('__PLATFORM__', platform).replace('__NAME__', brand.name),
    },
  };
}

/** Writes down which packages ship, once it is known which of them the page is made of. */
function packageList(root: string): Plugin {
  return {
    name: 'package-list',
    generateBundle(_options, bundle) {
      const bundled = Object.values(bundle).flatMap((part) =>
        part.type === 'chunk' ? part.moduleIds : part.originalFileNames,
      );
      this.emitFile({
        type: 'asset',
        fileName: 'packages.json',
        source: JSON.stringify(packagesThatShip(root, bundled)),
      });
    },
  };
}

/** The page, once for the desktop (`--mode desktop`) and once for the browser (`--mode web`). */
export default defineConfig(({ mode }) => {
  const platform = mode === 'desktop' ? 'desktop' : 'web';
  const at = (path: string) => fileURLToPath(new URL(path, import.meta.url));
  return {
    root: at('src/renderer'),
    base: '/',
    plugins: [platformEntry(platform), packageList(at('.')), react()],
    define: { 'process.env.NODE_ENV': JSON.stringify('production') },
    build: {
      outDir: at(PLATFORMS[platform]),
      emptyOutDir: true,
      target: ['chrome123', 'edge123', 'firefox121', 'safari17.5'],
      // The content policy allows no data: URLs.
      assetsInlineLimit: 0,
      reportCompressedSize: false,
      sourcemap: false,
    },
    worker: { format: 'es' },
    logLevel: 'warn',
  };
});
