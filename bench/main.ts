import { BENCHMARKS } from './names.ts';
import { printReport } from './report.ts';

/** `npm run bench`: without a name it lists the benchmarks, with one it runs it and prints a table or, with --json, one object. */
const [name, ...flags] = process.argv.slice(2);
if (name === undefined) {
  for (const [each, load] of Object.entries(BENCHMARKS)) {
    process.stdout.write(`${each.padEnd(10)} ${(await load()).description}\n`);
  }
} else if (!Object.hasOwn(BENCHMARKS, name)) {
  process.stderr.write(`No benchmark ${name}. There are: ${Object.keys(BENCHMARKS).join(', ')}.\n`);
  process.exitCode = 2;
} else {
  const { run } = await BENCHMARKS[name as keyof typeof BENCHMARKS]();
  const report = await run();
  if (flags.includes('--json')) process.stdout.write(`${JSON.stringify(report)}\n`);
  else printReport(report);
}
