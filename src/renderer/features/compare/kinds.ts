import { extensionOf, fileKind } from '../../ui/fileKind.ts';

/** A way to look at what two versions differ in. */
export type CompareView = 'text' | 'table' | 'pages' | 'picture';

/** What is made of rows and cells. */
const TABLES: ReadonlySet<string> = new Set(['csv', 'tsv', 'xlsx', 'xlsm', 'ods']);
/** A picture to the eye, and a text to compare. */
const DRAWN_BY_TEXT = 'svg';

function viewsOf(name: string): readonly CompareView[] {
  const extension = extensionOf(name);
  const { kind } = fileKind(name);
  if (TABLES.has(extension)) return ['table', 'text'];
  if (kind === 'pdf') return ['text', 'pages'];
  return kind === 'image' && extension !== DRAWN_BY_TEXT ? ['picture'] : ['text'];
}

/** How two documents can be compared, the best way first. All that are not alike still have texts. */
export function compareViews(base: string, other: string): readonly CompareView[] {
  const views = viewsOf(base);
  const common = viewsOf(other).filter((view) => views.includes(view));
  return common.length > 0 ? common : ['text'];
}
