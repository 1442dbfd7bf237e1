import { describe, expect, it, vi } from 'vitest';
import type { ApiClient } from '../../../src/renderer/api/client.ts';
import { createSessionStore } from '../../../src/renderer/app/sessionStore.ts';
import { AppError } from '../../../src/shared/errors.ts';
import type { User } from '../../../src/shared/model/user.ts';

const user = { username: 'ada', default_library: 'Monastery', has_default_library: true } as User;

function memory(entries: Record<string, string> = {}) {
  const kept = new Map(Object.entries(entries));
  return {
    kept,
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  };
}

/** A session whose status calls are answered in turn. */
function setup(
  statuses: readonly (User | null | AppError)[],
  kept: Record<string, string> = {},
  resumes = true,
  recall?: () => Promise<User | null>,
  tabStore = memory(),
) {
  const queue = [...statuses];
  const resume = vi.fn(() => Promise.resolve(resumes));
  const client = {
    resume,
    call: () => {
      const next = queue.shift();
      return next instanceof AppError
        ? Promise.reject(next)
        : Promise.resolve({ isAuthenticated: next !== null && next !== undefined, user: next ?? null });
    },
  } as unknown as ApiClient;
  const signOut = vi.fn(() => Promise.resolve());
  const onSignedOut = vi.fn();
  const localStore = memory(kept);
  const store = createSessionStore({
    client,
    session: { signIn: () => Promise.resolve(), signOut, shell: null },
    localStore,
    tabStore,
    onSignedOut,
    ...(recall === undefined ? {} : { recall }),
  });
  return { store, resume, signOut, onSignedOut, localStore, state: () => store.getState() };
}

describe('the session (web-and-phone.md §4, §8)', () => {
  it('knows who is signed in, and their library', async () => {
    const { state, localStore } = setup([user]);
    await state().check();
    expect(state()).toMatchObject({ status: 'signed-in', user });
    expect(state().currentLibrary()).toBe('Monastery');
    expect(localStore.kept.get('session.currentLibrary')).toBe('Monastery');
  });

  it('goes on with the session of an earlier visit, and asks no guest for one', async () => {
    const returning = setup([null, user], { 'session.signedIn': '1' });
    await returning.state().check();
    expect(returning.state().status).toBe('signed-in');
    const guest = setup([null]);
    await guest.state().check();
    expect(guest.state().status).toBe('guest');
    expect(guest.resume).not.toHaveBeenCalled();
  });

  it('is unauthenticated when the status fetch fails', async () => {
    const { state } = setup([user, new AppError('internal', 'x')]);
    await state().check();
    await state().check();
    expect(state()).toMatchObject({ status: 'guest', user: null });
  });

  it('does not take a server out of reach for a guest', async () => {
    const { state, localStore } = setup([new AppError('server-unreachable', 'x')], { 'session.signedIn': '1' });
    await state().check();
    expect(state().status).toBe('unreachable');
    expect(localStore.kept.has('session.signedIn')).toBe(true);
  });

  it('goes on with whoever was here last while the server is out of reach, until it says otherwise (field.md row 66)', async () => {
    const away = new AppError('server-unreachable', 'x');
    const recall = vi.fn(() => Promise.resolve(user));
    const { state, onSignedOut } = setup([away, away, null], { 'session.signedIn': '1' }, false, recall);
    await state().check();
    expect(state()).toMatchObject({ status: 'signed-in', user, recalled: true });
    await state().check();
    expect(state()).toMatchObject({ status: 'signed-in', recalled: true });
    expect(onSignedOut).not.toHaveBeenCalled();
    await state().check();
    expect(state()).toMatchObject({ status: 'guest', user: null, recalled: false });
    expect(onSignedOut).toHaveBeenCalledOnce();
  });

  it('recalls nobody where nobody was signed in, or nothing was kept', async () => {
    const away = new AppError('timed-out', 'x');
    const recall = vi.fn(() => Promise.resolve(user));
    const stranger = setup([away], {}, true, recall);
    await stranger.state().check();
    expect(stranger.state().status).toBe('unreachable');
    expect(recall).not.toHaveBeenCalled();
    const empty = setup([away], { 'session.signedIn': '1' }, true, () => Promise.resolve(null));
    await empty.state().check();
    expect(empty.state().status).toBe('unreachable');
  });

  it('keeps the auth state and the current shelf in the tab, over a reload, until nobody is signed in (§3)', async () => {
    const tab = memory();
    const before = setup([user], {}, true, undefined, tab);
    await before.state().check();
    before.state().rememberShelf('Charters');
    const known = { ...user, user_id: 'ada' };
    before.state().setUser(known);
    expect(JSON.parse(tab.kept.get('session.auth') ?? '')).toEqual({ isAuthenticated: true, user: known });
    expect(tab.kept.get('session.currentShelf')).toBe('Charters');
    const after = setup([null], {}, true, undefined, tab);
    expect(after.state()).toMatchObject({ status: 'unknown', user: known });
    await after.state().check();
    expect(after.state()).toMatchObject({ status: 'guest', user: null });
    expect([...tab.kept.keys()]).toEqual([]);
  });

  it.each(['', '{', 'null', '{"isAuthenticated":true}', '{"isAuthenticated":false,"user":{"user_id":"ada"}}'])(
    'takes %j in the tab for nobody',
    (kept) => expect(setup([], {}, true, undefined, memory({ 'session.auth': kept })).state().user).toBeNull(),
  );

  it('asks the server to revoke on logout, and on error still logs out locally', async () => {
    const { state, signOut, onSignedOut, localStore } = setup([user]);
    await state().check();
    signOut.mockRejectedValue(new AppError('server-unreachable', 'x'));
    await state().signOut();
    expect(state()).toMatchObject({ status: 'guest', user: null, ended: 'by-choice' });
    expect(onSignedOut).toHaveBeenCalled();
    expect([...localStore.kept.keys()]).toEqual([]);
  });

  it('is unauthenticated after an exchange that failed, in this tab alone', async () => {
    const { state, onSignedOut, localStore } = setup([user, user]);
    await state().check();
    state().exchangeFailed();
    expect(state()).toMatchObject({ status: 'guest', user: null });
    expect(onSignedOut).toHaveBeenCalledOnce();
    expect(localStore.kept.get('session.signedIn')).toBe('1');
  });

  it('follows what is done in another tab', async () => {
    const other = { ...user, user_id: 'other' };
    const { state, signOut, onSignedOut } = setup([user, other, other]);
    await state().check();
    state().changedElsewhere(false);
    expect(state()).toMatchObject({ status: 'guest', ended: 'by-choice' });
    expect(signOut).not.toHaveBeenCalled();
    state().changedElsewhere(true);
    await vi.waitFor(() => expect(state()).toMatchObject({ status: 'signed-in', user: other }));
    expect(onSignedOut).toHaveBeenCalledTimes(1);
  });

  it('keeps nothing of one person for the next', async () => {
    const { state, onSignedOut } = setup([user, { ...user, user_id: 'other' }]);
    await state().check();
    await state().check();
    expect(onSignedOut).toHaveBeenCalledTimes(1);
  });

  it('shows the expired dialog to whom was signed in, and logs out silently on Confirm', async () => {
    const { state } = setup([user]);
    state().markExpired();
    expect(state().expired).toBe(false);
    await state().check();
    state().markExpired();
    expect(state().expired).toBe(true);
    state().confirmExpired();
    await vi.waitFor(() => expect(state()).toMatchObject({ status: 'guest', expired: false, ended: 'expired' }));
  });

  it('logs out at once, without the dialog, when a refresh was refused for another reason', async () => {
    const { state, signOut } = setup([user]);
    state().loseSession();
    await state().check();
    for (let refusals = 0; refusals < 20; refusals += 1) state().loseSession();
    await vi.waitFor(() => expect(state()).toMatchObject({ status: 'guest', expired: false, ended: 'expired' }));
    expect(signOut).toHaveBeenCalledOnce();
  });

  it('tells a session that the shell lost from one that was signed out', async () => {
    const { state, signOut } = setup([user]);
    await state().check();
    state().shellSignedOut();
    expect(state().expired).toBe(true);
    const other = setup([user]);
    await other.state().check();
    other.signOut.mockImplementation(() => {
      other.state().shellSignedOut();
      return Promise.resolve();
    });
    await other.state().signOut();
    expect(other.state()).toMatchObject({ status: 'guest', expired: false });
    expect(signOut).not.toHaveBeenCalled();
  });

  it('gives the remembered address out once', () => {
    const { state } = setup([]);
    state().rememberReturn('/Monastery');
    expect(state().takeReturn()).toBe('/Monastery');
    expect(state().takeReturn()).toBeNull();
  });
});
