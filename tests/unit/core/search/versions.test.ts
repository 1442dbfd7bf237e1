import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createByteScan } from '../../../../src/core/search/byteScan.ts';
import { createMatcher } from '../../../../src/core/search/matcher.ts';
import { decodePack } from '../../../../src/core/search/pack.ts';
import type { Sections } from '../../../../src/core/search/prepare.ts';
import { openShardDatabase } from '../../../../src/core/search/schema.ts';
import { openShardPostings } from '../../../../src/core/search/shardPostings.ts';
import type { ShardHit, ShardQuery } from '../../../../src/core/search/shardProtocol.ts';
import type { VersionRecord } from '../../../../src/core/search/types.ts';
import { createVersionSearch } from '../../../../src/core/search/versionSearch.ts';
import { createVersionStore } from '../../../../src/core/search/versionStore.ts';
import { type SearchQuery as Query, SearchQuery } from '../../../../src/shared/model/search.ts';

interface Version {
  readonly record: VersionRecord;
  readonly text: string;
}

function version(documentId: string, number: number, text: string, more: Partial<VersionRecord> = {}): Version {
  const record: VersionRecord = {
    versionId: `${documentId}.${number}`,
    documentId,
    shelfId: 'shelf',
    libraryName: 'Law',
    shelfName: 'Contracts',
    documentName: `${documentId}.txt`,
    number,
    isCurrent: false,
    sha256: createHash('sha256').update(text).digest('hex'),
    size: Buffer.byteLength(text),
    commitHash: `commit ${number}`,
    commitMessage: 'Edited',
    author: 'ada',
    committedAt: new Date(Date.UTC(2024, 0, 1) + number * 60_000).toISOString(),
    ...more,
  };
  return { record, text };
}

const queryOf = (text: string, more: Partial<Query> = {}): Query => ({
  ...SearchQuery.parse({ text: 'xx', scope: 'history', limit: 1000, itemsPerResult: 1000 }),
  ...more,
  text,
});

/** The history of a shard, fed and asked as its thread does it. */
function createHistory() {
  const database = openShardDatabase(':memory:');
  const postings = openShardPostings(database);
  const store = createVersionStore(database, postings);
  const search = createVersionSearch(database, postings, createByteScan(64 * 1024));
  const column = <T>(sql: string) => database.prepare<[], T>(sql).pluck().all();

  function putTexts(versions: readonly Version[], sections: Sections | null = null): void {
    for (const { record, text } of versions) {
      const key = { hash: Buffer.from(record.sha256, 'hex'), format: '' };
      store.putText(key, { form: 'plain', encoding: 'utf-8', text, sections, skip: null });
    }
  }

  async function find(query: Query, more: Partial<ShardQuery> = {}, onHits?: (hits: readonly ShardHit[]) => void) {
    const answer = await search.run(
      {
        query,
        corpus: 'all-versions',
        shelfIds: null,
        documentIds: null,
        missingRoots: [],
        stream: onHits !== undefined,
        ...more,
      },
      { onHits: (hits) => onHits?.(hits), onStale: () => undefined },
      new AbortController().signal,
    );
    return { ...answer, results: answer.hits.map(({ result }) => result) };
  }

  return {
    store,
    putTexts,
    put(versions: readonly Version[]): void {
      putTexts(versions);
      store.putVersions(versions.map(({ record }) => record));
    },
    mergeAll() {
      while (postings.mergeSome(true));
    },
    find,
    ids: async (text: string, more: Partial<ShardQuery> = {}, query: Partial<Query> = {}) =>
      (await find(queryOf(text, query), more)).results.map(({ id }) => id).sort(),
    packIds: () => column<number>('SELECT id FROM packs ORDER BY id'),
    linesOfPacks: () =>
      column<Buffer>('SELECT body FROM packs').flatMap((body) => decodePack(body).decoded().lines.split('\n')),
    waiting: () => column<number>('SELECT id FROM waiting_texts').length,
    texts: () => column<number>('SELECT id FROM version_texts').length,
  };
}

const WORDS = ['tenant', 'PAYS', 'payS', 'aba', 'ab', '契約', '契約書', 'Größe', 'ſet', '😀', '', '\t'];
const line = fc.array(fc.constantFrom(...WORDS), { maxLength: 4 }).map((words) => words.join(' '));
/** Versions of three documents, each a small change of the one before. */
const history = fc
  .array(fc.tuple(fc.nat(2), fc.nat(8), fc.nat(2), fc.array(line, { maxLength: 3 })), { minLength: 1, maxLength: 15 })
  .map((edits) => {
    const documents = new Map<string, { lines: string[]; number: number }>();
    return edits.map(([which, at, gone, come]) => {
      const name = `document ${which}`;
      const document = documents.get(name) ?? { lines: ['tenant pays', '契約', '', 'aba'], number: 0 };
      documents.set(name, document);
      document.number += 1;
      document.lines.splice(at, gone, ...come);
      return version(name, document.number, document.lines.join('\n'), { isCurrent: document.number === 1 });
    });
  });
const query = fc.record({
  text: fc
    .oneof(fc.constantFrom(...WORDS, 'pa', 'ys\ntenant', 'a b', 'document'), line)
    .filter((text) => [...text].length >= 2),
  matchCase: fc.boolean(),
  wholeWord: fc.boolean(),
  regex: fc.boolean(),
});

describe('the history of a shard', () => {
  it('finds in its packs what is in each text by itself, however it was fed', async () => {
    const cases = fc.record({
      all: history,
      split: fc.nat(15),
      isMerged: fc.boolean(),
      query,
      isCurrent: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(cases, async ({ all, split, isMerged, query: { text, ...more }, isCurrent }) => {
        const shard = createHistory();
        shard.put(all.slice(split));
        shard.put(all.slice(0, split));
        if (isMerged) shard.mergeAll();
        const asked = queryOf(text, more);
        const matcher = createMatcher(asked);
        const expected = all
          .filter(({ record }) => !isCurrent || record.isCurrent)
          .map((each) => ({ id: each.record.versionId, matches: matcher.countAll([each.text])[0] ?? 0 }))
          .filter(({ matches }) => matches > 0);
        const { total, results } = await shard.find(asked, { corpus: isCurrent ? 'current-versions' : 'all-versions' });
        const found = results.filter(({ matches }) => matches > 0);
        const counted = new Map(found.map(({ id, matches }) => [id, matches]));
        expect(counted).toEqual(new Map(expected.map(({ id, matches }) => [id, matches])));
        expect(total).toBe(expected.reduce((sum, { matches }) => sum + matches, 0));
        for (const { id, matches, items } of found) {
          expect(items.reduce((sum, { ranges }) => sum + ranges.length, 0)).toBe(matches);
          const lines = all.find(({ record }) => record.versionId === id)?.text.split('\n') ?? [];
          for (const item of items) expect(lines[(item.line ?? 0) - 1]).toBe(item.text);
        }
      }),
    );
  }, 30_000);
  it('goes on with the last pack of a document, under another number', async () => {
    const shard = createHistory();
    for (let number = 1; number <= 70; number += 1) {
      shard.put([version('lease', number, `the same line\nline ${number}`)]);
    }
    expect(shard.packIds()).toEqual([64, 70]);
    expect(await shard.ids('same line')).toHaveLength(70);
    expect(await shard.ids('line 66')).toEqual(['lease.66']);
  });
  it('packs what a crash left behind as soon as its versions come', async () => {
    const shard = createHistory();
    const versions = [version('lease', 1, 'first words'), version('lease', 2, 'second words')];
    shard.putTexts(versions);
    expect([shard.waiting(), await shard.ids('words')]).toEqual([2, []]);
    expect(
      versions.every(({ record }) => shard.store.hasText({ hash: Buffer.from(record.sha256, 'hex'), format: '' })),
    ).toBe(true);
    shard.store.putVersions(versions.map(({ record }) => record));
    expect([shard.waiting(), shard.packIds().length]).toEqual([0, 1]);
    expect(await shard.ids('words')).toEqual(['lease.1', 'lease.2']);
  });
  it('keeps a content of two documents once, as long as one of them has it', async () => {
    const shard = createHistory();
    shard.put([version('lease', 1, 'shared words'), version('lease', 2, 'other words')]);
    shard.put([version('copy', 1, 'shared words')]);
    expect(shard.texts()).toBe(2);
    expect(await shard.ids('shared')).toEqual(['copy.1', 'lease.1']);
    shard.store.removeVersions(['lease.1']);
    expect(await shard.ids('shared')).toEqual(['copy.1']);
    expect(await shard.ids('words')).toEqual(['copy.1', 'lease.2']);
  });
  it('leaves nothing of a version that is taken out or replaced', async () => {
    const shard = createHistory();
    shard.put([
      version('lease', 1, 'common\nsecret of the first'),
      version('lease', 2, 'common\nsecret of the second'),
      version('lease', 3, 'common\nthe third'),
    ]);
    shard.store.removeVersions(['lease.1', 'unknown']);
    expect(shard.linesOfPacks()).toEqual(['common', 'secret of the second', 'the third']);
    shard.put([version('lease', 2, 'common\nno more of it')]);
    expect(shard.linesOfPacks()).toEqual(['common', 'the third', 'no more of it']);
    expect(await shard.ids('common')).toEqual(['lease.2', 'lease.3']);
    shard.store.removeVersions(['lease.2', 'lease.3']);
    expect([shard.packIds(), shard.texts(), await shard.ids('common')]).toEqual([[], 0, []]);
  });
  it.each<[string, Partial<ShardQuery>, Partial<Query>, string[]]>([
    ['shelves', { shelfIds: ['shelf 2'] }, {}, ['a.2', 'b.1']],
    ['no shelf', { shelfIds: [] }, {}, []],
    ['documents', { documentIds: ['b'] }, {}, ['b.1', 'b.2']],
    ['authors', {}, { author: 'Bob' }, ['b.2']],
    ['dates', {}, { since: '2024-01-01T00:02:00.000Z' }, ['a.2', 'b.2']],
    ['names', {}, { include: ['a.*'] }, ['a.1', 'a.2']],
    ['shelves and names', { shelfIds: ['shelf 2'] }, { exclude: ['a.*'] }, ['b.1']],
    ['what stands now', { corpus: 'current-versions' }, {}, ['a.2', 'b.2']],
  ])('looks only at %s that are asked for', async (_, more, parts, expected) => {
    const shard = createHistory();
    shard.put([
      version('a', 1, 'some words'),
      version('a', 2, 'some words more', { shelfId: 'shelf 2', isCurrent: true }),
      version('b', 1, 'words', { shelfId: 'shelf 2' }),
      version('b', 2, 'words again', { author: 'bob', isCurrent: true }),
    ]);
    expect(await shard.ids('words', more, parts)).toEqual(expected);
    expect((await shard.find(queryOf('words', parts), more)).files).toBe(expected.length);
  });
  it('names the section of a match and its line there', async () => {
    const shard = createHistory();
    const versions = [version('a', 1, 'one\nword\n\0\nheading word\nword', { isCurrent: true })];
    shard.putTexts(versions, [
      ['Page 1', 0],
      ['Page 2', 11, [1]],
    ]);
    shard.store.putVersions(versions.map(({ record }) => record));
    for (const corpus of ['all-versions', 'current-versions'] as const) {
      const { results } = await shard.find(queryOf('word'), { corpus });
      expect(results[0]?.items.map(({ type, line: at, number }) => [type, at, number])).toEqual([
        ['Page 1', 2, 1],
        ['Page 2', 1, 2],
        ['Page 2', 2, 3],
      ]);
    }
  });
  it('lists names before contents and the latest first, and counts all', async () => {
    const shard = createHistory();
    shard.put([
      ...[1, 2, 3, 4].map((number) => version('other', number, `draft ${number}`)),
      ...[1, 2].map((number) => version('draft', number, `nothing ${number}`)),
      version('third', 9, 'nothing 9', { commitMessage: 'The last draft' }),
    ]);
    const sent: string[] = [];
    const { hits, files, total } = await shard.find(queryOf('draft', { limit: 4 }), {}, (found) => {
      sent.push(...found.map(({ result }) => result.id));
    });
    const inOrder = hits.toSorted(
      (a, b) => b.rank - a.rank || (a.result.lastModified > b.result.lastModified ? -1 : 1),
    );
    expect(inOrder.map(({ result }) => result.id)).toEqual(['draft.2', 'draft.1', 'third.9', 'other.4']);
    expect([files, total]).toEqual([7, 4]);
    expect(new Set(sent).size).toBe(4);
  });
  it('tells in which version a text was taken out, whatever the filters leave', async () => {
    const shard = createHistory();
    shard.put([
      ...[3, 4, 5, 7].map((number) => version('lease', number, `the tenant pays ${number}`, { author: 'ada' })),
      version('lease', 6, 'the tenant pays 6', { author: 'bob' }),
      version('lease', 8, 'nobody pays', { commitMessage: 'Shorten' }),
      version('lease', 10, 'the tenant again'),
      version('other', 1, 'tenant'),
    ]);
    const removals = async (more: Partial<Query> = {}) =>
      (await shard.find(queryOf('tenant', more))).results
        .filter(({ removedIn }) => removedIn !== undefined)
        .map(({ id, removedIn }) => [id, removedIn]);
    const removed = {
      versionId: 'lease.8',
      versionNumber: 8,
      commitHash: 'commit 8',
      commitMessage: 'Shorten',
    };
    expect(await removals()).toEqual([['lease.7', removed]]);
    expect(await removals({ author: 'ada' })).toEqual([['lease.7', removed]]);
    expect(await removals({ author: 'bob' })).toEqual([]);
    expect(await removals({ regex: true })).toEqual([['lease.7', removed]]);
    shard.store.removeVersions(['lease.7']);
    expect(await removals()).toEqual([['lease.6', removed]]);
    shard.store.removeVersions(['lease.8']);
    expect(await removals()).toEqual([]);
  });
  it('finds everything once while documents go on being written', async () => {
    const shard = createHistory();
    const filler = 'line of a document that takes a while\n'.repeat(500);
    const versionsOf = (number: number) =>
      Array.from({ length: 150 }, (_, index) =>
        version(`document ${index}`, number, `${filler}${index} ${number} needle`),
      );
    shard.put(versionsOf(1));
    let isWritten = false;
    setImmediate(() => {
      shard.put(versionsOf(2));
      isWritten = true;
    });
    const { files, total, results } = await shard.find(queryOf('needl[e]', { regex: true, itemsPerResult: 1 }));
    expect(isWritten).toBe(true);
    expect([files, total]).toEqual([150, 150]);
    expect(new Set(results.map(({ id }) => id)).size).toBe(150);
    expect(results.every(({ items, versionNumber }) => items.length === 1 && versionNumber === 1)).toBe(true);
  });
});
