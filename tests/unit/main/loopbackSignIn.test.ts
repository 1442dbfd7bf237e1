import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createPkce, openLoopback } from '../../../src/main/loopbackSignIn.ts';

describe('PKCE', () => {
  it('makes verifiers of 32 random bytes and their S256 challenge', () => {
    const pairs = Array.from({ length: 1000 }, createPkce);
    expect(new Set(pairs.map((pair) => pair.verifier)).size).toBe(1000);
    for (const { verifier, challenge } of pairs) {
      expect(verifier).toMatch(/^[\w-]{43}$/u);
      expect(Buffer.from(verifier, 'base64url')).toHaveLength(32);
      expect(challenge).toBe(createHash('sha256').update(verifier).digest('base64url'));
    }
  });
});

describe('the loopback redirect', () => {
  it('takes code and state on a free port of this machine', async () => {
    const loopback = await openLoopback();
    expect(loopback.redirectUri).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/callback$/u);
    const response = await fetch(`${loopback.redirectUri}?code=c&state=s`);
    expect(response.status).toBe(200);
    expect(await loopback.redirected).toEqual({ code: 'c', state: 's' });
    loopback.close();
    await expect(fetch(loopback.redirectUri)).rejects.toThrow();
  });
  it('answers other paths without ending the wait', async () => {
    const loopback = await openLoopback();
    const origin = new URL(loopback.redirectUri).origin;
    expect((await fetch(`${origin}/favicon.ico`)).status).toBe(404);
    expect((await fetch(`${loopback.redirectUri}?code=c&state=s`, { method: 'POST' })).status).toBe(404);
    await fetch(`${loopback.redirectUri}?code=1&state=2`);
    expect(await loopback.redirected).toEqual({ code: '1', state: '2' });
    loopback.close();
  });
  it('fails when the server sent an error, and when the person gives up', async () => {
    const refused = await openLoopback();
    expect((await fetch(`${refused.redirectUri}?error=access_denied`)).status).toBe(400);
    await expect(refused.redirected).rejects.toMatchObject({ code: 'sign-in-failed', message: 'access_denied' });
    refused.close();
    const cancelled = await openLoopback();
    cancelled.cancel();
    await expect(cancelled.redirected).rejects.toMatchObject({ code: 'cancelled' });
  });
});
