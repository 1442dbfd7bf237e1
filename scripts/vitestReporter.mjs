/** A Vitest reporter that leaves the counts, and the reasons of failures and skips, in the file that ARMARIUM_TEST_REPORT names. */
import { writeFileSync } from 'node:fs';

export default class CountingReporter {
  onTestRunEnd(modules) {
    const report = { passed: 0, failed: [], skipped: [] };
    for (const module of modules) {
      const [broken] = module.errors();
      if (broken !== undefined) report.failed.push({ name: module.relativeModuleId, reason: broken.message });
      for (const test of module.children.allTests()) {
        const { state, note, errors } = test.result();
        if (state === 'passed') report.passed += 1;
        else if (state === 'failed') report.failed.push({ name: test.fullName, reason: errors?.[0]?.message ?? '' });
        else report.skipped.push({ name: test.fullName, reason: note ?? '' });
      }
    }
    writeFileSync(process.env.ARMARIUM_TEST_REPORT, JSON.stringify(report));
  }
}
