/** A Playwright reporter that leaves the counts, and the reasons of failures and skips, in the file that ARMARIUM_TEST_REPORT names. */
import { writeFileSync } from 'node:fs';
import { electronBinary } from './electron.mjs';

export default class CountingReporter {
  onBegin(_config, suite) {
    this.suite = suite;
  }

  onEnd() {
    const file = process.env.ARMARIUM_TEST_REPORT;
    if (file === undefined) return;
    const report = {
      passed: 0,
      failed: [],
      skipped: [],
      note:
        electronBinary() === null ? 'desktop specs ran on the stand-in for Electron' : 'desktop specs ran on Electron',
    };
    for (const test of this.suite.allTests()) {
      const outcome = test.outcome();
      const name = test.titlePath().filter(Boolean).join(' > ');
      if (outcome === 'expected') report.passed += 1;
      else if (outcome === 'skipped') {
        const reason = test.annotations.find((annotation) => annotation.type === 'skip')?.description;
        report.skipped.push({ name, reason: reason ?? '' });
      } else report.failed.push({ name, reason: test.results.at(-1)?.error?.message ?? '' });
    }
    writeFileSync(file, JSON.stringify(report));
  }
}
