/** `npm run bench [-- NAME [--json]]`: lists the benchmarks or runs one. */
import { join } from 'node:path';
import { root, runNode, withSetup } from './setup.mjs';

await withSetup(import.meta.url, (args) =>
  runNode(['--expose-gc', '--disable-warning=ExperimentalWarning', join(root, 'bench', 'main.ts'), ...args]),
);
