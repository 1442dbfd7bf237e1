import { describe, expect, it } from 'vitest';
import { api } from '../../../src/shared/api/index.ts';
import { readOwnResponse, readResponse } from '../../../src/shared/api/request.ts';

const status = api.auth.status;
const refusal = (error: object) => JSON.stringify({ error });

describe.each([
  ['checked by the contract', readResponse],
  ["taken from the page's own server", readOwnResponse],
])('an answer %s', (_, read) => {
  it('is what the server said', () => {
    const nobody = { isAuthenticated: false, user: null };
    expect(read(status, 200, JSON.stringify(nobody))).toEqual(nobody);
    expect(read(api.account.remove, 204, '')).toBeNull();
  });
  it.each([
    ['the error of the server', 404, refusal({ code: 'not-found', message: 'no' }), 'not-found'],
    ['an error with its reference', 500, refusal({ code: 'internal', message: 'no', errorId: 'e1' }), 'internal'],
    ["a proxy's page", 200, '<html>', 'server-unreachable'],
    ['nothing', 200, '', 'server-unreachable'],
    ["a proxy's error", 502, '<html>', 'server-unreachable'],
    ['an error of another product', 404, refusal({ code: 'ENOENT', message: 'no' }), 'server-unreachable'],
    ['details that are none', 409, refusal({ code: 'conflict', message: 'no', details: [{}] }), 'server-unreachable'],
  ])('throws what it was: %s', (_what, code, text, expected) => {
    expect(() => read(status, code, text)).toThrow(expect.objectContaining({ code: expected }));
  });
});

it('an answer that breaks the contract is refused where answers are checked', () => {
  expect(() => readResponse(status, 200, '{}')).toThrow(expect.objectContaining({ code: 'internal' }));
});
