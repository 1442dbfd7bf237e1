import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  isAppPath,
  isAppUrl,
  isExternalUrlAllowed,
  isLinkAllowed,
  isPermissionGranted,
  isProxiedPath,
  pagePolicy,
  pathOfLink,
  pathOfPage,
  serverOrigin,
  serviceSource,
} from '../../../src/main/policy.ts';

const HOSTILE = [
  'javascript:alert(1)',
  'data:text/html,<script>alert(1)</script>',
  'file:///etc/passwd',
  'smb://host/share',
  'ms-msdt:/id',
  'vbscript:x',
  'https://user:pass@example.org/',
  'https://example.org/\u0000.exe',
  'https://example.org/\r\nx',
  'http://example.org/',
  'http://127.0.0.1.example.org/',
  'http://localhost.example.org/',
  `https://example.org/${'a'.repeat(65_536)}`,
  'https:\\\\',
  'mailto:a@example.org?attach=/etc/passwd',
  'mailto:a@example.org?subject=x&Attachment=/etc/passwd',
  'mailto:a@example.org?body=x\r\ny',
  'armarium://open/Library',
  'tel:112',
  'search-ms:query=x',
  '',
];

describe('what the system browser may be sent to', () => {
  it.each(HOSTILE)('refuses %j', (url) => {
    expect(isExternalUrlAllowed(url)).toBe(false);
  });
  it('allows https anywhere and http to this machine only', () => {
    expect(isExternalUrlAllowed('https://example.org/sign-in?request=1')).toBe(true);
    expect(isExternalUrlAllowed('http://127.0.0.1:4321/sign-in')).toBe(true);
    expect(isExternalUrlAllowed('http://[::1]:4321/')).toBe(true);
    expect(isExternalUrlAllowed('http://localhost:4321/')).toBe(true);
    expect(isExternalUrlAllowed('mailto:ana@example.org?subject=Lease')).toBe(true);
  });
  it('follows links of pages to the web and to mail, not to servers on this machine', () => {
    expect(isLinkAllowed('https://example.org/')).toBe(true);
    expect(isLinkAllowed('mailto:ana@example.org')).toBe(true);
    for (const url of ['http://127.0.0.1:4321/sign-in', ...HOSTILE]) expect(isLinkAllowed(url)).toBe(false);
  });
  it('never throws, whatever it is given', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => typeof isExternalUrlAllowed(text) === 'boolean'));
  });
});

describe('our own pages', () => {
  it.each(['app://armarium/', 'app://armarium/desktop/main?x#y'])('knows %s', (url) => {
    expect(isAppUrl(url)).toBe(true);
  });
  it.each(['app://evil/', 'app://armarium.evil/', 'app://a@armarium/', 'https://armarium/', 'about:blank', ''])(
    'does not take %j for ours',
    (url) => {
      expect(isAppUrl(url)).toBe(false);
    },
  );
});

describe('servers', () => {
  it('are reached over TLS, or on this machine', () => {
    expect(serverOrigin('https://docs.example.org/some/page')).toBe('https://docs.example.org');
    expect(serverOrigin('http://127.0.0.1:8080')).toBe('http://127.0.0.1:8080');
    expect(serverOrigin('http://docs.example.org')).toBeNull();
    expect(serverOrigin('docs.example.org')).toBeNull();
    expect(serverOrigin('mailto:ana@example.org')).toBeNull();
  });
});

describe('what the page reaches through its own scheme', () => {
  it.each(['/api/v1/libraries/', '/storage/abc', '/auth/v1/status/', '/auth/v1/userinfo/'])('passes %s', (path) => {
    expect(isProxiedPath(path)).toBe(true);
  });
  it.each(['/auth/v1/token/', '/auth/v1/token/refresh/', '/auth/v1/initiate/', '/sign-in', '/desktop/main', '/apix'])(
    'keeps %s for itself',
    (path) => {
      expect(isProxiedPath(path)).toBe(false);
    },
  );
});

describe('permissions', () => {
  it('are granted to our own pages, for the clipboard and full screen', () => {
    expect(isPermissionGranted('fullscreen', 'app://armarium/Library')).toBe(true);
    expect(isPermissionGranted('clipboard-sanitized-write', 'app://armarium/')).toBe(true);
  });
  it.each([
    'media',
    'geolocation',
    'notifications',
    'midi',
    'midiSysex',
    'pointerLock',
    'openExternal',
    'clipboard-read',
    'display-capture',
    'mediaKeySystem',
    'keyboardLock',
    'window-management',
    'hid',
    'serial',
    'usb',
    'fileSystem',
    'idle-detection',
    'storage-access',
    'top-level-storage-access',
    'speaker-selection',
    'local-fonts',
  ])('deny %s', (permission) => expect(isPermissionGranted(permission, 'app://armarium/')).toBe(false));
  it.each(['https://example.org/', 'about:srcdoc', 'file:///etc/passwd', '', undefined])('deny all to %j', (url) => {
    expect(isPermissionGranted('fullscreen', url)).toBe(false);
  });
});

describe('links into the application', () => {
  it.each([
    ['armarium://open/Library/5?find=x', '/Library/5?find=x'],
    ['armarium://open/', '/'],
  ])('%s leads to %s', (link, path) => expect(pathOfLink(link, 'armarium')).toBe(path));
  it.each([
    'armarium://open//evil.example/x',
    'armarium://open/\\\\evil.example',
    'armarium://run/calc',
    'armarium://user@open/Library',
    'armarium:open/Library',
    'https://open/Library',
    `armarium://open/${'a'.repeat(3000)}`,
    '--inspect',
    '',
  ])('%j leads nowhere', (link) => expect(pathOfLink(link, 'armarium')).toBeNull());
  it('never gives a path that leads out, whatever it is given', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const path = pathOfLink(`armarium://open/${text}`, 'armarium');
        return path === null || new URL(path, 'app://armarium/').href.startsWith('app://armarium/');
      }),
    );
  });
  it('remembers only pages of ours', () => {
    expect(pathOfPage('app://armarium/Library/5?find=x#y')).toBe('/Library/5?find=x');
    for (const url of ['about:blank', 'https://example.org/x', 'app://evil/x', '']) expect(pathOfPage(url)).toBeNull();
    expect(isAppPath('//evil.example')).toBe(false);
  });
});

describe('the content policy of the page (desktop-shell.md §7)', () => {
  it('allows code, styles and connections from the application only, and no frames of others', () => {
    for (const rule of [
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self'",
      "connect-src 'self' blob:",
      "object-src 'none'",
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
    ]) {
      expect(pagePolicy([]).split('; ')).toContain(rule);
    }
    expect(pagePolicy([])).not.toMatch(/unsafe|file:|http|\*/u);
  });

  const SERVER = 'https://papers.example';
  it.each([
    ['https://eu.i.posthog.com', 'https://eu.i.posthog.com'],
    ['https://key@o1.ingest.errors.example/1', 'https://o1.ingest.errors.example'],
    ['https://counts.example:8443/in?x=1#y', 'https://counts.example:8443'],
    ['HTTPS://Counts.EXAMPLE/', 'https://counts.example'],
    ['https://zählung.example', 'https://xn--zhlung-bua.example'],
  ])('lets a service at %s be told at %s', (url, source) => {
    expect(serviceSource(url, SERVER)).toBe(source);
  });
  it.each([
    'https://*',
    'https://*.example',
    'https://counts.example;script-src',
    "https://'unsafe-inline'",
    'https://a,b.example',
    'https://counts.example.',
    'https://[::1]/',
    'https://127.0.0.1/',
    'https://localhost/',
    'http://127.0.0.1:9000/',
    'http://counts.example',
    'https://counts.example\n; script-src *',
    'https://counts.example ; script-src *',
    'wss://counts.example',
    'data:,x',
    'blob:https://counts.example/1',
    'file:///etc/passwd',
    'app://armarium',
    '*',
    '',
    `https://${'a'.repeat(65_536)}`,
  ])('does not let %j widen it', (url) => {
    expect(serviceSource(url, SERVER)).toBeNull();
  });
  it('lets a server of this machine name services of this machine', () => {
    expect(serviceSource('http://key@127.0.0.1:9000/1', 'http://127.0.0.1:8420')).toBe('http://127.0.0.1:9000');
    expect(serviceSource('http://counts.example', 'http://127.0.0.1:8420')).toBeNull();
  });
  it('is never widened by more than one host, whatever a server names', () => {
    const host = fc.string({ unit: fc.constantFrom(...'aZ0.-*;,\'"@:/\\ %[]_\u0000\n') });
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: 'binary' }), host), (text) => {
        const source = serviceSource(`https://${text}`, SERVER);
        if (source !== null) expect(source).toMatch(/^https:\/\/[a-z\d][a-z\d.-]*(?::\d+)?$/u);
      }),
    );
  });
});
