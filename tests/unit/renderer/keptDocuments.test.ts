import { describe, expect, it } from 'vitest';
import { createKeptDocuments, surplus } from '../../../src/renderer/offline/keptDocuments.ts';
import type { Copy, KeptDocumentsStore } from '../../../src/renderer/offline/keptDocumentsStore.ts';
import type { KeptContent } from '../../../src/renderer/platform/types.ts';
import { AppError } from '../../../src/shared/errors.ts';
import { LIMITS } from '../../../src/shared/rules/limits.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const document = (versionId: string, size = 5) => ({
  versionId,
  name: `${versionId}.txt`,
  library: 'L',
  shelfId: 's',
  size,
});
const part = (text: string) => ({
  sections: [{ label: 'Content', text }],
  next: null,
  length: text.length,
  problem: null,
});
const loaded = (text: string) => async () => ({ content: new Blob([text]), text: [part(text)] });

/** A browser's database and storage, over any number of visits. */
function browser() {
  const copies = new Map<string, Copy>();
  const contents = new Map<string, KeptContent>();
  const local = new Map<string, string>();
  let isFull = false;
  const store: KeptDocumentsStore = {
    all: async () => [...copies.values()],
    content: async (id) => contents.get(id) ?? null,
    put: async (copy, content) => {
      if (isFull) throw new AppError('storage-unavailable', 'no room');
      copies.set(copy.versionId, copy);
      if (content !== undefined) contents.set(copy.versionId, content);
    },
    drop: async (ids) => {
      for (const id of ids) {
        copies.delete(id);
        contents.delete(id);
      }
    },
    clear: async () => {
      copies.clear();
      contents.clear();
    },
  };
  let time = 0;
  const visit = (options: { readonly isOnByDefault?: boolean; readonly isSaving?: boolean } = {}) =>
    createKeptDocuments({
      localStore: {
        getItem: (key) => local.get(key) ?? null,
        setItem: (key, value) => local.set(key, value),
        removeItem: (key) => local.delete(key),
      },
      isOnByDefault: options.isOnByDefault ?? true,
      isSaving: () => options.isSaving ?? false,
      onKept: () => undefined,
      store,
      now: () => {
        time += 1;
        return time;
      },
    });
  return {
    visit,
    contents,
    fill: () => {
      isFull = true;
    },
    wait: (milliseconds: number) => {
      time += milliseconds;
    },
  };
}

describe('documents that are kept (field.md row 66)', () => {
  it('gives what was opened to who opened it, with its text and the pages that were looked at', async () => {
    const { visit } = browser();
    await visit().keep('ana', document('1'), loaded('seal'));
    await visit().addPages('ana', '1', async () => new Blob(['pages']));
    const kept = await visit().find('ana', '1');
    expect(await kept?.content.text()).toBe('seal');
    expect(kept?.text).toEqual([part('seal')]);
    expect(await kept?.pages?.text()).toBe('pages');
    expect((await visit().state('ana')).size).toBe('seal'.length * 2 + 'pages'.length);
    expect(await visit().find('ben', '1')).toBeNull();
    expect(await visit().find('ana', '2')).toBeNull();
  });

  it('loads nothing again, and the last opened stays when there are too many', async () => {
    const { visit } = browser();
    const kept = visit();
    for (let count = 0; count < LIMITS.keptDocuments; count += 1) {
      await kept.keep('ana', document(String(count)), loaded('a'));
    }
    await kept.keep('ana', document('0'), () => Promise.reject(new Error('loaded again')));
    await kept.keep('ana', document('new'), loaded('b'));
    expect(await kept.find('ana', '0')).not.toBeNull();
    expect(await kept.find('ana', '1')).toBeNull();
    expect((await kept.state('ana')).documents).toHaveLength(LIMITS.keptDocuments);
  });

  it('is bounded in bytes, each and together', () => {
    const copy = (openedAt: number, bytes: number): Copy => ({
      ...document(String(openedAt)),
      owner: 'a',
      openedAt,
      bytes,
    });
    const half = LIMITS.keptDocumentsBytes / 2;
    expect(surplus([copy(1, half), copy(2, half), copy(3, half)], 3).map(({ openedAt }) => openedAt)).toEqual([1]);
    expect(surplus([copy(1, 1)], 1 + LIMITS.keptDocumentDays * DAY_MS)).toEqual([]);
    expect(surplus([copy(1, 1)], 2 + LIMITS.keptDocumentDays * DAY_MS)).toHaveLength(1);
  });

  it('leaves out what is too large, before it is loaded and by what comes with it', async () => {
    const { visit } = browser();
    const kept = visit();
    const never = () => Promise.reject(new Error('loaded'));
    await kept.keep('ana', document('1', LIMITS.keptDocumentBytes + 1), never);
    await kept.keep('ana', document('2'), async () => ({
      content: new Blob(['']),
      text: [part('a'.repeat(LIMITS.keptDocumentBytes + 1))],
    }));
    expect((await kept.state('ana')).documents).toEqual([]);
    await visit({ isSaving: true }).keep('ana', document('3'), never);
  });

  it('keeps nothing unless it is on; turned off or emptied it lets go, also of what is on its way', async () => {
    const { visit, contents } = browser();
    await visit({ isOnByDefault: false }).keep('ana', document('1'), loaded('seal'));
    expect(contents.size).toBe(0);
    const kept = visit();
    await kept.keep('ana', document('1'), loaded('seal'));
    const coming = Promise.withResolvers<{ content: Blob; text: [] }>();
    const keeping = kept.keep('ana', document('2'), () => coming.promise);
    await kept.empty();
    coming.resolve({ content: new Blob(['late']), text: [] });
    await keeping;
    expect(contents.size).toBe(0);
    await kept.keep('ana', document('1'), loaded('seal'));
    await kept.setOn(false);
    expect(contents.size).toBe(0);
    await visit().keep('ana', document('1'), loaded('seal'));
    expect(await visit().state('ana')).toEqual({ isOn: false, documents: [], size: 0 });
  });

  it('asks the server whether each may stay: what it refuses goes, what it does not answer stays', async () => {
    const { visit, contents, wait } = browser();
    const kept = visit();
    for (const id of ['gone', 'left', 'good']) await kept.keep('ana', document(id), loaded('a'));
    await kept.recheck('ana', () => Promise.reject(new AppError('server-unreachable', 'away')));
    expect(contents.size).toBe(3);
    const codes = { gone: 'not-found', left: 'forbidden' } as const;
    await kept.recheck('ana', async (id) => {
      if (id in codes) throw new AppError(codes[id as keyof typeof codes], 'no more');
    });
    expect([...contents.keys()]).toEqual(['good']);
    await kept.drop('good');
    await kept.keep('ana', document('old'), loaded('a'));
    wait(LIMITS.keptDocumentDays * DAY_MS + 10);
    expect(await kept.find('ana', 'old')).toBeNull();
    await kept.keep('ben', document('of ben'), loaded('a'));
    await kept.recheck('ana', async () => undefined);
    expect(contents.size).toBe(0);
  });

  it('does without where there is no room, or the network breaks', async () => {
    const { visit, fill, contents } = browser();
    await visit().keep('ana', document('1'), () => Promise.reject(new AppError('server-unreachable', 'broke off')));
    fill();
    await visit().keep('ana', document('1'), loaded('seal'));
    expect(contents.size).toBe(0);
  });
});
