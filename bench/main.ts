import { parseArgs } from 'node:util';
import { CORPORA } from './corpus.ts';
import { BENCHMARKS } from './names.ts';
import { printReport } from './report.ts';

/** `npm run bench`: without a name it lists the benchmarks, with one it runs it and prints a table or, with --json, one object. */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { json: { type: 'boolean' }, corpus: { type: 'string', default: 'generated' } },
});
const [name] = positionals;
if (name === undefined) {
  for (const [each, load] of Object.entries(BENCHMARKS)) {
    process.stdout.write(`${each.padEnd(10)} ${(await load()).description}\n`);
  }
  process.stdout.write(`\n--json      prints one object\n--corpus C  ${CORPORA}\n`);
} else if (!Object.hasOwn(BENCHMARKS, name)) {
  process.stderr.write(`No benchmark ${name}. There are: ${Object.keys(BENCHMARKS).join(', ')}.\n`);
  process.exitCode = 2;
} else {
  const { run } = await BENCHMARKS[name as keyof typeof BENCHMARKS]();
  const { figures, ...report } = await run({ corpus: values.corpus });
  if (values.json) process.stdout.write(`${JSON.stringify({ ...report, ...figures })}\n`);
  else printReport(report);
}
