import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { api } from '../../../src/shared/api/index.ts';
import { PlanType } from '../../../src/shared/model/common.ts';
import { ChangeCode } from '../../../src/shared/model/library.ts';
import { NOTIFICATION_TYPES } from '../../../src/shared/model/notification.ts';
import { LAYERS, LIMITS, PLAN_LIMITS } from '../../../src/shared/rules/limits.ts';

const TOKENS = readFileSync(join(import.meta.dirname, '../../../src/renderer/ui/tokens.css'), 'utf8');

describe('timeouts (web-and-phone.md §9)', () => {
  it('10 s default, 60 s long', () => {
    expect([LIMITS.requestTimeoutMs, LIMITS.longRequestTimeoutMs]).toEqual([10_000, 60_000]);
  });
});

describe('plan types 0, 1, 2, 99 (web-and-phone.md §9)', () => {
  it.each([0, 1, 2, 99])('%d has limits', (type) => {
    expect(PLAN_LIMITS[PlanType.parse(type)]).toHaveProperty('max_shelves');
  });
  it.each([3, -1, '0'])('%j is none', (type) => expect(PlanType.safeParse(type).success).toBe(false));
});

describe('list defaults (web-and-phone.md §9)', () => {
  it.each([
    ['notifications', api.notifications.list.query, { page: 1, limit: 10 }],
    ['service notices', api.notices.list.query, { page: 1, page_size: 20 }],
    ['deleted documents', api.trash.list.query, { page: 1, page_size: 10 }],
  ])('%s', (_list, query, defaults) => expect(query.parse({})).toMatchObject(defaults));
});

describe('gesture defaults (desktop-shell.md §9)', () => {
  it('tap 250 ms, double tap 300 ms, press 251 ms, swipe velocity 0.3, pan 10 px', () => {
    const { tapMs, doubleTapMs, pressMs, swipeVelocity, panPx } = LIMITS;
    expect([tapMs, doubleTapMs, pressMs, swipeVelocity, panPx]).toEqual([250, 300, 251, 0.3, 10]);
  });
});

describe('notification types (web-and-phone.md §9)', () => {
  it('are these 18', () => {
    const rows = `LIBRARY_DELETE LIBRARY_ARCHIVE LIBRARY_UNARCHIVE LIBRARY_RENAME SHELF_DELETE SHELF_ARCHIVE
      SHELF_UNARCHIVE SHELF_RENAME DOC_UPLOAD DOC_DELETE DOC_RESTORE DOC_VERSION DOC_RENAME SHARE_LINK_CREATE
      SHELF_INVITE SHELF_INVITE_ACCEPTED SHELF_INVITE_DECLINED SHELF_COMMENT_ADD`;
    expect(NOTIFICATION_TYPES).toEqual(rows.split(/\s+/u));
  });
});

describe('truncation and toasts (web-and-phone.md §9)', () => {
  it('web user info 10 characters, default 45, toasts 3000 ms, phone search 20 characters', () => {
    expect(LIMITS).toMatchObject({
      truncateBarUser: 10,
      truncateDefault: 45,
      toastMs: 3000,
      phoneSearchMaxLength: 20,
    });
  });
});

describe('layer priorities (web-and-phone.md §9)', () => {
  it('are these eight', () => {
    expect(LAYERS).toEqual({
      notification: 1000,
      modal: 900,
      searchOverlay: 890,
      overlay: 800,
      sidebar: 700,
      dropdown: 500,
      tooltip: 400,
      viewer: 300,
    });
  });
  it.each(Object.entries(LAYERS))('the style sheet has %s at %d', (name, layer) => {
    const token = name === 'searchOverlay' ? 'search' : name;
    expect(TOKENS).toContain(`--layer-${token}: ${layer};`);
  });
});

describe('document change status codes (web-and-phone.md §4)', () => {
  it('added, modified, deleted, unchanged, conflicted, untracked, tracked', () => {
    expect(ChangeCode.options).toEqual(['A', 'M', 'D', 'UC', 'C', 'U', 'T']);
  });
});
