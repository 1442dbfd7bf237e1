import { createHmac } from 'node:crypto';
import { isIPv6 } from 'node:net';
import type { FastifyRequest } from 'fastify';
import type { ShareDevice } from '../../shared/model/shareLink.ts';

/**
 * Crawlers, and what fetches a preview when a link is posted somewhere; browsers inside such programs are people's. A phone
 * maker has the name Cubot.
 */
const BOT =
  /(?<!cu)bot|crawler|spider|slurp|preview|facebookexternalhit|^whatsapp|slack-imgproxy|embedly|iframely|vkshare|google-inspectiontool|googleimageproxy|mediapartners|feedfetcher|headlesschrome|lighthouse|pingdom|archive\.org/iu;
const TABLET = /ipad|tablet|playbook|silk|kindle|^(?!.*mobile).*android/iu;
const PHONE = /mobi|iphone|ipod|windows phone/iu;
const DESKTOP = /windows nt|macintosh|x11|linux|cros/iu;

/** Families of browsers, the one that others claim to be last. */
const FAMILIES = [
  ['edge', /edg(?:e|a|ios)?\//iu],
  ['opera', /opr\/|opera/iu],
  ['samsung', /samsungbrowser\//iu],
  ['firefox', /firefox\/|fxios\//iu],
  ['chrome', /chrome\/|crios\//iu],
  ['safari', /safari\//iu],
] as const;

/** Longer ones are no browser's, and no expression should have to read them. */
const userAgentOf = (request: FastifyRequest) => (request.headers['user-agent'] ?? '').slice(0, 512);

/** Whether a machine asks and nobody looks: a crawler, a link preview, a browser that loads ahead. */
export function isBot(request: FastifyRequest): boolean {
  const { headers, method } = request;
  const purposes = [headers['sec-purpose'], headers.purpose, headers['x-purpose'], headers['x-moz']].join(' ');
  return method === 'HEAD' || /prefetch|prerender|preview/iu.test(purposes) || BOT.test(userAgentOf(request));
}

/** The kind of device that a user agent names. */
export function deviceOf(request: FastifyRequest): ShareDevice {
  const userAgent = userAgentOf(request);
  if (isBot(request)) return 'bot';
  if (TABLET.test(userAgent)) return 'tablet';
  if (PHONE.test(userAgent)) return 'phone';
  return DESKTOP.test(userAgent) ? 'desktop' : 'unknown';
}

/** The eight groups of an IPv6 address. An IPv4 address at its end counts as two of them. */
export function ipv6Groups(address: string): number[] {
  const plain = (address.split('%')[0] ?? '').replace(/(\d+)\.(\d+)\.(\d+)\.(\d+)$/u, (_, a, b, c, d) =>
    [Number(a) * 256 + Number(b), Number(c) * 256 + Number(d)].map((group) => group.toString(16)).join(':'),
  );
  const [head = '', tail] = plain.split('::');
  const groups = (part: string) => (part === '' ? [] : part.split(':').map((group) => Number.parseInt(group, 16)));
  const [before, after] = [groups(head), groups(tail ?? '')];
  const gap = tail === undefined ? 0 : 8 - before.length - after.length;
  return [...before, ...Array.from({ length: gap }, () => 0), ...after];
}

/** The IPv4 address that an IPv6 address stands for (RFC 4291 §2.5.5.2), or null. */
export function mappedIpv4(address: string): string | null {
  if (!isIPv6(address)) return null;
  const groups = ipv6Groups(address);
  if (groups.slice(0, 5).some((group) => group !== 0) || groups[5] !== 0xffff) return null;
  return groups
    .slice(6)
    .flatMap((group) => [group >> 8, group & 255])
    .join('.');
}

/** Who is behind an address: everybody has a whole IPv6 network of 64 bits, and one IPv4 address. */
function hostOf(address: string): string {
  const ipv4 = mappedIpv4(address);
  if (ipv4 !== null) return ipv4;
  return isIPv6(address) ? ipv6Groups(address).slice(0, 4).join(':') : address;
}

/** Whose guesses count together: the network that somebody can have many addresses of (/24, /64). */
export function networkOf(address: string): string {
  const host = hostOf(address);
  return host.includes('.') ? host.split('.').slice(0, 3).join('.') : host;
}

/**
 * Tells visitors of one day apart, and nothing else: the salt follows from the day and the key, so that a visitor of another
 * day is another one, and no address can be tried out without the key (decisions.md §10).
 */
export function visitorHash(key: Buffer, request: FastifyRequest, day: string): string {
  const family = FAMILIES.find(([, pattern]) => pattern.test(userAgentOf(request)))?.[0] ?? 'other';
  const salt = createHmac('sha256', key).update(`visitors of ${day}`).digest();
  return createHmac('sha256', salt)
    .update(JSON.stringify([hostOf(request.ip), family]))
    .digest('hex')
    .slice(0, 32);
}

/** The host of the page that led to the link: what our page says, else the header; never a page of our own. */
export function referrerOf(request: FastifyRequest, named: string | undefined, ownHost: string): string {
  const header = request.headers.referer ?? '';
  const host = named ?? (URL.canParse(header) ? new URL(header).hostname : '');
  const known = host.toLowerCase();
  return /^[\w.-]{1,253}$/u.test(known) && known !== ownHost ? known : '';
}
