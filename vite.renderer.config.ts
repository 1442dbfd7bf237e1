import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import react from '@vitejs/plugin-react';
import { defineConfig, type Plugin, type Rolldown } from 'vite';
import brand from './resources/brand.json' with { type: 'json' };
import { installable } from './scripts/installable.ts';
import { packagesThatShip } from './scripts/packages.mjs';
import { splash } from './scripts/splash.ts';
import { api, streams } from './src/shared/api/index.ts';

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

/**
 * The contract without its schemas, which only servers and readers that check answers need: they, and the library that
 * they are made with, are a third of what the first screen would load. The web's page takes its own server's answers as
 * they are (`readOwnResponse`).
 */
function contractAsData(): Plugin {
  const contract = fileURLToPath(new URL('src/shared/api/index.ts', import.meta.url));
  const sentBy = ['method', 'path', 'access', 'bodyFormat', 'status', 'once', 'timeoutMs'];
  // As a list of names: these stay at any depth, like the names of areas and calls, and everything else goes.
  const data = (areas: typeof api | typeof streams) => {
    const names = Object.entries(areas).flatMap(([area, calls]) => [area, ...Object.keys(calls)]);
    return JSON.stringify(areas, [...names, ...sentBy]);
  };
  return {
    name: 'contract-as-data',
    load: (id) =>
      id === contract ? `export const api = ${data(api)};\nexport const streams = ${data(streams)};` : null,
  };
}

/** What pdf.js loads while it draws: character maps, standard fonts, decoders, a colour profile. Nothing that runs scripts. */
const PDFJS_FOLDERS = ['cmaps', 'standard_fonts', 'wasm', 'iccs'];
const PDFJS_SCRIPTING = /quickjs/iu;

/**
 * Puts the worker and the data files of pdf.js where `ui/pdf/pdfjs.ts` expects them: under their own names, in a folder of
 * the version, so that they too can be kept for good. With the licences that the data files have of their own.
 */
function pdfjsFiles(root: string): Plugin {
  const folder = join(root, 'node_modules', 'pdfjs-dist');
  const { version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { version: string };
  const files = PDFJS_FOLDERS.flatMap((name) =>
    readdirSync(join(folder, name))
      .filter((file) => !PDFJS_SCRIPTING.test(file))
      .map((file) => `${name}/${file}`),
  );
  return {
    name: 'pdfjs-files',
    generateBundle() {
      const emit = (fileName: string, from: string) =>
        this.emitFile({
          type: 'asset',
          fileName: `assets/pdfjs-${version}/${fileName}`,
          originalFileName: `node_modules/pdfjs-dist/${from}`,
          source: readFileSync(join(folder, from)),
        });
      emit('worker.js', 'build/pdf.worker.min.mjs');
      for (const file of files) emit(file, file);
    },
  };
}

/** What each page loads before its first content: its start, and what the screens are made of that people come to first. */
const FIRST = {
  web: {
    start: 'src/renderer/entries/startInBrowser.ts',
    screens: ['src/renderer/features/libraries/LibraryPage.tsx'],
  },
  desktop: {
    start: 'src/renderer/entries/desktop.tsx',
    screens: ['src/renderer/features/desktop/DesktopHome.tsx', 'src/renderer/features/desktop/OverviewPage.tsx'],
  },
} as const;

/** Of packages only those of which most is needed; of the others every screen takes another part. */
const OURS = /^(?!.*[/\\]node_modules[/\\])/u;
const WHOLE = /[/\\]node_modules[/\\](?:react|react-dom|scheduler|wouter|regexparam|zustand|@tanstack)[/\\]/u;

/**
 * Puts all of that into one file, which is far smaller than its parts would be, and is there sooner: pages and dozens of
 * screens share them in as many ways as there are parts.
 */
function firstTogether(
  at: (path: string) => string,
  { start, screens }: (typeof FIRST)[keyof typeof FIRST],
): (id: string, graph: Rolldown.ChunkingContext) => string | null {
  let first: Set<string> | null = null;
  return (id, graph) => {
    if (first === null) {
      const found = new Set<string>();
      const add = (module: string) => {
        if (found.has(module) || !(OURS.test(module) || WHOLE.test(module))) return;
        found.add(module);
        graph.getModuleInfo(module)?.importedIds.forEach(add);
      };
      for (const each of [start, ...screens]) add(at(each));
      for (const each of screens) found.delete(at(each));
      first = found;
    }
    return first.has(id) ? 'first' : null;
  };
}

/** Leaves each text beside itself as browsers take it over a network, so that the server need not compress. */
function compressed(): Plugin {
  return {
    name: 'compressed',
    writeBundle({ dir = '' }, bundle) {
      for (const name of Object.keys(bundle).filter((each) => /\.(?:js|css|svg)$/u.test(each))) {
        const file = join(dir, name);
        const text = readFileSync(file);
        writeFileSync(`${file}.gz`, gzipSync(text, { level: 9 }));
        writeFileSync(`${file}.br`, brotliCompressSync(text));
      }
    },
  };
}

/** The page, once for the desktop (`--mode desktop`) and once for the browser (`--mode web`), there with that of phones. */
export default defineConfig(({ mode }) => {
  const platform = mode === 'desktop' ? 'desktop' : 'web';
  const at = (path: string) => fileURLToPath(new URL(path, import.meta.url));
  return {
    root: at('src/renderer'),
    base: '/',
    plugins: [
      platformEntry(platform),
      pdfjsFiles(at('.')),
      packageList(at('.')),
      react(),
      ...(platform === 'web' ? [contractAsData(), installable(at('.')), compressed()] : [splash(at('.'))]),
    ],
    define: { 'process.env.NODE_ENV': JSON.stringify('production') },
    build: {
      outDir: at(PLATFORMS[platform]),
      emptyOutDir: true,
      target: ['chrome123', 'edge123', 'firefox121', 'safari17.5'],
      // The content policy allows no data: URLs.
      assetsInlineLimit: 0,
      reportCompressedSize: false,
      // The desktop's start is one file, which comes from the disk.
      ...(platform === 'desktop' ? { chunkSizeWarningLimit: 1000 } : {}),
      sourcemap: false,
      manifest: true,
      // Every browser of `target` knows it.
      modulePreload: { polyfill: false },
      // Phones have a page of their own, for which nothing of the web layout has to be loaded.
      rolldownOptions: {
        output: { codeSplitting: { groups: [{ name: firstTogether(at, FIRST[platform]), debugName: 'first' }] } },
        input: [at('src/renderer/index.html'), ...(platform === 'web' ? [at('src/renderer/phone.html')] : [])],
      },
    },
    worker: { format: 'es' },
    logLevel: 'warn',
  };
});
