import { expose } from 'comlink';
import { createFindHost, type FindHost } from '../find/findHost.ts';
import type { TextPlace } from '../find/locate.ts';
import type { Highlighter, Token } from './highlighter.ts';
import { type LoadProblem, loadText } from './loadText.ts';
import { createTextStore, type TextRow, type TextStore } from './textStore.ts';

/** How far a text is there. */
export interface TextStatus {
  /** Grows with every change. */
  readonly version: number;
  readonly rows: number;
  readonly lines: number;
  readonly isWhole: boolean;
  readonly problem: LoadProblem | null;
}

/** What the worker does for the page: it has the text, the page only the rows in sight. */
export interface TextWorker extends FindHost {
  open(url: string, name: string): void;
  /** Resolves once there is a newer status than the one that is known. */
  changed(version: number): Promise<TextStatus>;
  rows(from: number, to: number): readonly TextRow[];
  /** Their colours; empty where they have none. */
  colours(from: number, to: number): Promise<readonly (readonly Token[])[]>;
  rowAt(position: number): number;
  rowOfLine(line: number): number;
  locate(label: string | null, line: number | null): Promise<TextPlace | null>;
}

/** The page is told of what comes in this often at the most. */
const NEWS_MS = 100;

let store: TextStore = createTextStore();
let problem: LoadProblem | null = null;
let name = '';
let highlighter: Promise<Highlighter | null> | null = null;
let version = 0;
let lastNews = 0;
let waiting: (() => void)[] = [];
let growing: (() => void)[] = [];

function wake(sleepers: readonly (() => void)[]): void {
  for (const resolve of sleepers) resolve();
}

function grown(): void {
  const sleepers = growing;
  growing = [];
  wake(sleepers);
  const isNews = store.isWhole || problem !== null || version === 0 || performance.now() - lastNews > NEWS_MS;
  if (!isNews) return;
  version += 1;
  lastNews = performance.now();
  const listeners = waiting;
  waiting = [];
  wake(listeners);
}

const nextGrowth = () => new Promise<void>((resolve) => growing.push(resolve));

/** The code of the languages is loaded for what has one. */
async function loadHighlighter(): Promise<Highlighter | null> {
  const { createHighlighter, languageOf } = await import('./highlighter.ts');
  const language = languageOf(name);
  return language === null ? null : createHighlighter(store, language);
}

const worker: TextWorker = {
  ...createFindHost({ texts: () => [store], grown: nextGrowth }),
  open(url, documentName) {
    name = documentName;
    void loadText(url, {
      begun(begun) {
        // Who searches in one that is read anew need not wait for more of it.
        store.end();
        store = begun;
        highlighter = null;
      },
      grown,
      failed(reason) {
        problem = reason;
        store.end();
        grown();
      },
    });
  },
  async changed(known) {
    if (version <= known) await new Promise<void>((resolve) => waiting.push(resolve));
    return { version, rows: store.rowCount, lines: store.lineCount, isWhole: store.isWhole, problem };
  },
  rows: (from, to) => store.rows(from, to),
  async colours(from, to) {
    highlighter ??= loadHighlighter();
    return (await highlighter)?.rows(from, to) ?? [];
  },
  rowAt: (position) => store.rowAt(position),
  rowOfLine: (line) => store.rowOfLine(line),
  async locate(label, line) {
    if (line === null || (label !== null && label !== 'Content')) return null;
    // The line may not have come yet.
    while (!store.isWhole && store.lineCount < line) await nextGrowth();
    const row = store.rowOfLine(line);
    return { section: 0, start: store.rows(row, row + 1)[0]?.start ?? 0 };
  },
};
expose(worker);
