import { defineConfig } from 'vite';

/** The preload: one CommonJS file, as a sandboxed preload has to be. */
export default defineConfig({
  build: {
    target: 'chrome140',
    outDir: 'out/preload',
    emptyOutDir: true,
    minify: false,
    reportCompressedSize: false,
    lib: { entry: 'src/preload/index.ts', formats: ['cjs'], fileName: () => 'index.cjs' },
    rolldownOptions: { external: ['electron'] },
  },
  logLevel: 'warn',
});
