import { defineConfig, devices } from '@playwright/test';
import { CHROMIUM_FLAGS, installedChromium } from './scripts/systemTools.mjs';

const executablePath = installedChromium();

/** Browser and desktop tests: the built application in a real Chromium against the real server. */
export default defineConfig({
  testDir: 'tests/e2e',
  outputDir: 'test-results',
  timeout: 120_000,
  expect: { timeout: 15_000 },
  fullyParallel: false,
  workers: 2,
  forbidOnly: true,
  reporter: [['list'], ['./scripts/playwrightReporter.mjs']],
  use: {
    actionTimeout: 15_000,
    navigationTimeout: 30_000,
    // Whoever looks for a fault asks for a trace by `--trace on`: keeping one of everything takes a tenth of the time.
    trace: 'off',
    screenshot: 'only-on-failure',
    launchOptions: {
      ...(executablePath === null ? {} : { executablePath }),
      args: CHROMIUM_FLAGS,
    },
  },
  projects: [
    {
      name: 'web',
      testDir: 'tests/e2e/web',
      // Answers that tests make up are not seen by pages that a service worker stands before; the phone's specs are about it.
      use: { viewport: { width: 1280, height: 832 }, serviceWorkers: 'block' },
    },
    // A small phone; specs that need another say so.
    { name: 'phone', testDir: 'tests/e2e/phone', use: { ...devices['Galaxy S9+'], browserName: 'chromium' } },
    { name: 'desktop', testDir: 'tests/e2e/desktop' },
  ],
});
