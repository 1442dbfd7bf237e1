import { describe, expect, it } from 'vitest';
import { type ShelfData, withChanges } from '../../../src/renderer/api/shelfChanges.ts';
import type { DocumentLock, ShelfDocument } from '../../../src/shared/model/library.ts';
import { inNameOrder } from '../../../src/shared/rules/names.ts';

const HASH = 'a'.repeat(64);
const AT = '2026-01-01T00:00:00.000Z';
const document = (id: string, name = id, lock: DocumentLock | null = null): ShelfDocument => ({
  id,
  name,
  original_filename: name,
  mime: 'text/plain',
  current_version: 1,
  current_version_id: id,
  size: 1,
  sha256: HASH,
  author: 'ana',
  updated_at: AT,
  commit_hash: HASH,
  commit_message: '',
  lock,
});
const shelf = (document_count: number): ShelfData['shelf'] => ({
  id: 'shelf',
  name: 'Letters',
  library: 'Library',
  archived: false,
  members: [],
  document_count,
  updated_at: AT,
});
const last_commit = { hash: HASH, parent: null, message: '', author: 'ana', created_at: AT };
const list = (...documents: readonly ShelfDocument[]): ShelfData => ({
  shelf: shelf(documents.length),
  last_commit,
  documents: inNameOrder(documents),
  isWhole: true,
});
const lock = { by: 'ben', user_id: 'ben', since: AT, expires_at: AT };

describe('bringing the list of a shelf up to date', () => {
  it('puts what changed at its place, and leaves all else as it is', () => {
    const known = list(document('2'), document('10'), document('É'), document('x'));
    const changed = inNameOrder([document('2', 'page 9'), document('1'), document('f')]);
    const after = withChanges(known, {
      shelf: shelf(5),
      last_commit,
      documents: changed,
      removed: ['x', 'never seen'],
      locks: [],
    });
    expect(after?.documents.map(({ name }) => name)).toEqual(['1', '10', 'É', 'f', 'page 9']);
    expect(after?.documents[1]).toBe(known.documents[1]);
  });
  it('takes over what is checked out and what is no more', () => {
    const known = list(document('a', 'a', lock), document('b'), document('c', 'c', lock));
    const locks = ['b', 'c'].map((document_id) => ({ ...lock, document_id }));
    const after = withChanges(known, { shelf: shelf(3), last_commit, documents: [], removed: [], locks });
    expect(after?.documents.map((each) => each.lock?.by ?? null)).toEqual([null, 'ben', 'ben']);
    expect(after?.documents[2]).toBe(known.documents[2]);
  });
  it('notices a gap', () => {
    const changes = { shelf: shelf(3), last_commit, documents: [document('c')], removed: [], locks: [] };
    expect(withChanges(list(document('a')), changes)).toBeNull();
  });
});
