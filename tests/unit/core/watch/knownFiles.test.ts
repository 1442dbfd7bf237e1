import { describe, expect, it } from 'vitest';
import type { SeenFile } from '../../../../src/core/search/shardProtocol.ts';
import { createKnownState, packKnownFiles } from '../../../../src/core/watch/knownFiles.ts';

const CHANGED = 1_700_000_000_000.25;
const READ = CHANGED + 60_000;
const NOW = READ + 60_000;
const seen: SeenFile = { path: '/r/a', root: '/r', size: 5, mtimeMs: CHANGED, ctimeMs: CHANGED, inode: 7 };
const row = (path: string, readMs = READ) => [path, 5, CHANGED, CHANGED, 7, readMs] as const;

describe('what the index knows of a file', () => {
  it.each([
    ['nothing else', 'unchanged', {}, READ],
    ['another size', 'changed', { size: 6 }, READ],
    ['another time', 'changed', { mtimeMs: CHANGED + 0.25 }, READ],
    ['the old time put back', 'changed', { ctimeMs: CHANGED + 0.25 }, READ],
    ['another file in its place', 'changed', { inode: 8 }, READ],
    ['a reading in the moment of the change', 'changed', {}, CHANGED + 1000],
    ['a reading that failed', 'changed', {}, 0],
    ['a clock that was set back since', 'changed', {}, NOW + 1],
    ['another name', 'new', { path: '/r/b' }, READ],
    [
      'a drive that does not answer',
      'unchanged',
      { size: 0, skip: { code: 'not-readable', reason: 'EIO', mayPass: true } },
      READ,
    ],
  ] as const)('tells by %s that it is %s', (_what, verdict, other, readMs) => {
    const known = createKnownState([packKnownFiles([row('/r/a', readMs)])], NOW);
    expect(known.compare({ ...seen, ...other })).toBe(verdict);
  });
  it('has no trust in a file that two shards know, and names what the scan did not come by', () => {
    const shards = [packKnownFiles([row('/r/x'), row('/r/a')]), packKnownFiles([]), packKnownFiles([row('/r/a')])];
    const known = createKnownState(shards, NOW);
    expect(known.size).toBe(2);
    expect(known.compare(seen)).toBe('changed');
    expect(known.left()).toEqual(['/r/x']);
    expect(known.compare({ ...seen, path: '/r/x' })).toBe('unchanged');
    expect(known.left()).toEqual([]);
  });
});
