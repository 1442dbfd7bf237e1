import { afterEach, describe, expect, it, vi } from 'vitest';
import { createQueryClient, queryKeys } from '../../../src/renderer/api/queries.ts';
import { AppError } from '../../../src/shared/errors.ts';

afterEach(() => vi.restoreAllMocks());

describe('fetches that fail (web-and-phone.md §8)', () => {
  it.each([
    ['library list', queryKeys.libraries, 'libraries: internal'],
    ['notification', queryKeys.notificationList, 'notifications: internal'],
    ['notice', queryKeys.serviceNotices, 'service notices: internal'],
  ])('%s: logged, without what was asked', async (_name, queryKey, line) => {
    const warn = vi.spyOn(console, 'warn').mockReturnValue(undefined);
    const queryFn = () => Promise.reject(new AppError('internal', 'with a secret'));
    await expect(createQueryClient().fetchQuery({ queryKey, queryFn })).rejects.toThrow();
    expect(warn.mock.calls).toEqual([[line]]);
  });
  it('leaves out what was given up', async () => {
    const warn = vi.spyOn(console, 'warn').mockReturnValue(undefined);
    const queryFn = () => Promise.reject(new AppError('cancelled', 'gone'));
    await expect(createQueryClient().fetchQuery({ queryKey: ['x'], queryFn })).rejects.toThrow();
    expect(warn).not.toHaveBeenCalled();
  });
});
