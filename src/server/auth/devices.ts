import { createHmac } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { secretsEqual } from './secrets.ts';

/**
 * Devices that somebody signed in on before. Strangers who use up an account's guesses cannot keep its owner out: guesses from
 * a known device are counted apart.
 */
export interface KnownDevices {
  isKnown(request: FastifyRequest, account: string): boolean;
  remember(reply: FastifyReply, account: string, secure: boolean): void;
}

const COOKIE = 'armarium_device';
const LIFETIME_S = 365 * 24 * 3600;

/** Makes the service with a key of its own. */
export function createKnownDevices(key: Buffer): KnownDevices {
  const mark = (account: string) => createHmac('sha256', key).update(account).digest('base64url');
  return {
    isKnown: (request, account) => secretsEqual(request.cookies[COOKIE] ?? '', mark(account)),
    remember(reply, account, secure) {
      reply.setCookie(COOKIE, mark(account), {
        path: '/',
        httpOnly: true,
        sameSite: 'lax',
        secure,
        maxAge: LIFETIME_S,
      });
    },
  };
}
