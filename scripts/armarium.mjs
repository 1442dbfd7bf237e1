/** `npm run -s armarium -- COMMAND …`: the command line, run from source on the pinned Node. */
import { join } from 'node:path';
import { root, runNode, withSetup } from './setup.mjs';

// npm changes into the project's folder; paths that people type are relative to where they stand.
const cwd = process.env.INIT_CWD ?? process.cwd();
await withSetup(import.meta.url, (args) =>
  runNode(['--disable-warning=ExperimentalWarning', join(root, 'src', 'cli', 'main.ts'), ...args], { cwd }),
);
