import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { deviceOf, isBot } from '../../../src/server/sharing/visitor.ts';
import type { ShareStatistics } from '../../../src/shared/model/shareLink.ts';
import { CHROME, IPHONE, type Sharing, startSharing } from '../../helpers/sharing.ts';

let sharing: Sharing;
let shelf = '';
let document = { id: '', versions: [''] };
beforeAll(async () => {
  sharing = await startSharing();
});
beforeEach(async () => {
  shelf = await sharing.addShelf();
  document = await sharing.addDocument(shelf, 'lease.txt', ['first lease', 'second lease', 'third lease']);
});
afterAll(() => sharing.close());

const DAY = 24 * 3600_000;
const SLACK = 'Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)';
const toDocument = () => ({ kind: 'document', document_id: document.id });
const contentOf = (link: { path: string }, id = document.id) => `${link.path}documents/${id}/content`;
const textOf = (link: { path: string }, id = document.id) => `${link.path}documents/${id}/text`;
const totals = async (linkId: string, query = '') =>
  (await sharing.statistics(sharing.ana, shelf, linkId, query)).totals;
const ON_PAGE = { 'sec-fetch-site': 'same-origin', 'sec-fetch-dest': 'empty' };

describe('openings', () => {
  it('count once for a session, however often the page is loaded again', async () => {
    const link = await sharing.share(sharing.ana, shelf, toDocument());
    const guest = sharing.person();
    for (const path of [link.path, link.path, textOf(link), textOf(link)]) await guest.send(path);
    await guest.send(contentOf(link), { headers: ON_PAGE });
    expect(await totals(link.id)).toMatchObject({ views: 1, downloads: 0, unique_visitors: 1 });
    await sharing.person().send(link.path);
    expect(await totals(link.id)).toMatchObject({ views: 2, unique_visitors: 2 });
  });

  it('of a shelf are its list, and each document once', async () => {
    const other = await sharing.addDocument(shelf, 'notes.txt', ['notes']);
    const link = await sharing.share(sharing.ana, shelf, { kind: 'shelf' });
    const guest = sharing.person();
    for (const path of [link.path, textOf(link), textOf(link), textOf(link, other.id)]) await guest.send(path);
    const { totals: all, per_document } = await sharing.statistics(sharing.ana, shelf, link.id);
    expect(all.views).toBe(3);
    expect(per_document.map(({ name, views }) => [name, views]).sort()).toEqual([
      [null, 1],
      ['lease.txt', 1],
      ['notes.txt', 1],
    ]);
  });

  it('are limited to exactly as many as there are, also when all come at once', async () => {
    const link = await sharing.share(sharing.ana, shelf, { ...toDocument(), max_views: 3 });
    const guests = Array.from({ length: 20 }, () => sharing.person());
    const answers = await Promise.all(guests.map((guest) => guest.send(link.path)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(3);
    expect(answers.filter(({ code }) => code === 'gone')).toHaveLength(17);
    expect(await totals(link.id)).toMatchObject({ views: 3 });
    for (const [index, guest] of guests.entries()) {
      const content = await guest.send(contentOf(link));
      expect(content.status).toBe(answers[index]?.status === 200 ? 200 : 410);
    }
    expect((await sharing.person().send(contentOf(link))).code).toBe('gone');
    const { body } = await sharing.ana.send(sharing.linksPath(shelf));
    expect(body).toMatchObject({ links: [{ state: 'used-up', managed: { view_count: 3 } }] });
  });

  it('by one session at the same moment take one view', async () => {
    const link = await sharing.share(sharing.ana, shelf, { ...toDocument(), password: 'open sesame', max_views: 2 });
    const guest = sharing.person();
    await guest.send(`${link.path}unlock/`, { method: 'POST', body: { password: 'open sesame' } });
    await Promise.all(Array.from({ length: 5 }, () => guest.send(link.path)));
    const { body } = await sharing.ana.send(sharing.linksPath(shelf));
    expect(body).toMatchObject({ links: [{ managed: { view_count: 1 } }] });
  });

  it('take no view for the team, nor for machines, which see nothing of a limited link', async () => {
    const link = await sharing.share(sharing.ana, shelf, { ...toDocument(), max_views: 1 });
    expect((await sharing.cid.send(link.path)).status).toBe(200);
    expect((await sharing.person('', SLACK).send(link.path)).code).toBe('forbidden');
    expect((await sharing.person('', SLACK).send(contentOf(link))).code).toBe('forbidden');
    expect((await sharing.person().send(link.path, { method: 'HEAD' })).status).toBe(403);
    expect((await sharing.eve.send(link.path)).status).toBe(200);
    expect((await sharing.person().send(link.path)).body).toMatchObject({
      error: { code: 'gone', details: { reason: 'used-up' } },
    });
  });
});

describe('downloads', () => {
  it('count for each fetch of the raw address, and a resumed one as the same', async () => {
    const link = await sharing.share(sharing.ana, shelf, toDocument());
    const guest = sharing.person();
    await guest.send(contentOf(link));
    expect(await totals(link.id)).toMatchObject({ views: 1, downloads: 1 });
    await guest.send(`${contentOf(link)}?download=1`, { headers: ON_PAGE });
    expect(await totals(link.id)).toMatchObject({ views: 1, downloads: 2 });
    await guest.send(contentOf(link), { headers: { range: 'bytes=3-' } });
    expect(await totals(link.id)).toMatchObject({ downloads: 2 });
    await sharing.person().send(contentOf(link), { headers: { range: 'bytes=3-' } });
    expect(await totals(link.id)).toMatchObject({ downloads: 3 });
    const { headers } = await guest.send(contentOf(link), { headers: ON_PAGE });
    await guest.send(contentOf(link), { headers: { 'if-none-match': String(headers.etag) } });
    expect(await totals(link.id)).toMatchObject({ downloads: 3 });
  });
});

describe('who it was', () => {
  it.each([
    [SLACK, {}, true, 'bot'],
    ['TelegramBot (like TwitterBot)', {}, true, 'bot'],
    ['WhatsApp/2.23.20.0', {}, true, 'bot'],
    ['facebookexternalhit/1.1', {}, true, 'bot'],
    ['Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)', {}, true, 'bot'],
    [CHROME, { 'sec-purpose': 'prefetch;prerender' }, true, 'bot'],
    [CHROME, { purpose: 'prefetch' }, true, 'bot'],
    [CHROME, {}, false, 'desktop'],
    [IPHONE, {}, false, 'phone'],
    ['Mozilla/5.0 (Linux; Android 14; CUBOT KINGKONG 9) Chrome/140.0 Mobile Safari/537.36', {}, false, 'phone'],
    ['Mozilla/5.0 (iPad; CPU OS 18_0 like Mac OS X) Safari/604.1', {}, false, 'tablet'],
    ['Mozilla/5.0 (Linux; Android 14; SM-X700) Chrome/140.0 Safari/537.36', {}, false, 'tablet'],
    ['Mozilla/5.0 (Linux; Android 14) Chrome/140.0 Mobile Safari/537.36 Telegram-Android/11.2', {}, false, 'phone'],
    ['curl/8.5.0', {}, false, 'unknown'],
    ['', {}, false, 'unknown'],
  ])('%s %j', (userAgent, headers, bot, device) => {
    const request = { method: 'GET', headers: { 'user-agent': userAgent, ...headers } };
    type Asked = Parameters<typeof isBot>[0];
    expect(isBot(request as Asked)).toBe(bot);
    expect(deviceOf(request as Asked)).toBe(device);
  });

  it('changes every number together', async () => {
    const link = await sharing.share(sharing.ana, shelf, toDocument());
    await sharing.person('', SLACK).send(link.path);
    const machine = sharing.person('', SLACK);
    for (let times = 0; times < 3; times += 1) await machine.send(contentOf(link));
    await sharing.cid.send(link.path);
    await sharing.person('', IPHONE).send(`${link.path}?referrer=mail.example.org`);
    const read = (query: string) => sharing.statistics(sharing.ana, shelf, link.id, query);
    const [visitors, team, bots, all] = [
      await read(''),
      await read('?include=team'),
      await read('?include=bot'),
      await read('?include=visitor,team,bot'),
    ];
    expect(visitors.totals).toMatchObject({ views: 1, downloads: 0, unique_visitors: 1 });
    expect(visitors.per_device.map(({ key }) => key)).toEqual(['phone']);
    expect(visitors.per_referrer.map(({ key }) => key)).toEqual(['mail.example.org']);
    expect(team.totals).toMatchObject({ views: 1, downloads: 0 });
    expect(bots.totals).toMatchObject({ views: 1, downloads: 1, unique_visitors: 2 });
    expect(all.totals).toMatchObject({ views: 3, downloads: 1, unique_visitors: 4 });
    expect(all.events).toHaveLength(4);
    expect((await sharing.ana.send(`${sharing.linksPath(shelf)}stat/?include=everybody`)).code).toBe('bad-request');
  });

  it('is kept only as a mark that nobody can follow to another day', async () => {
    const link = await sharing.share(sharing.ana, shelf, toDocument());
    const guest = sharing.person();
    guest.address = '198.51.100.77';
    await guest.send(link.path);
    await guest.send(contentOf(link));
    sharing.clock.ms += DAY;
    await guest.send(contentOf(link));
    const rows = await sharing.database
      .selectFrom('share_events')
      .selectAll()
      .where('link_id', '=', link.id)
      .orderBy('at')
      .execute();
    expect(JSON.stringify(rows)).not.toContain('198.51.100');
    expect(new Set(rows.map(({ visitor_hash }) => visitor_hash)).size).toBe(2);
    expect(rows[0]?.visitor_hash).toBe(rows[1]?.visitor_hash);
  });
});

describe('the figures', () => {
  const sum = (rows: readonly { views: number; downloads: number }[]) => ({
    views: rows.reduce((all, { views }) => all + views, 0),
    downloads: rows.reduce((all, { downloads }) => all + downloads, 0),
  });

  function expectConsistent(statistics: ShareStatistics): void {
    const { views, downloads, unique_visitors } = statistics.totals;
    const { per_day, per_document, per_device, per_referrer, per_link, events } = statistics;
    for (const rows of [per_day, per_document, per_device, per_referrer, per_link]) {
      expect(sum(rows)).toEqual({ views, downloads });
    }
    expect(per_day.reduce((all, day) => all + day.unique_visitors, 0)).toBe(unique_visitors);
    expect(statistics.event_count).toBe(views + downloads);
    expect(events.filter(({ kind }) => kind === 'view')).toHaveLength(views);
  }

  it('are the sums of their rows, of the events and of the CSV, for every filter', async () => {
    const other = await sharing.addDocument(shelf, 'notes, "final".txt', ['notes']);
    const [one, two] = [
      await sharing.share(sharing.ana, shelf, { kind: 'shelf', label: '=HYPERLINK("x")' }),
      await sharing.share(sharing.ana, shelf, toDocument()),
    ];
    const first = new Date(sharing.clock.ms).toISOString().slice(0, 10);
    for (let day = 0; day < 3; day += 1) {
      for (const [index, agent] of [CHROME, IPHONE, SLACK, CHROME].entries()) {
        const guest = index === 3 ? sharing.cid : sharing.person('', agent);
        await guest.send(`${one.path}?referrer=site-${index}.example`);
        await guest.send(contentOf(one, other.id));
        await guest.send(two.path);
      }
      sharing.clock.ms += DAY;
    }
    const last = new Date(sharing.clock.ms - DAY).toISOString().slice(0, 10);
    for (const query of ['', '&include=bot', '&include=visitor,team,bot', `&from=${last}`, `&to=${first}`]) {
      for (const linkId of [null, one.id, two.id]) {
        const statistics = await sharing.statistics(sharing.ana, shelf, linkId, `?page_size=200${query}`);
        expectConsistent(statistics);
        expect(statistics.totals.views).toBeGreaterThan(0);
        if (linkId === null) continue;
        const csv = await sharing.ana.send(`${sharing.linksPath(shelf)}${linkId}/stat.csv?${query.slice(1)}`);
        expect(csv.headers['content-type']).toBe('text/csv; charset=utf-8');
        const lines = csv.text.trimEnd().split('\r\n').slice(1);
        expect(lines.filter((line) => line.includes(',view,'))).toHaveLength(statistics.totals.views);
        expect(lines.filter((line) => line.includes(',download,'))).toHaveLength(statistics.totals.downloads);
      }
    }
    const csv = await sharing.ana.send(`${sharing.linksPath(shelf)}${one.id}/stat.csv`);
    expect(csv.text).toContain('"notes, ""final"".txt"');
    expect(csv.text).toContain(`"'=HYPERLINK(""x"")"`);
    const pages = await Promise.all(
      [1, 2].map((page) => sharing.statistics(sharing.ana, shelf, null, `?page=${page}&page_size=10`)),
    );
    expect(pages.map(({ events, has_more }) => [events.length, has_more])).toEqual([
      [10, true],
      [8, false],
    ]);
  });

  it('stay sums when there are more rows than are told apart', async () => {
    const link = await sharing.share(sharing.ana, shelf, toDocument());
    for (let index = 0; index < 105; index += 1) {
      await sharing.person().send(`${link.path}?referrer=r${index}.example`);
    }
    const statistics = await sharing.statistics(sharing.ana, shelf, link.id, '?page_size=200');
    expectConsistent(statistics);
    expect(statistics.per_referrer.at(-1)).toMatchObject({ key: null, views: 5 });
  });

  it('of an unopened link are zeros', async () => {
    const link = await sharing.share(sharing.ana, shelf, toDocument());
    expect(await sharing.statistics(sharing.ana, shelf, link.id)).toMatchObject({
      totals: { views: 0, downloads: 0, unique_visitors: 0, last_access: null },
      per_day: [],
      per_document: [],
      events: [],
      has_more: false,
    });
  });

  it('say which version was seen, and what came after it', async () => {
    const link = await sharing.share(sharing.ana, shelf, toDocument());
    await sharing.person().send(link.path);
    let newest = '';
    for (const number of [4, 5]) {
      newest = await sharing.addVersion(
        { id: document.id, name: 'lease.txt', mime: 'text/plain', number },
        Buffer.from(`lease ${number}`),
      );
    }
    const { events } = await sharing.statistics(sharing.ana, shelf, link.id);
    const seen = document.versions[2];
    expect(events).toMatchObject([
      { version_number: 3, version_id: seen, newer_versions: 2, current_version_id: newest },
    ]);
  });

  it('are apart for each link, and outlive its end', async () => {
    const [one, two] = [
      await sharing.share(sharing.ana, shelf, toDocument()),
      await sharing.share(sharing.ana, shelf, toDocument()),
    ];
    await sharing.person().send(one.path);
    await sharing.ana.send(`${sharing.linksPath(shelf)}${one.id}/`, { method: 'DELETE' });
    expect((await totals(one.id)).views).toBe(1);
    expect((await totals(two.id)).views).toBe(0);
  });

  it('are for who made the link and for the owner of the shelf', async () => {
    const { ana, ben } = sharing;
    const [hers, his] = [await sharing.share(ana, shelf, toDocument()), await sharing.share(ben, shelf, toDocument())];
    await sharing.person().send(hers.path);
    await sharing.person().send(his.path);
    expect((await sharing.statistics(ana, shelf, null)).totals.views).toBe(2);
    expect((await sharing.statistics(ben, shelf, null)).totals.views).toBe(1);
    expect((await sharing.statistics(ben, shelf, his.id)).totals.views).toBe(1);
    for (const path of ['stat/', 'stat.csv']) {
      expect((await ben.send(`${sharing.linksPath(shelf)}${hers.id}/${path}`)).code).toBe('forbidden');
    }
  });
});

describe('hearing of it', () => {
  it('is one mail and one webhook, at the first opening by a visitor', async () => {
    const link = await sharing.share(sharing.ben, shelf, {
      ...toDocument(),
      label: 'For the bank',
      notify_on_open: true,
      webhook_url: 'https://hooks.example.org/x',
    });
    const quiet = await sharing.share(sharing.ben, shelf, toDocument());
    await sharing.cid.send(link.path);
    await sharing.person('', SLACK).send(link.path);
    expect(await sharing.mails('ben@example.org')).toEqual([]);
    for (const guest of [sharing.person(), sharing.person()]) {
      await guest.send(link.path);
      await guest.send(quiet.path);
    }
    const [mail = '', ...others] = await sharing.mails('ben@example.org');
    expect(others).toEqual([]);
    expect(mail).toContain('For the bank');
    expect(mail).toContain(`https://armarium.example/Atlas/${shelf}/share/stat/${link.id}`);
    const hooks = await sharing.database.selectFrom('jobs').select('payload').where('kind', '=', 'webhook').execute();
    expect(hooks).toHaveLength(1);
    const { url, body } = JSON.parse(hooks[0]?.payload ?? '') as { url: string; body: string };
    expect(url).toBe('https://hooks.example.org/x');
    expect(JSON.parse(body)).toMatchObject({ event: 'share-link.opened', link_id: link.id, name: 'lease.txt' });
  });

  it('is live for who looks at the statistics, and for nobody else', async () => {
    const link = await sharing.share(sharing.ana, shelf, toDocument());
    const path = `${sharing.linksPath(shelf)}${link.id}/stat/stream/`;
    for (const [who, code] of [
      [sharing.person(), 'unauthenticated'],
      [sharing.eve, 'not-found'],
      [sharing.cid, 'forbidden'],
      [sharing.ben, 'forbidden'],
    ] as const) {
      expect((await who.send(path)).code).toBe(code);
    }
    const watching = new AbortController();
    const live = await fetch(sharing.url + path, {
      headers: { 'x-user': sharing.ana.userId },
      signal: watching.signal,
    });
    const guest = sharing.person();
    for (const each of [link.path, link.path, contentOf(link)]) await guest.send(each);
    const other = await sharing.share(sharing.ana, shelf, toDocument());
    await guest.send(other.path);
    await sharing.cid.send(link.path);
    let text = '';
    for await (const chunk of live.body ?? []) {
      text += new TextDecoder().decode(chunk);
      if (text.includes('"team"')) break;
    }
    watching.abort();
    const told = [...text.matchAll(/event: share-event\ndata: (.*)\n/gu)].map(([, data = '']) => JSON.parse(data));
    expect(told.map(({ link_id }) => link_id)).toEqual([link.id, link.id, link.id]);
    expect(told.map(({ audience, kind }) => [audience, kind])).toEqual([
      ['visitor', 'view'],
      ['visitor', 'download'],
      ['team', 'view'],
    ]);
  });
});
