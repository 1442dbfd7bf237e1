import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decideRoute } from '../../../src/renderer/app/guards.ts';
import {
  DASHBOARD_CHILDREN,
  matchRoute,
  paths,
  STATIC_PAGES,
  safeReturnPath,
  shareSearch,
  shareTargetOf,
} from '../../../src/renderer/app/routes.ts';
import type { User } from '../../../src/shared/model/user.ts';
import { nameProblem, RESERVED_NAMES } from '../../../src/shared/rules/names.ts';

const ID = '3f0c6a52-8f0c-4d0e-9a54-0d6f5f3c2b1a';

describe('routes (web-and-phone.md §2)', () => {
  it.each([
    ['/', 'home'],
    ['/callback', 'callback'],
    ['/accounts/google/callback/', 'callback'],
    ['/accounts/microsoft/callback/', 'callback'],
    ['/accounts/apple/callback/', 'callback'],
    ['/accounts/other/callback/', 'not-found'],
    ['/redirect', 'redirect'],
    ...STATIC_PAGES.flatMap((page) => [
      [`/${page}`, 'page'],
      [`/m/${page}`, 'page'],
      [`/${page}/more`, 'not-found'],
    ]),
    ['/expired', 'expired'],
    ['/search', 'search'],
    ['/settings', 'settings'],
    ['/favorites', 'favorites'],
    ['/trash', 'trash'],
    ['/trash/more', 'not-found'],
    ['/plans', 'plans'],
    ['/billing', 'billing'],
    ['/Monastery', 'library'],
    [`/Monastery/${ID}`, 'shelf'],
    ['/Monastery/settings', 'library-settings'],
    ['/Monastery/settings/more', 'not-found'],
    [`/Monastery/${ID}/settings`, 'shelf-settings'],
    [`/Monastery/${ID}/upload`, 'upload'],
    [`/Monastery/${ID}/upload/more`, 'not-found'],
    [`/Monastery/${ID}/commits`, 'commits'],
    [`/Monastery/${ID}/version/${ID}`, 'version'],
    [`/Monastery/${ID}/share`, 'share'],
    [`/Monastery/${ID}/share/stat`, 'share-statistics'],
    [`/Monastery/${ID}/share/stat/${ID}`, 'share-statistics'],
    [`/Monastery/${ID}/share/other`, 'not-found'],
    ['/shared/token', 'shared'],
    ['/m/shared/token', 'shared'],
    ['/shared/token/password-required', 'shared-locked'],
    ['/shared/expired', 'shared-closed'],
    ['/shared/not-found', 'shared-closed'],
    ['/shared', 'not-found'],
    ['/desktop/home', 'desktop-home'],
    ['/desktop/main', 'desktop-main'],
    ['/desktop/settings', 'desktop-settings'],
    ['/dashboard', 'dashboard'],
    ['/dashboard/users', 'dashboard'],
    ['/a/b/c/d/e', 'not-found'],
    ['/Monastery/word', 'not-found'],
    ['/Monastery/word/upload', 'not-found'],
    [`/Monastery/${ID}/version/word`, 'not-found'],
    [`/Monastery/${ID}/share/stat/word`, 'not-found'],
    [`/search/${ID}`, 'not-found'],
    ['/settings/more', 'not-found'],
    ['/Dashboard', 'not-found'],
    ['/%E0%A4%A', 'not-found'],
  ])('%s is %s', (path, name) => expect(matchRoute(path).name).toBe(name));

  it('finds every library under the address that it builds, whatever its name', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 30 }), (library) => {
        fc.pre(library.isWellFormed() && nameProblem(library) === null);
        expect(matchRoute(paths.library(library))).toEqual({ name: 'library', library });
        expect(matchRoute(paths.shelf(library, ID))).toEqual({ name: 'shelf', library, shelfId: ID });
      }),
    );
  });

  it('takes no reserved name for a library', () => {
    for (const name of RESERVED_NAMES) expect(matchRoute(`/${name}`).name).not.toBe('library');
  });

  it('names the pages of the dashboard, each with an address of its own', () => {
    expect(matchRoute('/dashboard')).toEqual({ name: 'dashboard', child: '' });
    for (const child of DASHBOARD_CHILDREN) {
      expect(matchRoute(paths.dashboard(child))).toEqual({ name: 'dashboard', child });
    }
    expect(paths.dashboard('shelves', { library: 'A & B' })).toBe('/dashboard/shelves?library=A+%26+B');
  });

  it('carries what was searched to the document', () => {
    expect(paths.version('L', ID, ID, { text: 'a & b', line: 3 })).toBe(`/L/${ID}/version/${ID}?find=a+%26+b&line=3`);
    expect(paths.version('L', ID, ID, { text: '', line: null })).toBe(`/L/${ID}/version/${ID}`);
  });

  it.each([
    { kind: 'shelf', id: '' },
    { kind: 'document', id: ID },
    { kind: 'version', id: ID },
  ] as const)('carries that $kind is to be shared, beside what else an address asks for', (target) => {
    const search = shareSearch('?tab=comments', target);
    expect(search).toContain('tab=comments');
    expect(shareTargetOf(search)).toEqual(target);
  });
  it('shares nothing that an address does not name', () => expect(shareTargetOf('?share=all')).toBeNull());

  it.each(['//evil.example', 'https://evil.example', '/\\evil.example', 'javascript:alert(1)', '', '/a\nb', null])(
    'never goes back to %j',
    (target) => expect(safeReturnPath(target)).toBeNull(),
  );
  it('goes back to a path of its own', () => expect(safeReturnPath('/L/1?find=x#y')).toBe('/L/1?find=x#y'));
});

const user: User = {
  user_id: ID,
  email: 'ada@example.org',
  username: 'ada',
  name: 'Ada',
  user_image: null,
  email_verified: true,
  mail_digest: false,
  plan_type: 0,
  user_type: 1,
  default_library: 'Monastery',
  has_default_library: true,
  max_libraries: 3,
  max_shelves: 20,
  max_documents: 2000,
};

function decide(path: string, who: User | null, hasShell = false, currentLibrary: string | null = 'Monastery') {
  return decideRoute({ route: matchRoute(path), address: path, user: who, hasShell, currentLibrary });
}

describe('route guards (web-and-phone.md §2)', () => {
  it('sends / to the home of the desktop in the shell', () => {
    for (const who of [user, null]) expect(decide('/', who, true)).toEqual({ kind: 'redirect', to: '/desktop/home' });
  });

  it('sends a guest from a page that needs a login to the start, and remembers the page', () => {
    expect(decide('/Monastery', null)).toEqual({ kind: 'redirect', to: '/', remember: '/Monastery' });
    expect(decide('/Monastery', null, true)).toEqual({ kind: 'redirect', to: '/desktop/home', remember: '/Monastery' });
  });

  it('sends a signed-in person from a page for guests to their library, or to the main page of the desktop', () => {
    expect(decide('/', user)).toEqual({ kind: 'redirect', to: '/Monastery' });
    expect(decide('/desktop/home', user, true)).toEqual({ kind: 'redirect', to: '/desktop/main' });
  });

  it('signs out who has no current library', () => {
    expect(decide('/', user, false, null)).toEqual({ kind: 'sign-out' });
  });

  it('has the sign-up completed first, wherever the way leads', () => {
    const fresh = { ...user, username: '', has_default_library: false, default_library: null };
    for (const path of ['/', '/Monastery', '/search']) expect(decide(path, fresh)).toEqual({ kind: 'complete-signup' });
    expect(decide('/callback', fresh)).toEqual({ kind: 'show' });
  });

  it('asks who has no library for one at the start, and leaves others’ shelves in reach', () => {
    const guest = { ...user, has_default_library: false, default_library: null };
    expect(decide('/', guest, false, null)).toEqual({ kind: 'first-library' });
    expect(decide('/', guest, false, 'Monastery')).toEqual({ kind: 'redirect', to: '/Monastery' });
    for (const path of ['/settings', `/Monastery/${ID}`]) {
      expect(decide(path, guest, false, null)).toEqual({ kind: 'show' });
    }
  });

  it('shows the dashboard to administrators only, the overview first', () => {
    const admin = { ...user, user_type: 0 };
    expect(decide('/dashboard', admin)).toEqual({ kind: 'redirect', to: '/dashboard/overview' });
    for (const path of [...DASHBOARD_CHILDREN.map((child) => `/dashboard/${child}`), '/dashboard/nothing']) {
      expect(decide(path, admin)).toEqual({ kind: 'show' });
      expect(decide(path, user)).toEqual({ kind: 'redirect', to: '/' });
      expect(decide(path, null)).toEqual({ kind: 'redirect', to: '/', remember: path });
    }
    expect(decide('/dashboard', user)).toEqual({ kind: 'redirect', to: '/' });
    expect(decide('/dashboard/users', { ...admin, username: '' })).toEqual({ kind: 'complete-signup' });
  });

  it('completes the sign-in of a desktop: asked about, with a library first, by guests on the sign-in page', () => {
    const from = (who: User | null, query: string, hasShell = false) =>
      decideRoute({ route: { name: 'home' }, address: `/${query}`, user: who, hasShell, currentLibrary: 'Monastery' });
    const sent = '?source=client&request=r%2F1';
    expect(from(user, sent)).toEqual({ kind: 'desktop-sign-in', request: 'r/1' });
    expect(from({ ...user, has_default_library: false }, sent)).toEqual({ kind: 'first-library' });
    expect(from({ ...user, username: '' }, sent)).toEqual({ kind: 'complete-signup' });
    expect(from(null, sent)).toEqual({ kind: 'sign-in-page', to: '/sign-in?request=r%2F1' });
    for (const query of ['?source=client', '?source=web&request=r', '?request=r']) {
      expect(from(user, query)).toEqual({ kind: 'redirect', to: '/Monastery' });
      expect(from(null, query)).toEqual({ kind: 'show' });
    }
    expect(from(user, sent, true)).toEqual({ kind: 'redirect', to: '/desktop/home' });
  });

  it('shows public pages to anyone and desktop pages in the shell only', () => {
    for (const who of [user, null]) expect(decide('/callback', who)).toEqual({ kind: 'show' });
    expect(decide('/desktop/main', user)).toEqual({ kind: 'redirect', to: '/' });
    expect(decide('/desktop/main', user, true)).toEqual({ kind: 'show' });
  });
});
