import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createQueuedFiles, type QueuedFile } from '../../../../src/core/search/queuedFiles.ts';

const path = fc.constantFrom('/a', '/b/c', '/b/d', '/é', '/z');
const time = fc.double({ min: 0, max: 4e12, noNaN: true });
const queued: fc.Arbitrary<QueuedFile> = fc.record({
  file: fc.record(
    {
      path,
      root: fc.constantFrom('/', '/b'),
      size: fc.maxSafeNat(),
      mtimeMs: time,
      ctimeMs: time,
      inode: fc.maxSafeNat(),
      skip: fc.constantFrom({ code: 'not-a-file', reason: 'A socket.' } as const),
    },
    { requiredKeys: ['path', 'root', 'size', 'mtimeMs', 'ctimeMs', 'inode'] },
  ),
  isNew: fc.boolean(),
  attempts: fc.nat({ max: 3 }),
  sinceMs: time,
});

describe('files that are queued', () => {
  it('are what was put last under each path, in the order in which they came', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(queued, path), { maxLength: 60 }), (steps) => {
        const files = createQueuedFiles();
        const expected = new Map<string, QueuedFile>();
        for (const step of steps) {
          const at = typeof step === 'string' ? step : step.file.path;
          files.delete(at);
          expected.delete(at);
          if (typeof step !== 'string') {
            files.add(step);
            expected.set(at, step);
          }
          expect([...files.paths()].map((each) => files.get(each))).toEqual([...expected.values()]);
          expect([files.size(), files.has(at), files.get('/none')]).toEqual([
            expected.size,
            expected.has(at),
            undefined,
          ]);
        }
      }),
    );
  });

  it('are as many as there is work, and may be taken out while they are gone through', () => {
    const files = createQueuedFiles();
    const file = { root: '/', size: 1, mtimeMs: 2, ctimeMs: 3, inode: 4 };
    for (let at = 0; at < 5000; at += 1) {
      files.add({ file: { ...file, path: `/${at}`, inode: at }, isNew: true, attempts: 0, sinceMs: 0 });
    }
    const taken: (number | undefined)[] = [];
    for (const each of files.paths()) {
      taken.push(files.get(each)?.file.inode);
      files.delete(each);
    }
    expect(taken).toEqual(Array.from({ length: 5000 }, (_, at) => at));
    expect(files.size()).toBe(0);
  });
});
