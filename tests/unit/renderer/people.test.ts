import { describe, expect, it } from 'vitest';
import { ownsLibrary, roleOn } from '../../../src/renderer/api/roles.ts';
import { readInvited } from '../../../src/renderer/features/members/invited.ts';
import { planLimitOf } from '../../../src/renderer/ui/planLimit.ts';
import { api } from '../../../src/shared/api/index.ts';
import { readResponse } from '../../../src/shared/api/request.ts';
import { AppError } from '../../../src/shared/errors.ts';
import type { Shelf } from '../../../src/shared/model/library.ts';

describe('who is to be invited', () => {
  it.each([
    ['', { members: [], emails: [], invalid: [] }],
    [
      'ana, ben@example.org;Carl the Great\n',
      { members: ['ana', 'Carl the Great'], emails: ['ben@example.org'], invalid: [] },
    ],
    ['ana,ana ,\n ana', { members: ['ana'], emails: [], invalid: [] }],
    ['ben@example', { members: [], emails: [], invalid: ['ben@example'] }],
  ])('of %j', (text, invited) => expect(readInvited(text)).toEqual(invited));
});

describe('a limit of the plan', () => {
  const error = (details: Record<string, string | number>) => new AppError('plan-limit-reached', '', { details });
  it('is read from the error that tells of it', () => {
    expect(planLimitOf(error({ limit: 'max_shelves', max: 2, used: 2 }))).toEqual({
      resource: 'shelves',
      max: 2,
      used: 2,
    });
  });
  it.each([error({ limit: 'max_else', max: 2, used: 2 }), error({}), new AppError('internal', ''), 'no error'])(
    'is not read from %s',
    (other) => expect(planLimitOf(other)).toBeNull(),
  );
});

describe('who owns a library', () => {
  const shelf = (role: 'owner' | 'editor') => ({ members: [{ username: 'ana', role }] }) as unknown as Shelf;
  it.each([
    ['without shelves, whoever sees it', { shelf_count: 0, shelves: [] }, true],
    ['the owner of its shelves', { shelf_count: 1, shelves: [shelf('owner')] }, true],
    ['no member of a shelf', { shelf_count: 1, shelves: [shelf('editor')] }, false],
    ['nobody by what a list leaves out', { shelf_count: 1, shelves: [] }, false],
  ])('%s', (_, library, owns) => expect(ownsLibrary(library, 'ana')).toBe(owns));
  it('is told by the role, where there is one', () => {
    expect(roleOn(shelf('editor'), 'ana')).toBe('editor');
    expect(roleOn(shelf('editor'), 'ben')).toBeNull();
  });
});

it('reads the answer without content that follows the end of an account', () => {
  expect(readResponse(api.account.remove, 204, '')).toBeNull();
});
