import { describe, expect, it, vi } from 'vitest';
import { foundByPage, pageOfLabel } from '../../../src/renderer/features/viewer/pdf/found.ts';
import { type Heading, visibleHeadings } from '../../../src/renderer/features/viewer/pdf/outline.ts';
import {
  anchorAt,
  currentPage,
  GAP,
  layOut,
  pageAt,
  pagesNear,
  scrollOf,
} from '../../../src/renderer/features/viewer/pdf/pageLayout.ts';
import { inReadingOrder } from '../../../src/renderer/features/viewer/pdf/readingOrder.ts';
import { safeAddress } from '../../../src/renderer/features/viewer/pdf/targets.ts';
import { stepZoom, zoomFactor } from '../../../src/renderer/features/viewer/pdf/zoom.ts';
import { createRangeFetch } from '../../../src/renderer/ui/pdf/rangeFetch.ts';

const A4 = { width: 600, height: 900 };
const ACROSS = { width: 900, height: 600 };
/** Points are pixels at this zoom. */
const PLAIN = { zoom: 0.75, rotation: 0, room: 700 };

describe('where pages stand', () => {
  const layout = layOut({ sizes: [A4, ACROSS, undefined], ...PLAIN });

  it('stands them below each other in the middle, and takes an unknown one to be like the first', () => {
    expect(layout.boxes).toEqual([
      { left: 162, top: GAP, width: 600, height: 900 },
      { left: GAP, top: 900 + 2 * GAP, width: 900, height: 600 },
      { left: 162, top: 1500 + 3 * GAP, width: 600, height: 900 },
    ]);
    expect(layout).toMatchObject({ width: 900 + 2 * GAP, height: 2400 + 4 * GAP });
  });

  it('turns them', () => {
    expect(layOut({ sizes: [A4], ...PLAIN, rotation: 90 }).boxes[0]).toMatchObject({ width: 900, height: 600 });
  });

  it.each([
    [0, 0],
    [GAP + 899, 0],
    [GAP + 900 + GAP, 1],
    [9999, 2],
    [-50, 0],
  ])('finds the page at %d', (top, page) => expect(pageAt(layout, top)).toBe(page));

  it('knows which are near, and which is read', () => {
    const sight = { left: 0, top: 850, width: 700, height: 300 };
    expect(pagesNear(layout, sight, 0)).toEqual([0, 1]);
    expect(pagesNear(layout, sight, 700)).toEqual([0, 2]);
    expect(currentPage(layout, sight)).toBe(1);
    expect(currentPage(layout, { ...sight, top: 0 })).toBe(0);
    expect(currentPage(layout, { ...sight, top: layout.height - 300 })).toBe(2);
  });

  it('keeps a point in its place when all others move', () => {
    const sight = { left: 0, top: 1000, width: 700, height: 300 };
    const anchor = anchorAt(layout, sight, 350, 100);
    expect(scrollOf(layout, anchor)).toEqual({ left: 0, top: 1000 });
    const larger = layOut({ sizes: [A4, ACROSS, A4], ...PLAIN, zoom: 1.5 });
    const moved = { ...sight, ...scrollOf(larger, anchor) };
    const again = anchorAt(larger, moved, 350, 100);
    expect([again.page, again.x, again.y]).toEqual([anchor.page, expect.closeTo(anchor.x), expect.closeTo(anchor.y)]);
  });
});

describe('zoom', () => {
  it.each([
    ['width', 0, 624 / 600],
    ['width', 90, 624 / 900],
    ['page', 0, 424 / 900],
    [9, 0, 5],
    [0.01, 0, 0.25],
  ] as const)('%s turned by %d', (zoom, rotation, pixels) => {
    const room = { width: 624 + 2 * GAP, height: 424 + 2 * GAP };
    const points = typeof zoom === 'number' ? pixels : pixels * 0.75;
    expect(zoomFactor(zoom, A4, rotation, room)).toBeCloseTo(points);
  });

  it.each([
    [1, 1, 1.1],
    [1.04, 1, 1.1],
    [1.04, -1, 1],
    [5, 1, 5],
    [0.25, -1, 0.25],
  ] as const)('steps from %d by %d', (from, direction, to) => expect(stepZoom(from, direction)).toBe(to));
});

describe('lines from the right', () => {
  const line = (...pieces: readonly (readonly [str: string, x: number])[]) =>
    pieces.map(([str, x], index) => ({
      str,
      dir: /[\u0590-\u06FF]/u.test(str) ? 'rtl' : 'ltr',
      transform: [1, 0, 0, 1, x, 0],
      hasEOL: index === pieces.length - 1,
    }));
  it.each([
    ['as printed', line(['ג', 1], [' ', 2], ['ב', 3], [', ', 4], ['א', 5]), 'א, ב ג'],
    ['as read already', line(['א', 5], [' ', 4], ['ב', 3]), 'א ב'],
    [
      'with a name in it',
      line(['גבא', 1], [' ', 2], ['New', 3], [' ', 4], ['York', 5], [' ', 6], ['אבגדה', 7]),
      'אבגדה New York גבא',
    ],
    [
      'within a line from the left',
      line(['see the text: ', 1], ['ב', 2], [' ', 3], ['א', 4], [' there', 5]),
      'see the text: א ב there',
    ],
    ['none', line(['one', 1], [' ', 2], ['two', 3]), 'one two'],
  ])('%s', (_what, pieces, read) => {
    const ordered = inReadingOrder(pieces);
    expect(ordered.map(({ str }) => str).join('')).toBe(read);
    expect(ordered.findIndex(({ hasEOL }) => hasEOL)).toBe(pieces.length - 1);
  });
});

it.each([
  ['https://example.org/a?b=1', 'https://example.org/a?b=1'],
  ['mailto:ana@example.org', 'mailto:ana@example.org'],
  ['javascript:alert(1)', null],
  ['file:///etc/passwd', null],
  ['https://user:secret@example.org/', null],
  ['tel:123', null],
  ['#page', null],
  [7, null],
])('leads to %s as %s', (address, safe) => expect(safeAddress(address)).toBe(safe));

it('shows the headings whose parents are open', () => {
  const heading = (path: string, isParent: boolean) => ({ path, isParent }) as Heading;
  const all = [
    heading('0', true),
    heading('0.0', true),
    heading('0.0.0', false),
    heading('1', false),
    heading('10', false),
  ];
  const shown = (...open: string[]) => visibleHeadings(all, new Set(open)).map(({ path }) => path);
  expect(shown()).toEqual(['0', '1', '10']);
  expect(shown('0')).toEqual(['0', '0.0', '1', '10']);
  expect(shown('0.0')).toEqual(['0', '1', '10']);
  expect(shown('0', '0.0')).toEqual(['0', '0.0', '0.0.0', '1', '10']);
});

it('deals what was found to the pages', () => {
  expect(['Page 3', 'Page 0', 'Sheet 3', null].map(pageOfLabel)).toEqual([2, null, null, null]);
  const sections = [
    { label: 'Page 2', text: 'aa' },
    { label: 'Page 4', text: 'ba' },
  ];
  const match = (section: number, start: number) => ({ section, start, end: start + 1 });
  const { pages, active } = foundByPage({ matches: [match(0, 0), match(0, 1), match(1, 1)], active: 2 }, sections);
  expect(active).toBe(3);
  expect(pages.get(1)).toEqual({ section: sections[0], matches: [match(0, 0), match(0, 1)], active: -1 });
  expect(pages.get(3)).toEqual({ section: sections[1], matches: [match(0, 1)], active: 0 });
});

describe('fetching a range', () => {
  const answers = (...responses: Response[]) => vi.fn<typeof fetch>(async () => responses.shift() ?? Response.error());
  const { signal } = new AbortController();
  const bytes = Uint8Array.from({ length: 10 }, (_, index) => index);
  it.each([
    ['a part', [new Response(bytes.slice(2, 5), { status: 206 })]],
    ['everything', [new Response(bytes)]],
    [
      'a part after the session went on',
      [new Response(null, { status: 401 }), new Response(bytes.slice(2, 5), { status: 206 })],
    ],
  ])('takes it from %s', async (_what, responses) => {
    const fetchRange = createRangeFetch({ url: '/content', resume: async () => true, fetch: answers(...responses) });
    expect([...(await fetchRange(2, 5, signal))]).toEqual([2, 3, 4]);
  });

  it.each([
    ['session-expired', 401],
    ['not-found', 404],
    ['internal', 500],
  ])('says %s for %d', async (code, status) => {
    const fetchRange = createRangeFetch({
      url: '/content',
      resume: async () => false,
      fetch: answers(new Response(null, { status })),
    });
    await expect(fetchRange(0, 5, signal)).rejects.toMatchObject({ code });
  });
});
