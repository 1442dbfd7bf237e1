import { compareTables } from '../src/core/compare/compareTables.ts';
import { compareTexts } from '../src/core/compare/compareTexts.ts';
import { api } from '../src/shared/api/index.ts';
import { createAccount, startTestServer, uploadFiles } from '../tests/helpers/server.ts';
import { createRandom } from './corpus.ts';
import { goal, percentile } from './report.ts';
import type { Measured } from './viewer.ts';

const LINES = 50_000;
const EDITS = 200;
const ROUNDS = 5;
const LIMIT_MS = 1000;

type Pair = readonly [readonly string[], readonly string[]];

/** Lines like those of a long document: many of them stand there once, others again and again. */
function makeLines(): string[] {
  const random = createRandom(11);
  const word = () => Math.floor(random() * 30_000).toString(36);
  return Array.from({ length: LINES }, (_, at) => {
    if (at % 7 === 0) return '';
    if (at % 11 === 0) return '  }';
    return Array.from({ length: 4 + Math.floor(random() * 10) }, word).join(' ');
  });
}

/** Lines changed, put in and taken out, all over the text. */
function edited(lines: readonly string[], edits: number): string[] {
  const random = createRandom(12);
  const result = [...lines];
  for (let edit = 0; edit < edits; edit += 1) {
    const at = Math.floor(random() * result.length);
    const kind = edit % 3;
    if (kind === 0) result[at] = `${result[at]} changed`;
    else if (kind === 1) result.splice(at, 0, `a line that was put in ${edit}`);
    else result.splice(at, 1);
  }
  return result;
}

/** What two texts may look like, the worst at the end: few lines, in no order, so that nothing tells what belongs together. */
function makePairs(): Readonly<Record<string, Pair>> {
  const lines = makeLines();
  const random = createRandom(13);
  const few = () => Array.from({ length: LINES }, () => `line ${Math.floor(random() * 40)}`);
  return {
    [`${EDITS} edits`]: [lines, edited(lines, EDITS)],
    'every tenth line edited': [lines, edited(lines, LINES / 10)],
    'every line changed': [lines, lines.map((line) => `${line}.`)],
    'nothing in its place': [few(), few()],
  };
}

const rowsOf = (lines: readonly string[]) => [
  { name: '', rows: lines.map((line, at) => [String(at), ...line.split(' ')]) },
];

async function medianOf(work: () => unknown): Promise<number> {
  const times: number[] = [];
  // The first one is not counted: the code is compiled by it, and the thread is started.
  for (let round = 0; round <= ROUNDS; round += 1) {
    const began = performance.now();
    await work();
    if (round > 0) times.push(performance.now() - began);
  }
  return percentile(times, 0.5);
}

/** Compares each pair through a real server and by itself. */
export async function compareLongTexts(): Promise<Measured> {
  const server = await startTestServer();
  try {
    const client = await createAccount(server.url);
    const { library: lib } = client.account;
    const shelf = await client.call(api.shelves.create, { params: { lib }, body: { name: 'Compared' } });
    const add = async (name: string, lines: readonly string[]) => {
      const commit = await uploadFiles(client, shelf, [{ name, content: lines.join('\n') }]);
      return commit?.changes[0]?.version_id ?? '';
    };
    const rows = [];
    for (const [name, [base, other]] of Object.entries(makePairs())) {
      const params = { id: await add(`${name}.txt`, base), other: await add(`${name}.txt`, other) };
      const sections = [base, other].map((lines) => [{ label: 'Content', text: lines.join('\n') }]);
      const [older = [], newer = []] = sections;
      const call = () => client.call(api.compare.versions, { params, query: {} });
      const { added, removed, coarse } = await call();
      rows.push({
        pair: name,
        'server ms': await medianOf(call),
        'texts ms': await medianOf(() => compareTexts(older, newer)),
        'tables ms': await medianOf(() => compareTables(rowsOf(base), rowsOf(other))),
        added,
        removed,
        coarse: String(coarse),
      });
    }
    const [usual, many] = rows;
    return {
      goals: [
        goal(`comparing two texts of ${LINES} lines, ${EDITS} edits`, usual?.['server ms'] ?? null, 'ms', {
          atMost: LIMIT_MS,
        }),
        goal('the same, every tenth line edited', many?.['server ms'] ?? null, 'ms', { atMost: LIMIT_MS }),
      ],
      rows,
    };
  } finally {
    await server.close();
  }
}
