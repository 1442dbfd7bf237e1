import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

const CACHE = join(import.meta.dirname, '..', '.cache', 'bench');
const GENERATED = join(CACHE, 'corpus-1');
const FILES = 6000;

const SYLLABLES =
  'ba co de fi gu ha jo ka li mo nu pe qui ra sta tor un ver wex yl zo pre con str ing tion able ment'.split(' ');
const SCRIPTS = [
  '文件 系統 契約 書籍 館藏 索引 搜尋 版本 編輯 資料',
  'библиотека договор версия страница поиск полка книга',
  'Größe Übersicht Straße möglich für während Prüfung',
  'βιβλίο συμβόλαιο έκδοση σελίδα αναζήτηση',
  '図書館 契約書 検索する 版 棚 文書 コミット',
].map((words) => words.split(' '));

/** Numbers that look random and are the same in every run. */
export function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 0x1_0000_0000;
  };
}

function generate(folder: string): void {
  const random = createRandom(11);
  const below = (count: number) => Math.floor(random() * count);
  const vocabulary = Array.from({ length: 20_000 }, () =>
    Array.from({ length: 1 + below(4) }, () => SYLLABLES[below(SYLLABLES.length)]).join(''),
  );
  // A few words are most of every text, as in any language.
  const word = () => vocabulary[Math.floor(vocabulary.length * random() ** 4)] ?? '';
  for (let index = 0; index < FILES; index += 1) {
    const parent = join(folder, `library ${index % 10}`, `shelf ${index % 37}`, `${index % 5}`);
    mkdirSync(parent, { recursive: true });
    const script = index % 8 === 0 ? SCRIPTS[below(SCRIPTS.length)] : undefined;
    const lines = Array.from({ length: 20 + below(300) }, (_, line) => {
      const words = Array.from({ length: 2 + below(12) }, () =>
        script !== undefined && random() < 0.7 ? (script[below(script.length)] ?? '') : word(),
      );
      return line % 3 === 0 ? `  ${words[0]}_${words[1]}(${line}) = v${below(90)};` : words.join(' ');
    });
    writeFileSync(join(parent, `${word()}-${index}.${index % 3 === 0 ? 'c' : 'txt'}`), `${lines.join('\n')}\n`);
  }
}

/** Folder of the corpus: ARMARIUM_BENCH_CORPUS, or one of some sixty megabytes that is generated once. */
export function corpusFolder(): string {
  const given = process.env.ARMARIUM_BENCH_CORPUS;
  if (given !== undefined) {
    if (!existsSync(given)) throw new Error(`ARMARIUM_BENCH_CORPUS: there is no folder ${given}`);
    return resolve(given);
  }
  if (!existsSync(GENERATED)) {
    process.stderr.write(`Generating a corpus in ${GENERATED} …\n`);
    const unfinished = `${GENERATED}.part`;
    rmSync(unfinished, { recursive: true, force: true });
    generate(unfinished);
    renameSync(unfinished, GENERATED);
  }
  return GENERATED;
}

/** A fresh folder for what a benchmark writes. */
export function workFolder(name: string): string {
  const folder = join(CACHE, name);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  return folder;
}

/** All regular files below a folder. */
export function listFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

/** Texts of evenly chosen files, up to about so many bytes. */
export function sampleTexts(files: readonly string[], maxBytes: number): string[] {
  const bytes = files.reduce((sum, file) => sum + statSync(file).size, 0);
  const step = Math.max(1, Math.ceil(bytes / maxBytes));
  return files.filter((_, index) => index % step === 0).map((file) => readFileSync(file, 'utf8'));
}
