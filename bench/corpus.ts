import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { debianCorpus, debianManuals } from './debianCorpus.ts';

const CACHE = join(import.meta.dirname, '..', '.cache', 'bench');
/** Corpora that are generated: how many files, and how many lines each has at the least and may have more. */
const GENERATED = {
  generated: { files: 6000, lines: 20, more: 300 },
  small: { files: 200_000, lines: 2, more: 12 },
} as const;

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

function generate(folder: string, { files, lines: least, more }: (typeof GENERATED)[keyof typeof GENERATED]): void {
  const random = createRandom(11);
  const below = (count: number) => Math.floor(random() * count);
  const vocabulary = Array.from({ length: 20_000 }, () =>
    Array.from({ length: 1 + below(4) }, () => SYLLABLES[below(SYLLABLES.length)]).join(''),
  );
  // A few words are most of every text, as in any language.
  const word = () => vocabulary[Math.floor(vocabulary.length * random() ** 4)] ?? '';
  for (let index = 0; index < files; index += 1) {
    const parent = join(folder, `library ${index % 10}`, `shelf ${index % 37}`, `${index % 5}`);
    mkdirSync(parent, { recursive: true });
    const script = index % 8 === 0 ? SCRIPTS[below(SCRIPTS.length)] : undefined;
    const lines = Array.from({ length: least + below(more) }, (_, line) => {
      const words = Array.from({ length: 2 + below(12) }, () =>
        script !== undefined && random() < 0.7 ? (script[below(script.length)] ?? '') : word(),
      );
      return line % 3 === 0 ? `  ${words[0]}_${words[1]}(${line}) = v${below(90)};` : words.join(' ');
    });
    writeFileSync(join(parent, `${word()}-${index}.${index % 3 === 0 ? 'c' : 'txt'}`), `${lines.join('\n')}\n`);
  }
}

/** What `--corpus` may say. */
export const CORPORA =
  'a folder, debian (kernel sources and documentation), generated (6,000 files) or small (200,000)';

/** Folder of a corpus: one that is there, or one that is fetched or generated once. */
export function corpusFolder(name: string): string {
  if (name === 'debian') return debianCorpus(join(CACHE, 'corpus-debian'));
  if (!Object.hasOwn(GENERATED, name)) {
    if (!existsSync(name)) throw new Error(`--corpus ${name}: there is no such folder`);
    return resolve(name);
  }
  const folder = join(CACHE, `corpus-${name}`);
  if (!existsSync(folder)) {
    process.stderr.write(`Generating a corpus in ${folder} …\n`);
    const unfinished = `${folder}.part`;
    rmSync(unfinished, { recursive: true, force: true });
    generate(unfinished, GENERATED[name as keyof typeof GENERATED]);
    renameSync(unfinished, folder);
  }
  return folder;
}

/** Folder with PDFs: a corpus that is there, or manuals that are fetched once. */
export function pdfFolder(name: string): string {
  return existsSync(name) ? resolve(name) : debianManuals(join(CACHE, 'corpus-pdf'));
}

/** A fresh folder for what a benchmark writes. */
export function workFolder(name: string): string {
  const folder = join(CACHE, name);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  return folder;
}

/** All regular files below a folder, in an order of their own: the queries that are drawn from them are the same on every disk. */
export function listFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
}

/**
 * Reads everything, so that whoever comes first does not fetch the files from disk for the others. What that leaves in memory is
 * collected, or whoever comes first would wait for it.
 */
export function readAll(files: readonly string[]): void {
  for (const file of files) readFileSync(file);
  globalThis.gc?.();
}

/** Texts of evenly chosen files, up to about so many bytes. */
export function sampleTexts(files: readonly string[], maxBytes: number): string[] {
  const bytes = files.reduce((sum, file) => sum + statSync(file).size, 0);
  const step = Math.max(1, Math.ceil(bytes / maxBytes));
  return files.filter((_, index) => index % step === 0).map((file) => readFileSync(file, 'utf8'));
}
