import { describe, expect, it } from 'vitest';
import { versionRecords } from '../../../../src/core/history/historySync.ts';
import type { Commit, CommitChange, Shelf } from '../../../../src/shared/model/library.ts';

const shelf: Shelf = {
  id: 'shelf',
  name: 'Contracts',
  library: 'Archive',
  archived: false,
  members: [],
  document_count: 1,
  updated_at: '2026-05-01T00:00:00.000Z',
};

const change = (code: CommitChange['code'], document: string, number: number | null): CommitChange => ({
  code,
  document_id: document,
  name: `${document}.txt`,
  version_id: number === null ? null : `${document} ${number}`,
  version_number: number,
  size: number === null ? null : 10,
  sha256: number === null ? null : 'a'.repeat(64),
  previous_version_id: null,
  previous_size: null,
});
const commit = (hash: string, ...changes: CommitChange[]): Commit => ({
  hash,
  parent: null,
  message: `commit ${hash}`,
  author: 'ana',
  created_at: '2026-05-01T00:00:00.000Z',
  changes,
});

describe('the history of a shelf as the index takes it', () => {
  it('has every version with its commit, the newest of a document as the current one', () => {
    const records = versionRecords(shelf, [
      commit('c3', change('M', 'lease', 2)),
      commit('c2', change('A', 'note', 1)),
      commit('c1', change('A', 'lease', 1)),
    ]);
    expect(records.map(({ versionId, isCurrent, commitHash }) => [versionId, isCurrent, commitHash])).toEqual([
      ['lease 2', true, 'c3'],
      ['note 1', true, 'c2'],
      ['lease 1', false, 'c1'],
    ]);
    expect(records[0]).toMatchObject({ libraryName: 'Archive', shelfName: 'Contracts', commitMessage: 'commit c3' });
  });
  it('has no current version of a document that was deleted, until it is there again', () => {
    const gone = [commit('c2', change('D', 'lease', null)), commit('c1', change('A', 'lease', 1))];
    expect(versionRecords(shelf, gone).map(({ versionId, isCurrent }) => [versionId, isCurrent])).toEqual([
      ['lease 1', false],
    ]);
    const back = versionRecords(shelf, [commit('c3', change('A', 'lease', 2)), ...gone]);
    expect(back.map(({ isCurrent }) => isCurrent)).toEqual([true, false]);
  });
});
