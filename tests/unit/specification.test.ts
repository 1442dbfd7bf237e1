import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '..', '..');
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');

interface Row {
  readonly section: string;
  readonly line: string;
  readonly checkedBy: string;
}

/** The rows of the tables, each under the section that its heading names. */
function rowsOf(markdown: string): Row[] {
  let section = '';
  const rows: Row[] = [];
  for (const text of markdown.split('\n')) {
    section = /^## ((?:Shell )?§\d+)/u.exec(text)?.[1] ?? section;
    const [, line, checkedBy] = /^\| (.+) \| (.+) \|$/u.exec(text) ?? [];
    if (line !== undefined && checkedBy !== undefined && line !== 'Line') rows.push({ section, line, checkedBy });
  }
  return rows;
}

/** The sections that the titles of a test file name. */
function sectionsNamedIn(test: string): Set<string> {
  const named = (document: string, prefix: string) =>
    [...test.matchAll(new RegExp(`${document}\\.md ((?:§\\d+(?:, )?)+)`, 'gu'))].flatMap(([, list = '']) =>
      (list.match(/§\d+/gu) ?? []).map((section) => prefix + section),
    );
  return new Set([...named('web-and-phone', ''), ...named('desktop-shell', 'Shell ')]);
}

const rows = rowsOf(read('docs/specification.md'));

describe('the table of the specification', () => {
  it('covers its sections', () => {
    expect([...new Set(rows.map(({ section }) => section))]).toEqual([
      ...['§4', '§5', '§8', '§9'],
      ...['Shell §2', 'Shell §4', 'Shell §5', 'Shell §6', 'Shell §7', 'Shell §8', 'Shell §9'],
    ]);
  });
  it.each(rows)('$section $line', ({ section, checkedBy }) => {
    if (/^Not yet: \S/u.test(checkedBy)) return;
    const files = [...checkedBy.matchAll(/`([^`]+)`/gu)].map(([, file = '']) => file);
    expect(files.length).toBeGreaterThan(0);
    for (const file of files) {
      expect(existsSync(join(ROOT, file)), file).toBe(true);
      expect(sectionsNamedIn(read(file)), file).toContain(section);
    }
  });
});
