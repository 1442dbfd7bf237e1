import { execFileSync } from 'node:child_process';
import { createHmac, randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setDefaultCACertificates } from 'node:tls';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { isPublicAddress } from '../../../src/server/sharing/publicAddress.ts';
import { networkOf } from '../../../src/server/sharing/visitor.ts';
import { createWebhookSender, post, webhookProblem, webhookSecret } from '../../../src/server/sharing/webhookSender.ts';
import type { WireError } from '../../../src/shared/errors.ts';
import type { ShareEnd, ShareLink } from '../../../src/shared/model/shareLink.ts';
import { type Person, type Sharing, startSharing } from '../../helpers/sharing.ts';

let sharing: Sharing;
let shelf = '';
let document = { id: '', versions: [''] };
beforeAll(async () => {
  sharing = await startSharing();
});
beforeEach(async () => {
  shelf = await sharing.addShelf();
  document = await sharing.addDocument(shelf, 'lease.txt', ['first lease', 'second lease']);
});
afterAll(() => sharing.close());

const HOUR = 3600_000;
const toDocument = () => ({ kind: 'document', document_id: document.id });
const change = (by: Person, link: ShareLink, body: unknown) =>
  by.send(`${sharing.linksPath(shelf)}${link.id}/`, { method: 'PATCH', body });
const revoke = (by: Person, link: ShareLink) => by.send(`${sharing.linksPath(shelf)}${link.id}/`, { method: 'DELETE' });
const contentOf = (link: { path: string }, id = document.id) => `${link.path}documents/${id}/content`;
const textOf = (link: { path: string }, id = document.id) => `${link.path}documents/${id}/text`;
const unlock = (by: Person, link: { path: string }, body: unknown) =>
  by.send(`${link.path}unlock/`, { method: 'POST', body });
const audited = async (linkId: string) =>
  (await sharing.database.selectFrom('audit_log').select('action').where('target_id', '=', linkId).execute()).map(
    ({ action }) => action,
  );

describe('making links', () => {
  it('is told to the members, audited, and listed again with its address', async () => {
    const { ana, ben, cid } = sharing;
    const link = await sharing.share(ben, shelf, { ...toDocument(), label: ' For the bank ', password: 'open sesame' });
    expect(link).toMatchObject({ label: 'For the bank', has_password: true, state: 'active', may_manage: true });
    expect(link.url).toMatch(/^https:\/\/armarium\.example\/shared\/[\w-]{43}$/u);
    const stored = await sharing.database.selectFrom('share_links').selectAll().executeTakeFirstOrThrow();
    expect(JSON.stringify(stored)).not.toContain(link.url.split('/').at(-1));
    expect(JSON.stringify(stored)).not.toContain('open sesame');
    const { links } = (await ana.send(sharing.linksPath(shelf))).body as { links: ShareLink[] };
    expect(links.map(({ url }) => url)).toEqual([link.url]);
    expect(await audited(link.id)).toEqual(['share-link.create']);
    const told = await sharing.database
      .selectFrom('notifications')
      .select(['user_id', 'notification_type'])
      .where('target_id', '=', link.id)
      .execute();
    expect(told.map(({ user_id }) => user_id).sort()).toEqual([ana.userId, cid.userId].sort());
    expect(told[0]?.notification_type).toBe('SHARE_LINK_CREATE');
  });

  it.each([
    ['nobody', () => sharing.person(), 'unauthenticated'],
    ['a stranger', () => sharing.eve, 'not-found'],
    ['a viewer', () => sharing.cid, 'forbidden'],
  ] as const)('is not for %s, nor is seeing them', async (_who, who, code) => {
    const link = await sharing.share(sharing.ana, shelf, { kind: 'shelf' });
    const path = sharing.linksPath(shelf);
    const answers = [
      await who().send(path),
      await who().send(path, { method: 'POST', body: { kind: 'shelf' } }),
      await change(who(), link, { label: 'x' }),
      await revoke(who(), link),
      await who().send(`${path}stat/`),
      await who().send(`${path}${link.id}/stat/`),
      await who().send(`${path}${link.id}/stat.csv`),
    ];
    expect(answers.map((answer) => answer.code)).toEqual(answers.map(() => code));
  });

  it.each([
    ['another creator', { kind: 'shelf', created_by: randomUUID() }],
    ['a token of its own', { kind: 'shelf', token_hash: 'x' }],
    ['views that nobody had', { kind: 'shelf', view_count: -5 }],
    ['no document', { kind: 'document' }],
    ['an expiry in the past', { kind: 'shelf', expires_at: '2020-01-01T00:00:00Z' }],
    ['no views at all', { kind: 'shelf', max_views: 0 }],
    ['a short password', { kind: 'shelf', password: 'short' }],
    ['what is no address', { kind: 'shelf', allowed_emails: ['@'] }],
    ['a webhook without TLS', { kind: 'shelf', webhook_url: 'http://example.org/' }],
    ['a webhook inside', { kind: 'shelf', webhook_url: 'https://169.254.169.254/' }],
  ])('refuses %s', async (_what, body) => {
    const answer = await sharing.ana.send(sharing.linksPath(shelf), { method: 'POST', body });
    expect(answer.code).toBe('bad-request');
  });

  it('refuses documents of other shelves, and those in the trash', async () => {
    const other = await sharing.addDocument(await sharing.addShelf(), 'other.txt', ['other']);
    await sharing.database.updateTable('documents').set({ deleted: 1 }).where('id', '=', document.id).execute();
    for (const body of [
      { kind: 'document', document_id: other.id },
      { kind: 'version', version_id: other.versions[0] },
      toDocument(),
    ]) {
      const answer = await sharing.ana.send(sharing.linksPath(shelf), { method: 'POST', body });
      expect(answer.code).toBe('not-found');
    }
  });

  it('is done once for one idempotency key', async () => {
    const request = {
      method: 'POST',
      body: { kind: 'shelf' },
      headers: { 'idempotency-key': randomUUID() },
    } as const;
    const [first, second] = [
      await sharing.ana.send(sharing.linksPath(shelf), request),
      await sharing.ana.send(sharing.linksPath(shelf), request),
    ];
    expect((second.body as ShareLink).id).toBe((first.body as ShareLink).id);
  });

  it('lets editors change their own links, and the owner all', async () => {
    const { ana, ben } = sharing;
    const [own, hers] = [
      await sharing.share(ben, shelf, { kind: 'shelf' }),
      await sharing.share(ana, shelf, { kind: 'shelf', webhook_url: 'https://hooks.example.org/secret' }),
    ];
    expect((await change(ben, own, { label: 'b' })).body).toMatchObject({ label: 'b' });
    expect((await change(ana, own, { label: 'a' })).body).toMatchObject({ label: 'a' });
    for (const answer of [await change(ben, hers, { label: 'b' }), await revoke(ben, hers)]) {
      expect(answer.code).toBe('forbidden');
    }
    const list = await ben.send(sharing.linksPath(shelf));
    expect(list.text).not.toContain('hooks.example.org');
    expect((await change(ana, { ...own, id: randomUUID() }, { label: 'a' })).code).toBe('not-found');
  });

  it('makes no link on an archived shelf; those that are there read on, and can be closed', async () => {
    const link = await sharing.share(sharing.ana, shelf, toDocument());
    await sharing.database.updateTable('shelves').set({ archived: 1 }).where('id', '=', shelf).execute();
    const made = await sharing.ana.send(sharing.linksPath(shelf), { method: 'POST', body: { kind: 'shelf' } });
    expect(made.code).toBe('archived');
    expect((await change(sharing.ana, link, { label: 'x' })).code).toBe('archived');
    expect((await sharing.person().send(contentOf(link))).text).toBe('second lease');
    expect((await revoke(sharing.ana, link)).body).toMatchObject({ state: 'revoked' });
  });
});

describe('what a link leads to', () => {
  it('is the shelf as it is, a document in its newest version, or one version for ever', async () => {
    const { ana } = sharing;
    const all = await sharing.share(ana, shelf, { kind: 'shelf', label: 'All' });
    const newest = await sharing.share(ana, shelf, toDocument());
    const fixed = await sharing.share(ana, shelf, { kind: 'version', version_id: document.versions[1] });
    await sharing.addVersion(
      { id: document.id, name: 'lease.txt', mime: 'text/plain', number: 3 },
      Buffer.from('third'),
    );
    const second = await sharing.addDocument(shelf, 'notes.txt', ['notes']);
    const guest = sharing.person();
    expect((await guest.send(all.path)).body).toMatchObject({
      state: 'open',
      kind: 'shelf',
      label: 'All',
      library: 'Atlas',
      shelf: 'Leases',
      count: 2,
      documents: [{ name: 'lease.txt', version_number: 3, size: 5 }, { name: 'notes.txt' }],
    });
    expect((await guest.send(newest.path)).body).toMatchObject({ library: null, documents: [{ version_number: 3 }] });
    expect((await guest.send(fixed.path)).body).toMatchObject({ documents: [{ version_number: 2 }] });
    expect((await guest.send(contentOf(newest))).text).toBe('third');
    expect((await guest.send(contentOf(fixed))).text).toBe('second lease');
    expect((await guest.send(contentOf(all, second.id))).text).toBe('notes');
    for (const link of [newest, fixed]) {
      expect((await guest.send(contentOf(link, second.id))).code).toBe('not-found');
      expect((await guest.send(textOf(link, second.id))).code).toBe('not-found');
    }
  });

  it('is sent by range, inline only where that is safe', async () => {
    const page = await sharing.addDocument(shelf, 'page.html', ['<script>'], 'text/html');
    const link = await sharing.share(sharing.ana, shelf, { kind: 'shelf' });
    const guest = sharing.person();
    const part = await guest.send(contentOf(link), { headers: { range: 'bytes=0-5' } });
    expect([part.status, part.text]).toEqual([206, 'second']);
    expect(part.headers['content-disposition']).toMatch(/^inline/u);
    const attached = await guest.send(`${contentOf(link)}?download=1`);
    expect(attached.headers['content-disposition']).toMatch(/^attachment/u);
    const html = await guest.send(contentOf(link, page.id));
    expect(html.headers['content-type']).toBe('application/octet-stream');
    expect(html.headers['content-disposition']).toMatch(/^attachment/u);
  });

  it('is text alone where downloads are off: no call gives a byte of the content', async () => {
    const link = await sharing.share(sharing.ana, shelf, { ...toDocument(), allow_download: false });
    const guest = sharing.person();
    expect((await guest.send(link.path)).body).toMatchObject({ allow_download: false });
    for (const query of ['', '?download=0', '?download=1']) {
      for (const headers of [
        {},
        { range: 'bytes=0-3' },
        { 'sec-fetch-site': 'same-origin', 'sec-fetch-dest': 'empty' },
      ]) {
        expect((await guest.send(contentOf(link) + query, { headers })).code).toBe('forbidden');
        expect((await guest.send(contentOf(link) + query, { method: 'HEAD', headers })).status).toBe(403);
      }
    }
    expect((await guest.send(textOf(link))).body).toEqual({
      version_number: 2,
      sections: [{ label: 'Content', text: 'second lease' }],
      next: null,
      length: 12,
      problem: null,
    });
    expect((await guest.send(`${textOf(link)}?from=7`)).body).toMatchObject({ sections: [{ text: 'lease' }] });
  });

  it('says why there is no text', async () => {
    const image = await sharing.addDocument(shelf, 'scan.png', [Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 0, 1, 2])]);
    const link = await sharing.share(sharing.ana, shelf, { kind: 'shelf', allow_download: false });
    expect((await sharing.person().send(textOf(link, image.id))).body).toMatchObject({
      sections: [],
      problem: 'binary',
    });
  });
});

describe('a link that opens for nobody', () => {
  const everywhere = async (who: Person, link: { path: string }) =>
    [
      await who.send(link.path),
      await who.send(contentOf(link)),
      await who.send(textOf(link)),
      await unlock(who, link, { password: 'x' }),
    ].map(({ code, body }) => (code === 'gone' ? (body as { error: WireError }).error.details?.reason : code));
  const gone = (reason: ShareEnd) => [reason, reason, reason, reason];

  it('does not say more than that', async () => {
    for (const path of ['x', 'a'.repeat(43), '%00']) {
      const link = { path: `/api/v1/shared/${path}/` };
      expect(await everywhere(sharing.person(), link)).toEqual(['not-found', 'not-found', 'not-found', 'not-found']);
    }
  });

  it('is one that was revoked, until it comes back with its address', async () => {
    const link = await sharing.share(sharing.ana, shelf, toDocument());
    expect((await revoke(sharing.ana, link)).body).toMatchObject({ state: 'revoked' });
    const first = (await revoke(sharing.ana, link)).body as ShareLink;
    expect(first.revoked_at).not.toBeNull();
    expect(await audited(link.id)).toEqual(['share-link.create', 'share-link.revoke']);
    expect(await everywhere(sharing.person(), link)).toEqual(gone('revoked'));
    const back = (await change(sharing.ana, link, { revoked: false })).body as ShareLink;
    expect(back).toMatchObject({ state: 'active', url: link.url });
    expect((await sharing.person().send(link.path)).status).toBe(200);
  });

  it('is one that expired, until it expires later', async () => {
    const expires = (hours: number) => new Date(sharing.clock.ms + hours * HOUR).toISOString();
    const link = await sharing.share(sharing.ana, shelf, { ...toDocument(), expires_at: expires(1) });
    const guest = sharing.person();
    expect((await guest.send(link.path)).status).toBe(200);
    sharing.clock.ms += HOUR;
    expect(await everywhere(guest, link)).toEqual(gone('expired'));
    expect((await change(sharing.ana, link, { expires_at: expires(1) })).body).toMatchObject({ state: 'active' });
    expect((await guest.send(link.path)).status).toBe(200);
  });

  it('is one whose creator may not share any more', async () => {
    const { ana, ben } = sharing;
    const link = await sharing.share(ben, shelf, toDocument());
    await sharing.setRole(shelf, ben, 'viewer');
    expect(await everywhere(sharing.person(), link)).toEqual(gone('revoked'));
    expect((await change(ana, link, { revoked: false })).code).toBe('conflict');
    await sharing.setRole(shelf, ben, null);
    expect(await everywhere(sharing.person(), link)).toEqual(gone('revoked'));
    await sharing.setRole(shelf, ben, 'editor');
    await sharing.database.updateTable('users').set({ disabled: 1 }).where('id', '=', ben.userId).execute();
    expect(await everywhere(sharing.person(), link)).toEqual(gone('revoked'));
    await sharing.database.updateTable('users').set({ disabled: 0 }).where('id', '=', ben.userId).execute();
    expect((await sharing.person().send(link.path)).status).toBe(200);
  });

  it('is one whose document is in the trash', async () => {
    const fixed = await sharing.share(sharing.ana, shelf, { kind: 'version', version_id: document.versions[0] });
    await sharing.database.updateTable('documents').set({ deleted: 1 }).where('id', '=', document.id).execute();
    expect(await everywhere(sharing.person(), fixed)).toEqual(gone('document-deleted'));
  });

  it('cannot be found by trying', async () => {
    const guest = sharing.person();
    const codes: (string | null)[] = [];
    for (let tries = 0; tries < 102; tries += 1)
      codes.push((await guest.send(`/api/v1/shared/${'b'.repeat(43)}/`)).code);
    expect(codes.slice(0, 100)).toEqual(Array.from({ length: 100 }, () => 'not-found'));
    expect(codes.slice(100)).toEqual(['throttled', 'throttled']);
  });
});

describe('a password', () => {
  it('is asked for by every call, and remembered for 12 hours', async () => {
    const link = await sharing.share(sharing.ana, shelf, { ...toDocument(), password: 'open sesame' });
    const guest = sharing.person();
    for (const path of [link.path, contentOf(link), textOf(link)]) {
      expect((await guest.send(path)).code).toBe('password-required');
    }
    expect((await unlock(guest, link, {})).body).toEqual({ state: 'password-required' });
    expect((await unlock(guest, link, { password: 'open barley' })).code).toBe('credentials-invalid');
    const right = await unlock(guest, link, { password: 'open sesame' });
    expect(right.body).toEqual({ state: 'open' });
    expect(right.headers['set-cookie']).toMatch(/HttpOnly; Secure; SameSite=Lax/u);
    expect((await guest.send(contentOf(link))).text).toBe('second lease');
    sharing.clock.ms += 12 * HOUR;
    expect((await guest.send(link.path)).code).toBe('password-required');
  });

  it('has to be given again once it is another one, and opens no other link', async () => {
    const [one, other] = [
      await sharing.share(sharing.ana, shelf, { kind: 'shelf', password: 'open sesame' }),
      await sharing.share(sharing.ana, shelf, { kind: 'shelf', password: 'open sesame' }),
    ];
    const guest = sharing.person();
    await unlock(guest, one, { password: 'open sesame' });
    expect((await guest.send(one.path)).status).toBe(200);
    expect((await guest.send(other.path)).code).toBe('password-required');
    await change(sharing.ana, one, { password: 'another word' });
    expect((await guest.send(one.path)).code).toBe('password-required');
    await change(sharing.ana, one, { password: null });
    expect((await guest.send(one.path)).status).toBe(200);
  });

  it('is guessed 20 times an hour at most, from however many addresses', async () => {
    const link = await sharing.share(sharing.ana, shelf, { ...toDocument(), password: 'open sesame' });
    const guest = sharing.person();
    const codes: (string | null)[] = [];
    for (let tries = 0; tries < 24; tries += 1) {
      guest.address = `198.51.${tries}.1`;
      codes.push((await unlock(guest, link, { password: `guess ${tries}` })).code);
    }
    expect(codes.filter((code) => code === 'credentials-invalid')).toHaveLength(20);
    expect(codes.slice(20)).toEqual(['throttled', 'throttled', 'throttled', 'throttled']);
    expect((await unlock(sharing.person(), link, { password: 'open sesame' })).code).toBe('throttled');
    sharing.clock.ms += HOUR;
    expect((await unlock(sharing.person(), link, { password: 'open sesame' })).body).toEqual({ state: 'open' });
  });

  it('is no guess when it is right: a whole office opens the link', async () => {
    const link = await sharing.share(sharing.ana, shelf, { ...toDocument(), password: 'open sesame' });
    for (let visitor = 0; visitor < 25; visitor += 1) {
      expect((await unlock(sharing.person(), link, { password: 'open sesame' })).body).toEqual({ state: 'open' });
    }
  });

  it('is guessed 10 times an hour from one network', async () => {
    const link = await sharing.share(sharing.ana, shelf, { ...toDocument(), password: 'open sesame' });
    const guest = sharing.person();
    const codes: (string | null)[] = [];
    for (let tries = 0; tries < 11; tries += 1) {
      guest.address = `198.51.100.${tries}`;
      codes.push((await unlock(guest, link, { password: 'wrong guess' })).code);
    }
    expect(codes.at(-1)).toBe('throttled');
    expect((await unlock(sharing.person(), link, { password: 'open sesame' })).body).toEqual({ state: 'open' });
  });
});

describe('the question who opens a link', () => {
  const codeOf = async (email: string) => /code is (\d{6})/u.exec((await sharing.mails(email)).at(-1) ?? '')?.[1] ?? '';

  it('lets in who has a mailbox on the list, once for a browser', async () => {
    const link = await sharing.share(sharing.ana, shelf, {
      ...toDocument(),
      allowed_emails: ['Dora@Example.net', '@firm.example'],
    });
    expect(link.allowed_emails).toEqual(['dora@example.net', '@firm.example']);
    for (const email of ['dora@example.net', `p${Math.floor(sharing.clock.ms)}@firm.example`]) {
      const guest = sharing.person();
      expect((await guest.send(contentOf(link))).code).toBe('email-required');
      expect((await unlock(guest, link, { email: email.toUpperCase() })).body).toEqual({ state: 'code-required' });
      const code = await codeOf(email);
      expect((await unlock(sharing.person(), link, { email, code })).code).toBe('credentials-invalid');
      expect((await unlock(guest, link, { email, code })).body).toEqual({ state: 'open' });
      expect((await guest.send(contentOf(link))).text).toBe('second lease');
    }
  });

  it('answers the same to all others, and mails them nothing', async () => {
    const link = await sharing.share(sharing.ana, shelf, { ...toDocument(), allowed_emails: ['@firm.example'] });
    const [inside, outside] = [sharing.person(), sharing.person()];
    const answers = [
      await unlock(inside, link, { email: 'a@firm.example' }),
      await unlock(outside, link, { email: 'a@notfirm.example' }),
    ];
    expect(answers[1]?.text).toBe(answers[0]?.text);
    expect(await sharing.mails('a@notfirm.example')).toEqual([]);
    const code = await codeOf('a@firm.example');
    expect((await unlock(outside, link, { email: 'a@notfirm.example', code })).code).toBe('credentials-invalid');
    expect((await unlock(inside, link, { email: 'b@firm.example', code })).code).toBe('credentials-invalid');
    expect((await unlock(inside, link, { email: 'no address' })).code).toBe('bad-request');
    sharing.clock.ms += 10 * 60_000;
    expect((await unlock(inside, link, { email: 'a@firm.example', code })).code).toBe('credentials-invalid');
  });

  it('comes after the password, and again for who was taken off the list', async () => {
    const link = await sharing.share(sharing.ana, shelf, {
      ...toDocument(),
      password: 'open sesame',
      allowed_emails: ['dora@example.net', 'finn@example.net'],
    });
    const guest = sharing.person();
    const email = 'finn@example.net';
    expect((await unlock(guest, link, { email })).code).toBe('password-required');
    expect((await unlock(guest, link, { password: 'open sesame' })).body).toEqual({ state: 'email-required' });
    expect((await unlock(guest, link, { email })).body).toEqual({ state: 'code-required' });
    expect((await unlock(guest, link, { email, code: await codeOf(email) })).body).toEqual({ state: 'open' });
    expect((await guest.send(link.path)).status).toBe(200);
    await change(sharing.ana, link, { allowed_emails: ['dora@example.net'] });
    expect((await guest.send(link.path)).code).toBe('email-required');
  });

  it('mails one address five codes an hour at most', async () => {
    const link = await sharing.share(sharing.ana, shelf, { ...toDocument(), allowed_emails: ['gil@example.net'] });
    const codes: (string | null)[] = [];
    for (let tries = 0; tries < 6; tries += 1) {
      codes.push((await unlock(sharing.person(), link, { email: 'gil@example.net' })).code);
    }
    expect(codes).toEqual([null, null, null, null, null, 'throttled']);
    expect(await sharing.mails('gil@example.net')).toHaveLength(5);
  });
});

describe('all my links', () => {
  it('are those that I made, wherever I still am', async () => {
    const { ana, ben, person } = sharing;
    const other = await sharing.addShelf();
    const mine = await sharing.share(ben, shelf, { kind: 'shelf' });
    const there = await sharing.share(ben, other, { kind: 'shelf' });
    await sharing.share(ana, shelf, { kind: 'shelf' });
    const ids = async (query = '') =>
      ((await ben.send(`/api/v1/share-links/${query}`)).body as { links: ShareLink[] }).links
        .map(({ id }) => id)
        .filter((id) => [mine.id, there.id].includes(id));
    expect((await ids()).sort()).toEqual([mine.id, there.id].sort());
    await sharing.setRole(other, ben, null);
    expect(await ids('?page_size=100')).toEqual([mine.id]);
    expect((await person().send('/api/v1/share-links/')).code).toBe('unauthenticated');
  });
});

describe('webhooks', () => {
  it.each([
    ['8.8.8.8', true],
    ['203.1.113.7', true],
    ['10.1.2.3', false],
    ['127.0.0.1', false],
    ['127.255.255.254', false],
    ['169.254.169.254', false],
    ['172.16.0.1', false],
    ['172.31.255.255', false],
    ['172.32.0.1', true],
    ['192.168.1.1', false],
    ['100.64.0.1', false],
    ['100.128.0.1', true],
    ['0.0.0.0', false],
    ['192.0.2.1', false],
    ['198.19.0.1', false],
    ['224.0.0.1', false],
    ['255.255.255.255', false],
    ['2a00:1450:4001::1', true],
    ['::1', false],
    ['::', false],
    ['::ffff:127.0.0.1', false],
    ['::ffff:7f00:1', false],
    ['::ffff:8.8.8.8', false],
    ['::10.0.0.1', false],
    ['64:ff9b::7f00:1', false],
    ['fe80::1%eth0', false],
    ['fc00::1', false],
    ['fd12:3456::1', false],
    ['ff02::1', false],
    ['2001:db8::1', false],
    ['2001::1', false],
    ['2002:7f00:1::', false],
    ['3fff::1', false],
    ['not an address', false],
    ['', false],
  ])('%s is public: %s', (address, isPublic) => expect(isPublicAddress(address)).toBe(isPublic));

  it.each([
    ['http://example.org/', false],
    ['https://user:password@example.org/', false],
    ['https://127.0.0.1/', false],
    ['https://2130706433/', false],
    ['https://0x7f.1/', false],
    ['https://[::1]/', false],
    ['https://[::ffff:a00:1]/', false],
    ['file:///etc/passwd', false],
    ['https://', false],
    ['https://hooks.example.org/x?y=1', true],
  ])('%s may be called: %s', (url, may) => expect(webhookProblem(url) === null).toBe(may));

  it('are not sent to a name that also leads inside', async () => {
    const signal = new AbortController().signal;
    const body = JSON.stringify({ link_id: randomUUID() });
    for (const addresses of [[], ['127.0.0.1'], ['8.8.8.8', '10.0.0.1'], ['::ffff:169.254.169.254']]) {
      const send = createWebhookSender({ key: sharing.key, now: () => 0, resolve: async () => addresses });
      await expect(send({ url: 'https://hooks.example.org/', body }, signal)).rejects.toMatchObject({
        code: 'forbidden',
      });
    }
  });

  it('go to the address that was checked, and follow nothing', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'armarium-hook-'));
    const [keyFile, certFile] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
    const subject = ['-subj', '/CN=hook.example', '-addext', 'subjectAltName=DNS:hook.example'];
    const made = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-days', '1'];
    execFileSync('openssl', [...made, '-keyout', keyFile, '-out', certFile, ...subject], { stdio: 'ignore' });
    const cert = readFileSync(certFile, 'utf8');
    setDefaultCACertificates([cert]);
    const received: { path: string | undefined; host: string | undefined; body: string }[] = [];
    const server = createServer({ key: readFileSync(keyFile), cert }, async (request, response) => {
      let body = '';
      for await (const chunk of request) body += String(chunk);
      received.push({ path: request.url, host: request.headers.host, body });
      response.writeHead(request.url === '/moved' ? 302 : 204, { location: '/elsewhere' }).end();
    });
    await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
    const { port } = server.address() as AddressInfo;
    const signal = new AbortController().signal;
    const call = (path: string) => post(new URL(`https://hook.example:${port}${path}`), '127.0.0.1', {}, '{}', signal);
    expect([await call('/open'), await call('/moved')]).toEqual([204, 302]);
    expect(received.map(({ path }) => path)).toEqual(['/open', '/moved']);
    expect(received[0]).toMatchObject({ host: `hook.example:${port}`, body: '{}' });
    server.close();
    rmSync(folder, { recursive: true });
  });

  it('are signed with a secret that only the managers of the link see', async () => {
    const link = await sharing.share(sharing.ana, shelf, { kind: 'shelf' });
    expect(link.managed?.webhook_secret).toBe(webhookSecret(sharing.key, link.id));
    expect(webhookSecret(sharing.key, randomUUID())).not.toBe(link.managed?.webhook_secret);
    expect(createHmac('sha256', link.managed?.webhook_secret ?? '').digest('hex')).toHaveLength(64);
  });
});

describe('networks whose guesses count together', () => {
  it.each([
    ['198.51.100.7', '198.51.100'],
    ['::ffff:198.51.100.9', '198.51.100'],
    ['2a00:1450:4001:81b::200e', '8192:0:0:0'],
    ['::1', '0:0:0:0'],
  ])('%s', (address, network) => {
    if (address.startsWith('2a00')) expect(networkOf(address)).toBe(networkOf('2a00:1450:4001:81b:1:2:3:4'));
    else expect(networkOf(address)).toBe(network);
  });
});
