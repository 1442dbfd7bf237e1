import { readFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { defineConfig } from 'vite';

const { dependencies } = JSON.parse(readFileSync(new URL('package.json', import.meta.url), 'utf8')) as {
  dependencies: Record<string, string>;
};
/** Bundled, because they are a hundred files each that every start would read; they are nothing but JavaScript. */
const BUNDLED = ['electron-store', 'kysely', 'zod'];
const external = new RegExp(
  `^(electron|${Object.keys(dependencies)
    .filter((name) => !BUNDLED.includes(name))
    .join('|')})(/.*)?$`,
);

/**
 * Everything that runs on Node inside the desktop app: the main process and the entries that it starts as processes and
 * threads. All stand in one folder, so that entries find each other by name (src/worker/entries.ts).
 */
export default defineConfig({
  build: {
    target: 'node24',
    outDir: 'out/main',
    emptyOutDir: true,
    minify: false,
    sourcemap: true,
    reportCompressedSize: false,
    ssr: true,
    rolldownOptions: {
      input: {
        index: 'src/main/index.ts',
        indexProcess: 'src/worker/indexProcess.ts',
        serverProcess: 'src/server/serverProcess.ts',
        shardThread: 'src/worker/shardThread.ts',
        compareThread: 'src/worker/compareThread.ts',
        extractThread: 'src/worker/extractThread.ts',
        cli: 'src/cli/main.ts',
      },
      external: [external, ...builtinModules, /^node:/],
      output: { format: 'es', entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' },
    },
  },
  ssr: { noExternal: true },
  logLevel: 'warn',
});
