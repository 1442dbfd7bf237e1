import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isPhone, layoutFor, phonePath, plainPath } from '../../../src/shared/rules/phone.ts';

const IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1';
const ANDROID =
  'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36';

describe('who gets the phone layout (web-and-phone.md §2)', () => {
  it.each([
    ['an iPhone', IPHONE],
    ['an Android phone', ANDROID],
    ['Firefox on one', 'Mozilla/5.0 (Android 15; Mobile; rv:140.0) Gecko/140.0 Firefox/140.0'],
  ])('%s', (_name, userAgent) => {
    expect(layoutFor(userAgent, false)).toBe('phone');
    expect(layoutFor(userAgent, true)).toBe('web');
  });
  it.each([
    [
      'a tablet',
      'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36',
    ],
    ['Firefox on a tablet', 'Mozilla/5.0 (Android 15; Tablet; rv:140.0) Gecko/140.0 Firefox/140.0'],
    [
      'an iPad',
      'Mozilla/5.0 (iPad; CPU OS 18_5 like Mac OS X) AppleWebKit/605.1.15 Version/18.5 Mobile/15E148 Safari/604.1',
    ],
    ['a Mac', 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 Version/18.5 Safari/605.1.15'],
    ['a program', ''],
  ])('not %s', (_name, userAgent) => {
    expect(isPhone(userAgent)).toBe(false);
    expect(layoutFor(userAgent, false)).toBe('web');
  });
});

describe('addresses of the phone layout (web-and-phone.md §2)', () => {
  it.each([
    ['/Monastery', '/m/Monastery'],
    ['/Monastery/3f0c?tab=comments', '/m/Monastery/3f0c?tab=comments'],
    ['/search?q=/m/', '/m/search?q=/m/'],
    ['/shared/token', '/m/shared/token'],
    ['/terms#top', '/m/terms#top'],
    ['/mm', '/m/mm'],
    ['/', '/'],
    ['/?source=client', '/?source=client'],
    ['/callback?code=1', '/callback?code=1'],
    ['/accounts/google/callback/', '/accounts/google/callback/'],
    ['/redirect', '/redirect'],
    ['/expired', '/expired'],
    ['/download', '/download'],
  ])('%s is %s', (path, address) => expect(phonePath(path)).toBe(address));
  it('lead back to the path', () => {
    expect(plainPath('/m')).toBe('/');
    expect(plainPath('/mm/x')).toBe('/mm/x');
    fc.assert(
      fc.property(fc.array(fc.webPath(), { maxLength: 3 }), (parts) => {
        const path = `/${parts.join('').replace(/^\/+/u, '')}`;
        fc.pre(!/^\/m(?:\/|$)/u.test(path));
        expect(plainPath(phonePath(path))).toBe(path);
        // Whoever has the address already keeps it.
        expect(phonePath(phonePath(path))).toBe(phonePath(path));
      }),
    );
  });
});
