import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { withoutQueries, withoutQueriesIn } from '../../../src/renderer/features/insight/addresses.ts';
import { INSIGHT_SAMPLES } from '../../../src/shared/model/insight.ts';

describe('what services of others are told (web-and-phone.md §9, decisions.md §12)', () => {
  it('samples a fifth of the traces, a tenth of the sessions, and every session with an error', () => {
    expect(INSIGHT_SAMPLES).toEqual({ tracing: 0.2, replay: 0.1, replayOnError: 1 });
  });

  it.each([
    ['https://papers.example/search?q=secret', 'https://papers.example/search'],
    ['/search?q=secret#top', '/search'],
    ['GET /api/v1/search/?q=secret failed', 'GET /api/v1/search/ failed'],
    ['at (https://papers.example/assets/a.js?v=1:2:3)', 'at (https://papers.example/assets/a.js)'],
    ['wss://papers.example/live#token', 'wss://papers.example/live'],
    ['Is it there? No.', 'Is it there? No.'],
    ['either/or?', 'either/or?'],
  ])('%s is told as %s', (given, told) => {
    expect(withoutQueries(given)).toBe(told);
  });

  it('no query is left of any address in any place of a value', () => {
    const word = fc.stringMatching(/^[a-z0-9]{1,12}$/u);
    fc.assert(
      fc.property(fc.webUrl({ withQueryParameters: false, withFragments: false }), word, word, (url, key, value) => {
        const secret = `${value}-kept-to-oneself`;
        const told = withoutQueriesIn({ a: [{ b: `see ${url}?${key}=${secret}` }], c: `${url}#${secret}` });
        expect(JSON.stringify(told)).not.toContain(secret);
        expect(told.c).toBe(url);
      }),
    );
  });
});
