import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createRate } from '../../../../src/core/search/rate.ts';
import { createPace } from '../../../../src/core/watch/pace.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** Milliseconds until a promise resolves; null when it has not after a minute. */
async function timeOf(work: Promise<void>): Promise<number | null> {
  const began = performance.now();
  let took: number | null = null;
  void work.then(() => {
    took = performance.now() - began;
  });
  await vi.advanceTimersByTimeAsync(60_000);
  return took;
}

describe('the pace of work', () => {
  it('rests after work only when it is gentle, by how long that took, and never for long', async () => {
    const pace = createPace();
    expect(await timeOf(pace.rest(100))).toBe(0);
    pace.set('gentle');
    expect(await timeOf(pace.rest(100))).toBe(300);
    expect(await timeOf(pace.rest(60_000))).toBe(2000);
  });
  it.each([
    ['full pace', (pace: ReturnType<typeof createPace>) => pace.set('full')],
    ['the end', (pace: ReturnType<typeof createPace>) => pace.close()],
  ])('ends a rest at %s', async (_what, end) => {
    const pace = createPace();
    pace.set('gentle');
    const rest = pace.rest(500);
    end(pace);
    expect(await timeOf(rest)).toBe(0);
  });
  it('holds everybody back while it is paused, and ends what can stop in the middle', async () => {
    const pace = createPace();
    const signal = pace.signal();
    pace.pause();
    expect(signal.aborted).toBe(true);
    const turn = pace.turn();
    expect(await timeOf(turn)).toBeNull();
    pace.resume();
    expect(await timeOf(turn)).toBe(0);
    expect(pace.signal().aborted).toBe(false);
  });
  it('lets nobody wait when the index is closed during a pause', async () => {
    const pace = createPace();
    pace.pause();
    const turn = pace.turn();
    pace.close();
    expect(await timeOf(turn)).toBe(0);
  });
});

describe('the time that is left', () => {
  it('goes by the speed of late, and is not told without one', async () => {
    const rate = createRate();
    rate.begin();
    expect(rate.secondsFor(100)).toBeNull();
    await vi.advanceTimersByTimeAsync(2000);
    expect(rate.secondsFor(100)).toBeNull();
    rate.did(10);
    expect(rate.secondsFor(100)).toBe(20);
    await vi.advanceTimersByTimeAsync(58_000);
    rate.did(100);
    expect(rate.secondsFor(100)).toBe(20);
    await vi.advanceTimersByTimeAsync(30_000);
    expect(rate.secondsFor(100)).toBeNull();
    rate.begin();
    rate.did(100);
    expect(rate.secondsFor(100)).toBeNull();
  });
});
