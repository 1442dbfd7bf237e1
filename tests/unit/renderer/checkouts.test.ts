import { describe, expect, it } from 'vitest';
import {
  type CommitDraft,
  isTicked,
  NEW_DRAFT,
  useDrafts,
  withAll,
  withoutCommitted,
  withToggled,
} from '../../../src/renderer/features/desktop/checkouts/drafts.ts';
import { keepShelf } from '../../../src/renderer/features/desktop/checkouts/keepShelf.ts';
import {
  folderName,
  inOrder,
  isCommittable,
  isMoved,
  pathOfCopy,
  summaryOf,
  unlistedCheckouts,
} from '../../../src/renderer/features/desktop/checkouts/summary.ts';
import { lookAt, movesCheckouts, onComeBack } from '../../../src/renderer/features/live/checkoutLook.ts';
import type { WorkspaceCapability } from '../../../src/renderer/platform/types.ts';
import type { WindowState } from '../../../src/shared/bridge/index.ts';
import type { Checkout, WorkspaceDocument } from '../../../src/shared/model/workspace.ts';

const ID = '00000000-0000-4000-8000-000000000001';
const NONE = { A: 0, M: 0, D: 0, UC: 0, C: 0, U: 0, T: 0 };

function checkout(given: Partial<Checkout> = {}, counts: Partial<Checkout['counts']> = {}): Checkout {
  return {
    folder: '/home/ana/Workspace/Contracts',
    shelf_id: ID,
    library: 'Office',
    shelf: 'Contracts',
    state: 'ready',
    message: null,
    progress: null,
    counts: { ...NONE, ...counts },
    is_writable: true,
    checked_at: '2026-01-01T00:00:00.000Z',
    ...given,
  };
}

function document(name: string, code: WorkspaceDocument['code'], locked_by: string | null = null): WorkspaceDocument {
  return {
    name,
    code,
    current_version: 1,
    remoteVersionNumber: 1,
    conflictStatus: 'none',
    conflictVersionNumber: null,
    size: 1,
    modified_at: null,
    document_id: ID,
    current_version_id: ID,
    deleted_there: false,
    locked_by,
    reason: null,
  };
}

describe('how a kept shelf stands, in a word', () => {
  it('is in step, waits, or is offline', () => {
    expect(summaryOf(checkout({}, { UC: 12 }))).toEqual({ kind: 'inStep' });
    expect(summaryOf(checkout({ state: 'waiting' }))).toEqual({ kind: 'waiting' });
    expect(summaryOf(checkout({ state: 'offline' }))).toEqual({ kind: 'offline' });
  });
  it('counts what was added, changed and deleted, and says that it is offline besides', () => {
    expect(summaryOf(checkout({}, { A: 1, M: 1, D: 1, U: 4, UC: 9 }))).toEqual({
      kind: 'changes',
      count: 3,
      isOffline: false,
    });
    expect(summaryOf(checkout({ state: 'offline' }, { M: 2 }))).toMatchObject({ kind: 'changes', isOffline: true });
  });
  it('tells of conflicts before changes and before files on their way', () => {
    expect(summaryOf(checkout({}, { C: 2, M: 5 }))).toMatchObject({ kind: 'conflicts', count: 2 });
    expect(summaryOf(checkout({ state: 'working', progress: { done: 1, total: 2 } }, { C: 2 }))).toMatchObject({
      kind: 'conflicts',
    });
  });
  it('says how far it is', () => {
    const progress = { done: 12, total: 200 };
    expect(summaryOf(checkout({ state: 'working', progress }, { T: 188 }))).toEqual({ kind: 'syncing', progress });
  });
  it('never takes what is left out, or did not come, for being in step', () => {
    expect(summaryOf(checkout({}, { U: 1, T: 1 }))).toMatchObject({ kind: 'attention', count: 2 });
  });
  it.each(['gone', 'elsewhere', 'failed'] as const)('is %s, whatever the counts were', (state) => {
    expect(summaryOf(checkout({ state }, { C: 1, M: 1 }))).toEqual({ kind: state });
  });
});

describe('the changes of a kept shelf', () => {
  it('stand with conflicts first and what cannot be committed last, by name within', () => {
    const given = [
      document('a.txt', 'U'),
      document('b.txt', 'M'),
      document('c.txt', 'C'),
      document('d.txt', 'UC'),
      document('e.txt', 'T'),
      document('f.txt', 'D'),
      document('g.txt', 'A'),
    ];
    expect(inOrder(given).map(({ name }) => name[0])).toEqual(['c', 'b', 'f', 'g', 'e', 'a']);
  });
  it('can be committed unless somebody else has them checked out', () => {
    expect(['A', 'M', 'D'].map((code) => isCommittable(document('a', code as 'A')))).toEqual([true, true, true]);
    expect(['C', 'U', 'T', 'UC'].some((code) => isCommittable(document('a', code as 'C')))).toBe(false);
    expect(isCommittable(document('a', 'M', 'Bo'))).toBe(false);
  });
  it('are read again for all that is told of them but each file on its way', () => {
    const working = (done: number, counts = {}) => checkout({ state: 'working', progress: { done, total: 9 } }, counts);
    expect(isMoved(working(1), working(2))).toBe(false);
    expect(isMoved(working(1), working(2, { M: 1 }))).toBe(true);
    expect(isMoved(working(9), checkout())).toBe(true);
    expect(isMoved(checkout(), checkout())).toBe(true);
    const same = checkout();
    expect(isMoved(same, same)).toBe(false);
  });
  it('lie where the system says', () => {
    expect(pathOfCopy('/home/ana/Contracts', 'a/b.txt')).toBe('/home/ana/Contracts/a/b.txt');
    expect(pathOfCopy('C:\\Ana\\Contracts', 'a/b.txt')).toBe('C:\\Ana\\Contracts\\a\\b.txt');
    expect(pathOfCopy('\\\\server\\share', 'a/b.txt')).toBe('\\\\server\\share\\a\\b.txt');
    // A backslash is a letter like any other there.
    expect(pathOfCopy('/home/ana/back\\slash', 'a/b.txt')).toBe('/home/ana/back\\slash/a/b.txt');
    expect(folderName('C:\\Ana\\Contracts\\')).toBe('Contracts');
  });
});

describe('kept shelves in no library that is listed', () => {
  it('are told apart, and are all of them while no library is known', () => {
    const [here, gone] = [checkout(), checkout({ shelf_id: '00000000-0000-4000-8000-000000000002', state: 'gone' })];
    expect(unlistedCheckouts([here, gone], [{ shelves: [{ id: ID }] }])).toEqual([gone]);
    expect(unlistedCheckouts([here, gone], [])).toEqual([here, gone]);
  });
});

describe('what is prepared to be committed', () => {
  const ticked = (draft: CommitDraft, names: string) => [...names].filter((name) => isTicked(draft, name)).join('');

  it('is everything, also what comes later, but for what was taken out', () => {
    const draft = withToggled(NEW_DRAFT, 'b');
    expect(ticked(draft, 'abc')).toBe('ac');
    expect(ticked(draft, 'abcd')).toBe('acd');
    expect(ticked(withToggled(draft, 'b'), 'abc')).toBe('abc');
  });
  it('is only what was chosen once nothing was', () => {
    const draft = withToggled(withAll(NEW_DRAFT, false), 'a');
    expect(ticked(draft, 'abcd')).toBe('a');
    expect(ticked(withAll(draft, true), 'abcd')).toBe('abcd');
  });
  it('keeps the other ticks when some were committed, and begins anew when all were', () => {
    const some = { ...withToggled(NEW_DRAFT, 'b'), message: 'why' };
    const left = withoutCommitted(some, new Set(['a', 'c']), ['a', 'b', 'c']);
    expect(left.message).toBe('');
    expect(ticked(left, 'bd')).toBe('d');
    // Who chose one of many does not find the others ticked.
    const one = withToggled(withAll(NEW_DRAFT, false), 'a');
    expect(ticked(withoutCommitted(one, new Set(['a']), ['a', 'b']), 'abc')).toBe('');
    expect(withoutCommitted(one, new Set(['a']), ['a'])).toEqual(NEW_DRAFT);
  });
  it('is kept for each folder by itself', () => {
    const { change } = useDrafts.getState();
    change('/one', (draft) => ({ ...withToggled(draft, 'b'), message: 'half a sen' }));
    change('/two', (draft) => withAll(draft, false));
    const { byFolder } = useDrafts.getState();
    expect(byFolder['/one']?.message).toBe('half a sen');
    expect(ticked(byFolder['/one'] ?? NEW_DRAFT, 'ab')).toBe('a');
    expect(ticked(byFolder['/two'] ?? NEW_DRAFT, 'ab')).toBe('');
  });
});

describe('keeping a shelf on this computer', () => {
  function workspace(folder: string | null, chosen: string | null = '/home/ana/Workspace') {
    const steps: string[] = [];
    const fake = {
      state: async () => ({ folder }),
      chooseFolder: async () => {
        steps.push('choose');
        return { folder: chosen };
      },
      checkouts: {
        checkOut: async (shelfId: string) => {
          steps.push(`check out ${shelfId}`);
          return checkout();
        },
      },
    } as unknown as WorkspaceCapability;
    return { fake, steps };
  }

  it('asks for a workspace folder first where there is none', async () => {
    const { fake, steps } = workspace(null);
    expect(await keepShelf(fake, ID)).toEqual(checkout());
    expect(steps).toEqual(['choose', `check out ${ID}`]);
    const chosen = workspace('/home/ana/Workspace');
    await keepShelf(chosen.fake, ID);
    expect(chosen.steps).toEqual([`check out ${ID}`]);
  });
  it('keeps nothing when no folder was chosen', async () => {
    const { fake, steps } = workspace(null, null);
    expect(await keepShelf(fake, ID)).toBeNull();
    expect(steps).toEqual(['choose']);
  });
});

describe('when kept shelves are looked at', () => {
  it('is after a commit, a change of who may commit, and a lost connection', () => {
    expect(movesCheckouts({ type: 'commit', shelf_id: ID })).toBe(true);
    expect(movesCheckouts({ type: 'members', shelf_id: ID })).toBe(true);
    expect(movesCheckouts({ type: 'resumed' })).toBe(true);
    expect(movesCheckouts({ type: 'connected' })).toBe(false);
    expect(movesCheckouts({ type: 'read', unread_count: 0 })).toBe(false);
  });
  it('is when somebody comes back to the window, not whenever it is resized', () => {
    const tell: ((state: WindowState) => void)[] = [];
    let looks = 0;
    onComeBack({ onChanged: (listener) => tell.push(listener) as never }, () =>
      lookAt({
        sync: async () => {
          looks += 1;
        },
      }),
    );
    const is = (focused: boolean) => tell[0]?.({ maximized: false, fullscreen: false, focused });
    is(true);
    expect(looks).toBe(0);
    is(false);
    is(true);
    is(true);
    expect(looks).toBe(1);
  });
});
