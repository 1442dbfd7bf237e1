import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { renamesAmong } from '../../../../src/core/workspace/renames.ts';
import { type Sides, standingOf } from '../../../../src/core/workspace/standing.ts';
import type { WorkspaceDocument } from '../../../../src/shared/model/workspace.ts';
import { syncStatus } from '../../../../src/shared/rules/syncStatus.ts';

const stamp = { size: 1, mtimeMs: 1, ctimeMs: 1, inode: 1 };
const base = (version: number, sha256: string): Sides['base'] => ({
  documentId: 'd',
  name: 'a.txt',
  version,
  versionId: `v${version}`,
  sha256,
  stamp: null,
});
const remote = (version: number, sha256: string, lockedBy: string | null = null): Sides['remote'] => ({
  documentId: 'd',
  name: 'a.txt',
  version,
  versionId: `v${version}`,
  sha256,
  size: 1,
  updatedAt: '2026-01-01T00:00:00.000Z',
  lockedBy,
});
const local = (sha256: string): Sides['local'] => ({ name: 'a.txt', path: '/a.txt', stamp, sha256, problem: null });

describe('the sync status of a document against the remote copy (web-and-phone.md §4)', () => {
  it.each([
    ['A', { current_version: 1, remoteVersionNumber: null, conflictStatus: 'conflict', conflictVersionNumber: 1 }],
    ['C', { current_version: 3, remoteVersionNumber: 2, conflictStatus: 'conflict', conflictVersionNumber: 3 }],
    ['M', { current_version: 3, remoteVersionNumber: 2, conflictStatus: 'conflict', conflictVersionNumber: 2 }],
    ['M', { current_version: 3, remoteVersionNumber: 2, conflictStatus: 'none', conflictVersionNumber: null }],
    ['UC', { current_version: 2, remoteVersionNumber: 2, conflictStatus: 'none', conflictVersionNumber: null }],
    ['UC', { current_version: 1, remoteVersionNumber: 2, conflictStatus: 'none', conflictVersionNumber: null }],
  ] as const)('is %s of %o', (code, document) => expect(syncStatus(document)).toBe(code));
});

describe('the three sides of a document', () => {
  it.each([
    ['as on the shelf', { base: base(1, 'x'), remote: remote(1, 'x'), local: local('x') }, 'UC', 'none'],
    ['edited here', { base: base(1, 'x'), remote: remote(1, 'x'), local: local('y') }, 'M', 'none'],
    ['deleted here', { base: base(1, 'x'), remote: remote(1, 'x'), local: null }, 'D', 'none'],
    ['new here', { base: null, remote: null, local: local('x') }, 'A', 'none'],
    ['new there', { base: null, remote: remote(1, 'x'), local: null }, 'T', 'fetch'],
    ['edited there', { base: base(1, 'x'), remote: remote(2, 'y'), local: local('x') }, 'T', 'fetch'],
    ['deleted there', { base: base(1, 'x'), remote: null, local: local('x') }, 'T', 'remove'],
    ['edited on both sides', { base: base(1, 'x'), remote: remote(2, 'y'), local: local('z') }, 'C', 'none'],
    ['the same on both sides', { base: base(1, 'x'), remote: remote(2, 'y'), local: local('y') }, 'UC', 'adopt'],
    ['new on both sides', { base: null, remote: remote(1, 'x'), local: local('y') }, 'C', 'none'],
    ['deleted here, edited there', { base: base(1, 'x'), remote: remote(2, 'y'), local: null }, 'C', 'none'],
    ['edited here, deleted there', { base: base(1, 'x'), remote: null, local: local('y') }, 'A', 'none'],
    ['deleted on both sides', { base: base(1, 'x'), remote: null, local: null }, 'UC', 'forget'],
    [
      'edited here on a version of the same',
      { base: base(1, 'x'), remote: remote(2, 'x'), local: local('y') },
      'M',
      'none',
    ],
  ] satisfies [string, Sides, string, string][])('%s', (_what, sides, code, step) => {
    const { document, step: next } = standingOf(sides, 'ana');
    expect([document.code, next.kind]).toEqual([code, step]);
  });

  it('somebody else who has it locked is named, whoever looks is not', () => {
    const sides = { base: base(1, 'x'), remote: remote(1, 'x', 'bo'), local: local('x') };
    expect(standingOf(sides, 'ana').document.locked_by).toBe('bo');
    expect(standingOf(sides, 'bo').document.locked_by).toBeNull();
  });

  it('whatever was done here stays, whatever they are', () => {
    const content = fc.constantFrom('x', 'y', 'z');
    const sides = fc.record({
      base: fc.option(fc.tuple(fc.integer({ min: 1, max: 3 }), content).map(([version, sha]) => base(version, sha))),
      remote: fc.option(
        fc.tuple(fc.integer({ min: 1, max: 3 }), content).map(([version, sha]) => remote(version, sha)),
      ),
      local: fc.option(content.map(local)),
    });
    fc.assert(
      fc.property(sides, (each) => {
        const { document, step } = standingOf(each, 'ana');
        const isDoneHere = each.local?.sha256 !== each.base?.sha256;
        const isSame = each.local !== null && each.local.sha256 === each.remote?.sha256;
        if (isDoneHere && !isSame) expect(['none', 'forget']).toContain(step.kind);
        if (step.kind === 'remove') expect(each.local?.sha256).toBe(each.base?.sha256);
        if (['A', 'M', 'C'].includes(document.code)) expect(syncStatus(document)).toBe(document.code);
        if (document.code === 'UC' && each.local !== null) expect(each.local.sha256).toBe(each.remote?.sha256);
      }),
    );
  });
});

describe('renames among changes', () => {
  const change = (code: WorkspaceDocument['code'], name: string, deleted_there = false): WorkspaceDocument => ({
    ...standingOf({ base: null, remote: null, local: local('x') }, '').document,
    code,
    name,
    deleted_there,
  });
  const pairs = (changes: readonly WorkspaceDocument[], content: Readonly<Record<string, string>>) =>
    renamesAmong(changes, (name) => content[name] ?? '').map(({ from, to }) => `${from.name} > ${to.name}`);

  it('pair what went with what came and holds the same', () => {
    const changes = [change('D', 'a.txt'), change('A', 'z.txt'), change('D', 'b.txt'), change('A', 'c.txt')];
    expect(pairs(changes, { 'a.txt': '1', 'z.txt': '1', 'b.txt': '2', 'c.txt': '3' })).toEqual(['a.txt > z.txt']);
  });
  it('keep equal contents apart by their file names, and take none twice', () => {
    const changes = [
      change('D', 'old/a.txt'),
      change('D', 'old/b.txt'),
      change('A', 'new/b.txt'),
      change('A', 'new/a.txt'),
    ];
    const empty = Object.fromEntries(changes.map(({ name }) => [name, 'empty']));
    expect(pairs(changes, empty)).toEqual(['old/a.txt > new/a.txt', 'old/b.txt > new/b.txt']);
    expect(pairs(changes.slice(0, 3), empty)).toHaveLength(1);
  });
  it('leave a copy alone whose document somebody deleted: it is put back as a new one', () => {
    expect(pairs([change('D', 'a.txt'), change('A', 'z.txt', true)], { 'a.txt': '1', 'z.txt': '1' })).toEqual([]);
  });
});
