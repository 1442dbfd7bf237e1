import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

/** Two projects, so that the fast half can be run alone. Browser and desktop tests are Playwright's. */
export default defineConfig({
  test: {
    // On two processors Vitest would leave one to itself, and run one file after the other.
    maxWorkers: '100%',
    projects: [
      {
        test: {
          name: 'unit',
          include: ['tests/unit/**/*.test.ts', 'tests/contract/**/*.test.ts'],
          environment: 'node',
          // Properties are tried some hundred times, on machines with other work to do.
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'integration',
          include: ['tests/integration/**/*.test.ts'],
          environment: 'node',
          pool: 'forks',
          // Servers and command lines that tests start one after the other share what they compiled.
          env: { NODE_COMPILE_CACHE: join(import.meta.dirname, '.cache', 'compiled') },
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
    ],
  },
});
