/** Compiles wasm/byteScan.ts into src/core/search/byteScanCode.ts, which is kept in git so that sources run as they are. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import asc from 'assemblyscript/asc';
import { root } from './setup.mjs';

const TARGET = join(root, 'src', 'core', 'search', 'byteScanCode.ts');

/** The compiled module as the source of a module. @throws Error with what the compiler says */
export async function compiled() {
  const outputs = new Map();
  const { error, stderr } = await asc.main(
    ['byteScan.ts', '--outFile', 'out.wasm', '--optimizeLevel', '3', '--noAssert', '--runtime', 'stub'].concat([
      '--enable',
      'simd',
      '--importMemory',
      '--noExportMemory',
      '--pedantic',
    ]),
    {
      readFile: (name, folder) => {
        try {
          return readFileSync(join(root, 'wasm', folder ?? '', name), 'utf8');
        } catch (cause) {
          if (cause.code !== 'ENOENT') throw cause;
          return null;
        }
      },
      writeFile: (name, contents) => outputs.set(name, contents),
      listFiles: () => [],
    },
  );
  if (error !== null) throw new Error(`${error.message}\n${stderr}`);
  const code = Buffer.from(outputs.get('out.wasm')).toString('base64');
  const lines = code.match(/.{1,110}/gu).map((line) => `  '${line}'`);
  return `/** WebAssembly of wasm/byteScan.ts, made by \`npm run wasm\`. */\nexport const BYTE_SCAN_CODE =\n${lines.join(' +\n')};\n`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(TARGET, await compiled());
