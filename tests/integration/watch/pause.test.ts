import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createIndexFixture, type IndexFixture } from '../search/indexFixture.ts';

const FILES = 3000;
let fixture: IndexFixture;
beforeEach(async () => {
  fixture = await createIndexFixture({ 'early.txt': 'an early word' });
  await fixture.index.setRoots([fixture.folder]);
  await fixture.index.watch();
  await fixture.index.waitForIdle(60_000);
  for (let at = 0; at < FILES; at += 1) fixture.write(`later/${at % 20}/${at}.txt`, `word ${at} `.repeat(200));
});
afterEach(() => fixture.dispose());

const filesWith = async (text: string) => (await fixture.find({ text, limit: 1 })).files;
const whenWorking = () => fixture.until(async () => fixture.index.status().pending > 0);

describe('indexing', () => {
  it('stops when it is paused, while searching goes on, and loses nothing', async () => {
    await whenWorking();
    fixture.index.pause();
    expect(fixture.index.status()).toMatchObject({ state: 'paused', secondsLeft: null });
    expect(await fixture.index.waitForIdle(1000)).toBe(false);
    const stopped = await filesWith('word');
    expect(stopped).toBeLessThan(FILES);
    expect(await filesWith('early')).toBe(1);
    fixture.write('during.txt', 'word of the pause');
    expect(await fixture.index.waitForIdle(500)).toBe(false);
    expect(await filesWith('word')).toBe(stopped);
    fixture.index.resume();
    await fixture.until(async () => (await filesWith('word')) === FILES + 2);
    await fixture.index.waitForIdle(60_000);
    expect(fixture.index.status()).toMatchObject({ state: 'ready', pending: 0, files: FILES + 2, message: null });
  });
  it('gives up its folders, takes others, and ends in the middle of a pause', async () => {
    await whenWorking();
    fixture.index.pause();
    await fixture.index.setRoots([]);
    fixture.index.resume();
    await fixture.until(async () => fixture.index.status().files === 0);
    fixture.index.pause();
    void fixture.index.setRoots([fixture.folder]);
    await fixture.index.close();
    expect(fixture.index.status().state).toBe('off');
    expect(fixture.warnings).toEqual([]);
  });
  it('tells how far it is, and comes to its end at a gentle pace too', async () => {
    fixture.index.setPace('gentle');
    const told: { readonly done: number; readonly pending: number }[] = [];
    fixture.index.onStatus(({ done, pending }) => told.push({ done, pending }));
    await fixture.until(async () => (await filesWith('word')) === FILES + 1);
    await fixture.index.waitForIdle(60_000);
    expect(Math.max(...told.map(({ done }) => done))).toBeGreaterThan(1000);
    expect(fixture.index.status()).toMatchObject({ state: 'ready', pending: 0, secondsLeft: null });
  });
});
