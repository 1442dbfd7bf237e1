/**
 * `npm start`: sets up, builds what changed, starts the embedded server and opens the desktop window, or serves the same
 * application to a browser. `-- --web`, `--port N`, `--data DIR`.
 */
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { build } from './build.mjs';
import { electronBinary, fetchElectron } from './electron.mjs';
import { root, run, runNode, withSetup } from './setup.mjs';

const USAGE = 'usage: npm start -- [--web] [--port N] [--data DIR]\n';

function options(args) {
  try {
    const { values } = parseArgs({
      args,
      options: {
        web: { type: 'boolean' },
        port: { type: 'string' },
        data: { type: 'string' },
        help: { type: 'boolean' },
      },
    });
    if (values.help) {
      process.stdout.write(USAGE);
      process.exit(0);
    }
    if (
      values.port !== undefined &&
      !(Number(values.port) >= 0 && Number(values.port) < 65_536 && /^\d+$/.test(values.port))
    ) {
      throw new Error(`--port ${values.port} is not a port number`);
    }
    return values;
  } catch (error) {
    process.stderr.write(`${error.message}\n${USAGE}`);
    process.exit(2);
  }
}

const hasDisplay = () =>
  process.platform === 'win32' ||
  process.platform === 'darwin' ||
  Boolean(process.env.DISPLAY || process.env.WAYLAND_DISPLAY);

await withSetup(import.meta.url, async (args) => {
  const { web, port, data } = options(args);
  const dataDir = data === undefined ? undefined : resolve(process.env.INIT_CWD ?? process.cwd(), data);
  await build();

  let why = null;
  if (!web) {
    if (!hasDisplay()) why = 'there is no display';
    else if (electronBinary() === null && !(await fetchElectron()))
      why = 'the Electron runtime is not here and could not be fetched';
  }
  if (!web && why === null) {
    return run(
      electronBinary(),
      [root, ...(dataDir === undefined ? [] : [`--user-data-dir=${join(dataDir, 'desktop')}`])],
      {
        env: {
          ...(dataDir === undefined ? {} : { ARMARIUM_DATA: join(dataDir, 'server') }),
          ...(port === undefined ? {} : { ARMARIUM_PORT: port }),
        },
      },
    );
  }
  if (why !== null)
    process.stdout.write(`No desktop window, because ${why}: open the address below in a browser instead.\n`);
  return runNode([
    '--disable-warning=ExperimentalWarning',
    join(root, 'src', 'cli', 'main.ts'),
    'serve',
    ...(port === undefined ? [] : ['--port', port]),
    ...(dataDir === undefined ? [] : ['--data', dataDir]),
  ]);
});
