import { setImmediate } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { findRoot } from '../../../../src/core/watch/rootPresence.ts';

it('is there also for a thread that was too busy to hear of it in time', async () => {
  // After this, timers have their turn before answers of the system have theirs.
  await setImmediate();
  const asked = findRoot(import.meta.dirname, 1);
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100);
  expect(await asked).toMatchObject({ inode: expect.any(Number) });
});

it('is not there where nothing is, or only a file', async () => {
  expect(await findRoot(`${import.meta.dirname}/nothing`)).toBeNull();
  expect(await findRoot(import.meta.filename)).toBeNull();
});
