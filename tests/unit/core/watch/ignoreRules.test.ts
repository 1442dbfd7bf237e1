import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createIgnoreRules } from '../../../../src/core/watch/ignoreRules.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'armarium-rules-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function write(name: string, lines: readonly string[]): void {
  const path = join(root, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, lines.join('\n'));
}

describe('what is left out of a folder', () => {
  it.each([
    ['.git', true],
    ['sub/node_modules', true],
    ['sub/node_modules/a/b.txt', false],
    ['~$report.docx', false],
    ['sub/Thumbs.db', false],
    ['sub/.~lock.a.odt#', false],
  ])('is %s by default, whatever files say', (name, isFolder) => {
    write('.armariumignore', ['!*', '!*/']);
    expect(createIgnoreRules(root).isIgnored(join(root, name), isFolder)).toBe(true);
  });
  it.each([
    ['a.log', true],
    ['sub/deep/a.log', true],
    ['sub/keep.log', false],
    ['build/x.txt', true],
    ['sub/build/x.txt', false],
    ['sub/drafts/x.txt', true],
    ['drafts/x.txt', false],
    ['sub/deep/only/here.txt', true],
    ['[odd] #1/x.tmp.txt', true],
    ['a.given', true],
    ['plain.txt', false],
  ])('follows the files above it and the globs that are given: %s', (name, isIgnored) => {
    write('.armariumignore', ['\uFEFF*.log\r', '# comment', '', '/build/']);
    write('sub/.armariumignore', ['!keep.log', 'drafts/', 'deep/only/*.txt']);
    write('[odd] #1/.armariumignore', ['*.tmp.txt']);
    expect(createIgnoreRules(root, ['*.given']).isIgnored(join(root, name), false)).toBe(isIgnored);
  });
  it('is nothing beside the folder, about which a watcher may ask', () => {
    write('.armariumignore', ['*']);
    const rules = createIgnoreRules(root, ['*']);
    for (const path of [root, dirname(root), `${root}-beside/a.txt`, '/'])
      expect(rules.isIgnored(path, true), path).toBe(false);
  });
  it('is read again on demand', () => {
    write('a/.armariumignore', ['*.txt']);
    const rules = createIgnoreRules(root);
    expect(rules.isIgnored(join(root, 'a/x.txt'), false)).toBe(true);
    write('a/.armariumignore', []);
    rules.reload();
    expect(rules.isIgnored(join(root, 'a/x.txt'), false)).toBe(false);
  });
  it('is not said by a folder that is named like the file', () => {
    mkdirSync(join(root, 'b/.armariumignore'), { recursive: true });
    expect(createIgnoreRules(root).isIgnored(join(root, 'b/x.txt'), false)).toBe(false);
  });
});
