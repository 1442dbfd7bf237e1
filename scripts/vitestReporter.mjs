/** A Vitest reporter that leaves the counts, and each skip's reason, in the file that ARMARIUM_TEST_REPORT names. */
import { writeFileSync } from 'node:fs';

export default class CountingReporter {
  onTestRunEnd(modules) {
    const report = { passed: 0, failed: 0, skipped: [] };
    for (const module of modules) {
      if (module.errors().length > 0) report.failed += 1;
      for (const test of module.children.allTests()) {
        const { state, note } = test.result();
        if (state === 'passed') report.passed += 1;
        else if (state === 'failed') report.failed += 1;
        else report.skipped.push({ name: test.fullName, reason: note ?? '' });
      }
    }
    writeFileSync(process.env.ARMARIUM_TEST_REPORT, JSON.stringify(report));
  }
}
