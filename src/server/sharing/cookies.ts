import { createHmac, randomInt } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { newSecret, secretsEqual } from '../auth/secrets.ts';

/** What one browser has shown of itself to one link, and under which name its openings are counted. */
const Session = z.object({
  link: z.string(),
  /** Random: openings and documents of one session count once. */
  id: z.string(),
  /** How its opening was counted; null before. */
  opened: z.enum(['visitor', 'team']).nullable(),
  /** The password that was right, as a mark that changes with it. */
  password: z.string().nullable(),
  /** The address that was verified. */
  email: z.string().nullable(),
  /** Host of the page that led to the link. */
  referrer: z.string(),
  expires_ms: z.number(),
});
export type ShareSession = z.infer<typeof Session>;

const Challenge = z.object({
  link: z.string(),
  email: z.string(),
  /** Binds the code to this very challenge. */
  nonce: z.string(),
  code: z.string(),
  expires_ms: z.number(),
});

const SESSION_MS = 12 * 3600_000;
const CHALLENGE_MS = 10 * 60_000;
/** Sent to the public calls alone. */
const PATH = '/api/v1/shared/';

/**
 * What the server remembers of visitors without an account stands in cookies of theirs, signed by it: nothing is stored about
 * somebody who only looks at a password form.
 */
export interface ShareCookies {
  /** The session with a link; a new one that proves nothing where there is none. */
  session(request: FastifyRequest, linkId: string): ShareSession;
  keepSession(reply: FastifyReply, session: ShareSession): void;
  /** Begins a proof of an address: the code that has to be mailed there. The browser gets a mark that does not tell it. */
  challenge(reply: FastifyReply, linkId: string, email: string): string;
  /** Whether a code is that of the challenge which this browser was given for this address. */
  isCode(request: FastifyRequest, linkId: string, email: string, code: string): boolean;
}

/** Makes the cookies of share links. */
export function createShareCookies(options: {
  readonly key: Buffer;
  readonly publicUrl: () => string;
  readonly now: () => number;
}): ShareCookies {
  const { key, publicUrl, now } = options;
  const nameOf = (kind: 'session' | 'code', linkId: string) => `armarium_share_${kind}_${linkId.slice(0, 8)}`;
  const signature = (text: string) => createHmac('sha256', key).update(text).digest('base64url');
  const codeMark = (linkId: string, email: string, nonce: string, code: string) =>
    signature(JSON.stringify(['code', linkId, email, nonce, code]));

  function write(reply: FastifyReply, kind: 'session' | 'code', linkId: string, value: unknown, lifetimeMs: number) {
    const body = Buffer.from(JSON.stringify(value)).toString('base64url');
    reply.setCookie(nameOf(kind, linkId), `${body}.${signature(`${kind} ${body}`)}`, {
      path: PATH,
      httpOnly: true,
      sameSite: 'lax',
      secure: publicUrl().startsWith('https:'),
      maxAge: Math.max(0, Math.floor(lifetimeMs / 1000)),
    });
  }

  function read<T extends { readonly link: string; readonly expires_ms: number }>(
    request: FastifyRequest,
    kind: 'session' | 'code',
    linkId: string,
    schema: z.ZodType<T>,
  ): T | null {
    const [body = '', mark = ''] = (request.cookies[nameOf(kind, linkId)] ?? '').split('.');
    if (body === '' || !secretsEqual(mark, signature(`${kind} ${body}`))) return null;
    const value = schema.parse(JSON.parse(Buffer.from(body, 'base64url').toString()));
    return value.link === linkId && value.expires_ms > now() ? value : null;
  }

  return {
    session: (request, linkId) =>
      read(request, 'session', linkId, Session) ?? {
        link: linkId,
        id: newSecret(),
        opened: null,
        password: null,
        email: null,
        referrer: '',
        expires_ms: now() + SESSION_MS,
      },
    keepSession: (reply, session) => write(reply, 'session', session.link, session, session.expires_ms - now()),
    challenge(reply, linkId, email) {
      const code = String(randomInt(1_000_000)).padStart(6, '0');
      const nonce = newSecret();
      const mark = codeMark(linkId, email, nonce, code);
      const challenge = { link: linkId, email, nonce, code: mark, expires_ms: now() + CHALLENGE_MS };
      write(reply, 'code', linkId, challenge, CHALLENGE_MS);
      return code;
    },
    isCode(request, linkId, email, code) {
      const challenge = read(request, 'code', linkId, Challenge);
      if (challenge === null || challenge.email !== email) return false;
      return secretsEqual(challenge.code, codeMark(linkId, email, challenge.nonce, code));
    },
  };
}
