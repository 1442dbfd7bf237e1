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
    section = /^## (§\d+)/u.exec(text)?.[1] ?? section;
    const [, line, checkedBy] = /^\| (.+) \| (.+) \|$/u.exec(text) ?? [];
    if (line !== undefined && checkedBy !== undefined && line !== 'Line') rows.push({ section, line, checkedBy });
  }
  return rows;
}

/** The sections that the titles of a test file name. */
function sectionsNamedIn(test: string): Set<string> {
  const lists = [...test.matchAll(/web-and-phone\.md ((?:§\d+(?:, )?)+)/gu)];
  return new Set(lists.flatMap(([, list = '']) => list.match(/§\d+/gu) ?? []));
}

const rows = rowsOf(read('docs/specification.md'));

describe('the table of the specification', () => {
  it('covers its sections', () => {
    expect([...new Set(rows.map(({ section }) => section))]).toEqual(['§4', '§5', '§8', '§9']);
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
