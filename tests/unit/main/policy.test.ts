import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isAppUrl, isExternalUrlAllowed, isProxiedPath, serverOrigin } from '../../../src/main/policy.ts';

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
