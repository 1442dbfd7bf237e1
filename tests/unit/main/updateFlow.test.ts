import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { firstState, nextState, type UpdateEvent } from '../../../src/main/updates/updateFlow.ts';
import type { AppState, UpdateState, UpdateStatus } from '../../../src/shared/model/update.ts';

const update = { version: '2.0.0', releaseDate: '2026-05-01T00:00:00.000Z' };
const appState: AppState = { path: '/desktop/main', scroll: 12, search: null, drafts: {} };
const idle = firstState(null, 'automatic');

/** The states that events lead through. */
function reached(...events: readonly UpdateEvent[]): UpdateState {
  return events.reduce(nextState, idle);
}
const check: UpdateEvent = { type: 'check', isManual: true };
const byClock: UpdateEvent = { type: 'check', isManual: false };
const found: UpdateEvent = { type: 'found', update };
const download: UpdateEvent = { type: 'download', isManual: true };
const progress = (percent: number): UpdateEvent => ({ type: 'progress', percent });
const ready = [check, found, download, { type: 'downloaded' }, { type: 'ready' }] as const;

describe('the update flow (desktop-shell.md §4)', () => {
  it('goes from a check over the download to what can be installed', () => {
    const seen: UpdateStatus[] = [];
    let state = idle;
    for (const event of [...ready, { type: 'install' } as const]) {
      state = nextState(state, event);
      seen.push(state.status);
    }
    expect(seen).toEqual([
      'checking',
      'update-available-prompt',
      'download-progress',
      'update-downloaded',
      'update-ready',
      'installing',
    ]);
    expect(state).toMatchObject({ ...update, percent: 100, isManual: true });
  });
  it('says that there is nothing newer', () => {
    expect(reached(check, { type: 'none' })).toMatchObject({ status: 'update-not-available', version: null });
  });
  it('rounds percents down, and never goes back', () => {
    const begun = reached(check, found, download, progress(41.99));
    expect(begun.percent).toBe(41);
    expect(nextState(begun, progress(41.2))).toBe(begun);
    expect(nextState(begun, progress(12))).toBe(begun);
    expect(nextState(begun, progress(120)).percent).toBe(100);
  });
  it('keeps an error until it is asked again', () => {
    const failed = reached(check, found, download, progress(50), { type: 'fail', code: 'server-unreachable' });
    expect(failed).toMatchObject({ status: 'update-error', error: 'server-unreachable', percent: 0 });
    expect(nextState(failed, check)).toMatchObject({ status: 'checking', error: null });
  });
  it('tells of what was kept when the new version starts, and of an update that was not installed', () => {
    const start = (isUpdated: boolean) => nextState(idle, { type: 'start', version: '2.0.0', appState, isUpdated });
    expect(start(true)).toMatchObject({ status: 'restore-app-state', appState });
    expect(nextState(start(true), { type: 'restored' })).toEqual(idle);
    expect(start(false)).toMatchObject({ status: 'update-error', appState });
    expect(nextState(start(false), { type: 'restored' })).toMatchObject({ status: 'update-error', appState: null });
  });
});

describe('what the update flow refuses (desktop-shell.md §5)', () => {
  it.each([
    ['before anything was found', []],
    ['while it looks', [check]],
    ['while it downloads', [check, found, download]],
    ['when it is there already', ready],
  ] as const)('a download %s', (_when, events) => {
    const state = reached(...events);
    expect(nextState(state, download)).toBe(state);
  });
  it.each([
    ['before it is ready', [check, found, download, { type: 'downloaded' }]],
    ['after a failure', [...ready, { type: 'fail', code: 'content-mismatch' }]],
  ] as const)('an installation %s', (_when, events) => {
    const state = reached(...events);
    expect(nextState(state, { type: 'install' })).toBe(state);
  });
  it('a look by the clock while something is under way, or where the copy does not update itself', () => {
    for (const events of [[check, found, download], ready]) {
      const state = reached(...events);
      expect(nextState(state, byClock)).toBe(state);
    }
    const development = firstState('development', 'notify');
    expect(nextState(development, check)).toBe(development);
  });
  it('whatever comes in whatever order: nothing is installed that was not downloaded and checked', () => {
    const event = fc.oneof(
      ...[
        check,
        byClock,
        found,
        { type: 'none' },
        download,
        progress(30),
        { type: 'downloaded' },
        { type: 'ready' },
      ].map((each) => fc.constant(each as UpdateEvent)),
      fc.constant<UpdateEvent>({ type: 'install' }),
      fc.constant<UpdateEvent>({ type: 'dismiss' }),
      fc.constant<UpdateEvent>({ type: 'restored' }),
      fc.constant<UpdateEvent>({ type: 'fail', code: 'internal' }),
    );
    fc.assert(
      fc.property(fc.array(event, { maxLength: 40 }), (events) => {
        let before = idle;
        for (const each of events) {
          const state = nextState(before, each);
          if (state.status === 'installing' && before.status !== 'installing') {
            expect(before.status).toBe('update-ready');
            expect(state.version).not.toBeNull();
          }
          if (state.status === 'update-ready' && before.status !== 'update-ready') {
            expect(before.status).toBe('update-downloaded');
          }
          before = state;
        }
      }),
      { seed: 7 },
    );
  });
});

describe('a notice that was closed', () => {
  const closed = reached(byClock, found, { type: 'dismiss' });
  it('stays closed when the clock finds the same version again, and comes back for another', () => {
    expect(nextState(nextState(closed, byClock), found).isDismissed).toBe(true);
    const newer: UpdateEvent = { type: 'found', update: { ...update, version: '2.1.0' } };
    expect(nextState(nextState(closed, byClock), newer).isDismissed).toBe(false);
  });
  it('comes back once the update is there', () => {
    const dismiss: UpdateEvent = { type: 'dismiss' };
    expect(reached(check, found, download, dismiss, { type: 'downloaded' }).isDismissed).toBe(true);
    expect(reached(check, found, download, dismiss, { type: 'downloaded' }, { type: 'ready' }).isDismissed).toBe(false);
  });
  it('comes back when the person asks, also for what is ready', () => {
    expect(nextState(nextState(closed, check), found).isDismissed).toBe(false);
    const readyAndClosed = reached(...ready, { type: 'dismiss' });
    expect(nextState(readyAndClosed, byClock)).toBe(readyAndClosed);
    expect(nextState(readyAndClosed, check)).toMatchObject({ status: 'update-ready', isDismissed: false });
  });
});
