/**
 * `npm test`: sets up (a Chromium too) and runs everything: types, lint, import directions, unit and integration tests, and
 * the browser and desktop tests. `npm test -- PART…` runs parts of it. One closing line says how it went.
 */
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { build } from './build.mjs';
import { root, run, runNode, withSetup } from './setup.mjs';
import { ensureSystemTools } from './systemTools.mjs';

const results = join(root, '.cache', 'test-results');
const bin = (name) => join(root, 'node_modules', ...name.split('/'));

/** A check that is either in order or not. */
async function check(name, args) {
  const code = await runNode(args);
  return verdict(name, code);
}

const verdict = (name, code) => ({
  name,
  passed: code === 0 ? 1 : 0,
  failed: code === 0 ? [] : [{ name, reason: `ended with ${code}` }],
  skipped: [],
});

/** One tsc run for each part of the code that knows another set of globals. */
async function types() {
  const parts = [];
  for (const part of ['shared', 'node', 'renderer', 'e2e']) {
    parts.push(await check(`types of ${part}`, [bin('typescript/bin/tsc'), '-p', `tsconfig.${part}.json`]));
  }
  return merge('types', parts);
}

function merge(name, parts) {
  return {
    name,
    passed: parts.reduce((sum, part) => sum + part.passed, 0),
    failed: parts.flatMap((part) => part.failed),
    skipped: parts.flatMap((part) => part.skipped),
  };
}

/** What a test runner counted; a runner that ended badly without a failed test counts as a failure itself. */
function counted(name, code, file) {
  const report = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : { passed: 0, failed: [], skipped: [] };
  const failed =
    report.failed.length === 0 && code !== 0 ? [{ name, reason: `the runner ended with ${code}` }] : report.failed;
  return { name, passed: report.passed, failed, skipped: report.skipped, note: report.note };
}

async function vitest(project) {
  const file = join(results, `${project}.json`);
  const code = await runNode(
    [
      bin('vitest/vitest.mjs'),
      'run',
      '--project',
      project,
      '--reporter=default',
      `--reporter=${join(root, 'scripts', 'vitestReporter.mjs')}`,
    ],
    { env: { ARMARIUM_TEST_REPORT: file } },
  );
  return counted(project, code, file);
}

async function playwright() {
  await build();
  const file = join(results, 'e2e.json');
  const code = await runNode([bin('@playwright/test/cli.js'), 'test'], { env: { ARMARIUM_TEST_REPORT: file } });
  return counted('e2e', code, file);
}

const PARTS = {
  types,
  lint: () => run(bin('.bin/biome'), ['ci', '--error-on-warnings', '.']).then((code) => verdict('lint', code)),
  imports: () =>
    check('imports', [
      bin('dependency-cruiser/bin/dependency-cruiser.mjs'),
      '--config',
      '.dependency-cruiser.cjs',
      'src',
      'tests',
      'bench',
    ]),
  unit: () => vitest('unit'),
  integration: () => vitest('integration'),
  e2e: playwright,
};

await withSetup(import.meta.url, async (args) => {
  const unknown = args.filter((part) => !(part in PARTS));
  if (unknown.length > 0) {
    process.stderr.write(`No such part: ${unknown.join(', ')}. There are: ${Object.keys(PARTS).join(', ')}.\n`);
    return 2;
  }
  const parts = args.length > 0 ? args : Object.keys(PARTS);
  rmSync(results, { recursive: true, force: true });
  mkdirSync(results, { recursive: true });
  if (parts.includes('e2e') || parts.includes('integration')) Object.assign(process.env, await ensureSystemTools());

  const reports = [];
  for (const part of parts) {
    process.stdout.write(`\n── ${part}\n`);
    const started = performance.now();
    reports.push({ ...(await PARTS[part]()), seconds: (performance.now() - started) / 1000 });
  }

  process.stdout.write('\n');
  for (const { name, passed, failed, skipped, seconds, note } of reports) {
    const detail = note === undefined ? '' : ` (${note})`;
    process.stdout.write(
      `${name}: ${passed} passed, ${failed.length} failed, ${skipped.length} skipped, ${seconds.toFixed(0)} s${detail}\n`,
    );
  }
  const all = merge('all', reports);
  for (const { name, reason } of all.skipped)
    process.stdout.write(`skipped: ${name}: ${reason || 'no reason given'}\n`);
  for (const { name, reason } of all.failed)
    process.stdout.write(`failed: ${name}: ${stripVTControlCharacters(reason.split('\n', 1)[0])}\n`);
  process.stdout.write(`${all.passed} passed, ${all.failed.length} failed, ${all.skipped.length} skipped\n`);
  return all.failed.length === 0 ? 0 : 1;
});
