import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type CallDefinition, fillPath } from '../../../src/shared/api/call.ts';
import { api } from '../../../src/shared/api/index.ts';
import type { Shelf } from '../../../src/shared/model/library.ts';
import { addMember } from '../../helpers/members.ts';
import { createAccount, startTestServer, TestClient, type TestServer, uploadFiles } from '../../helpers/server.ts';

type Role = 'viewer' | 'editor' | 'owner';

interface Rule {
  /** The least role that may. */
  readonly role: Role;
  /** Whether it works on an archived shelf. */
  readonly archived: boolean;
  /** A body that the contract takes. */
  readonly body?: object;
}

const SHA = '0'.repeat(64);
const read = (body?: object): Rule => ({ role: 'viewer', archived: true, ...(body === undefined ? {} : { body }) });
const comment = (body?: object): Rule => ({ ...read(body), archived: false });
const edit = (body?: object): Rule => ({ ...read(body), role: 'editor', archived: false });
const share = (body?: object): Rule => ({ ...read(body), role: 'editor' });
const manage = (body?: object): Rule => ({ ...read(body), role: 'owner', archived: false });
const manageArchived = (body?: object): Rule => ({ ...manage(body), archived: true });

/** Who may what on a shelf, a document and a version (decisions.md §6): the one table that the tests go by. */
const RULES: Readonly<Record<string, Rule>> = {
  'shelves.update': manage({ name: 'Renamed' }),
  'shelves.remove': manageArchived(),
  'shelves.archive': manageArchived({ action: 'archive' }),
  'documents.shelfInfo': read(),
  'documents.shelfDetail': read(),
  'documents.changes': read(),
  'documents.commits': read(),
  'documents.history': read(),
  'documents.version': read(),
  'documents.text': read(),
  'documents.versionInfo': read(),
  'compare.versions': read(),
  'compare.tables': read(),
  'documents.latest': read(),
  'documents.contentUrl': read(),
  'documents.remove': edit({ base_version: 99 }),
  'documents.rename': edit({ name: 'x.txt', base_version: 99 }),
  'documents.restoreVersion': edit({}),
  'documents.label': edit({ label: 'x' }),
  'documents.lock': edit({ hours: 1 }),
  'documents.unlock': read(),
  'upload.info': read(),
  'upload.ready': edit({ files: [{ name: 'x.txt', size: 0, sha256: SHA }] }),
  'upload.status': edit(),
  'upload.conflict': edit({ upload_id: randomUUID(), resolutions: [{ name: 'x', action: 'keep-mine' }] }),
  'upload.presignedUrl': edit({ version_id: randomUUID() }),
  'upload.completeMultipart': edit({ version_id: randomUUID() }),
  'upload.failed': edit({ version_id: randomUUID() }),
  'upload.abandon': edit({ version_id: randomUUID() }),
  'upload.report': edit({ upload_id: randomUUID() }),
  'comments.list': read(),
  'comments.create': comment({ comment: 'x' }),
  'comments.update': comment({ comment: 'x' }),
  'comments.remove': comment(),
  'comments.resolve': comment({ resolved: true }),
  'comments.markRead': read({ last_comment_id: randomUUID() }),
  'comments.hasUnread': read(),
  'comments.ofVersion': read(),
  'comments.createOnVersion': comment({ comment: 'x' }),
  'comments.removeFromVersion': comment(),
  'members.list': read(),
  'members.invite': manage({ emails: ['x@example.org'] }),
  'members.remove': manageArchived({ member_id: randomUUID() }),
  'members.setRole': manage({ member_id: randomUUID(), role: 'viewer' }),
  'members.cancel': manageArchived({ invitation_id: randomUUID() }),
  'members.resend': manage({ invitation_id: randomUUID() }),
  'pdfExport.current': read(),
  'pdfExport.version': read(),
  'retention.due': read(),
  'sharing.list': share(),
  'sharing.create': edit({ kind: 'shelf' }),
  'sharing.update': edit({ label: 'x' }),
  'sharing.revoke': share(),
  'sharing.statistics': share(),
  'sharing.linkStatistics': share(),
};

const CALLS = Object.entries(api).flatMap(([area, calls]) =>
  Object.entries(calls).map(([name, call]) => [`${area}.${name}`, call as CallDefinition] as const),
);
const ON_SHELVES = CALLS.filter(
  ([, { path, access }]) =>
    access === 'user' && /^\/api\/v1\/(library\/\{lib\}\/shelf\/\{id\}|documents\/\{id\}|version\/\{id\})/u.test(path),
);
const ROLES: readonly Role[] = ['viewer', 'editor', 'owner'];

let server: TestServer;
let people: Record<Role, TestClient>;
let stranger: TestClient;
let shelf: Shelf;
let archived: Shelf;
const ids = new Map<string, { document: string; version: string }>();
beforeAll(async () => {
  server = await startTestServer();
  const owner = await createAccount(server.url);
  const [editor, viewer] = [await createAccount(server.url), await createAccount(server.url)];
  people = { owner, editor, viewer };
  stranger = await createAccount(server.url);
  const make = async (name: string) => {
    const lib = owner.account.library;
    const made = await owner.call(api.shelves.create, { params: { lib }, body: { name } });
    addMember(server, made.id, editor.account.username, 'editor');
    addMember(server, made.id, viewer.account.username, 'viewer');
    const commit = await uploadFiles(owner, made, [{ name: 'a.txt', content: name }]);
    const [change] = commit?.changes ?? [];
    ids.set(made.id, { document: change?.document_id ?? '', version: change?.version_id ?? '' });
    return made;
  };
  shelf = await make('Open');
  archived = await make('Archived');
  await owner.call(api.shelves.archive, {
    params: { lib: archived.library, id: archived.id },
    body: { action: 'archive' },
  });
});
afterAll(() => server.close());

async function codeFor(client: TestClient, call: CallDefinition, on: Shelf, body: object | undefined) {
  const { document = '', version = '' } = ids.get(on.id) ?? {};
  const id = call.path.includes('/documents/{id}') ? document : call.path.includes('/version/{id}') ? version : on.id;
  const others = { cid: randomUUID(), upload: randomUUID(), linkId: randomUUID(), other: version, x: '1', since: SHA };
  const path = fillPath(call.path, { ...others, lib: on.library, id });
  const response = await client.fetch(path, {
    method: call.method,
    ...(body === undefined ? {} : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  });
  const text = await response.text();
  const parsed = text === '' ? {} : (JSON.parse(text) as { error?: { code: string } });
  return parsed.error?.code ?? 'done';
}

describe('the table of rights', () => {
  it('has every call on a shelf, a document or a version', () => {
    expect(ON_SHELVES.map(([name]) => name).filter((name) => !(name in RULES))).toEqual([]);
  });
});

describe.each(ON_SHELVES)('%s', (name, call) => {
  const rule = RULES[name] ?? read();
  it('asks who it is', async () => {
    expect(await codeFor(new TestClient(server.url), call, shelf, rule.body)).toBe('unauthenticated');
  });
  it('does not exist for strangers', async () => {
    expect(await codeFor(stranger, call, shelf, rule.body)).toBe('not-found');
  });
  it.each(ROLES.filter((role) => ROLES.indexOf(role) < ROLES.indexOf(rule.role)))('is not for a %s', async (role) => {
    expect(await codeFor(people[role], call, shelf, rule.body)).toBe('forbidden');
  });
  if (!rule.archived) {
    it('is not for an archived shelf', async () => {
      expect(await codeFor(people.owner, call, archived, rule.body)).toBe('archived');
    });
  } else if (call.method === 'GET') {
    it('is for an archived shelf', async () => {
      expect(await codeFor(people.owner, call, archived, undefined)).not.toBe('archived');
    });
  }
  if (call.body === undefined) return;
  it('refuses a body that is not the contract’s', async () => {
    for (const body of [[], { nonsense: 1, ...rule.body }]) {
      expect(await codeFor(people.owner, call, shelf, body)).toBe('bad-request');
    }
    const large = { ...rule.body, filler: 'x'.repeat((call.bodyLimit ?? 1024 * 1024) + 1) };
    expect(await codeFor(people.owner, call, shelf, large)).toBe('payload-too-large');
  });
});
