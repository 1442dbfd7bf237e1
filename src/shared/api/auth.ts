import { z } from 'zod';
import { Id } from '../model/common.ts';
import { User } from '../model/user.ts';
import { CLIENT_IDS } from '../rules/clientIds.ts';
import { call } from './call.ts';

export const ClientId = z.enum([CLIENT_IDS.web, CLIENT_IDS.desktop]);

const challenge = {
  uuid: Id,
  client_id: ClientId,
  redirect_uri: z.url().max(2000),
  code_challenge: z.string().regex(/^[A-Za-z0-9_-]{43}$/u),
  code_challenge_method: z.literal('S256'),
};

/** Sign-in: authorisation code with PKCE (RFC 7636), web-and-phone.md §7 and decisions.md §4. */
export const auth = {
  initiate: call({
    method: 'POST',
    path: '/auth/v1/initiate/',
    summary: "Starts a sign-in and names the server's own sign-in page.",
    access: 'public',
    body: z.object({ ...challenge, source: z.enum(['web', 'electron']) }),
    response: z.object({ auth_url: z.string() }),
    errors: [],
  }),
  initiateElectron: call({
    method: 'GET',
    path: '/auth/v1/initiate/electron',
    summary: 'Starts a desktop sign-in (RFC 8252: loopback redirect, any port).',
    access: 'public',
    query: z.object({ ...challenge, response_type: z.literal('code') }),
    response: z.object({ auth_url: z.string() }),
    errors: [],
  }),
  completeDesktop: call({
    method: 'POST',
    path: '/auth/v1/desktop-sign-in/',
    summary: 'Completes the sign-in that a desktop began, as the person who is signed in and confirmed it on the page.',
    access: 'user',
    body: z.object({ request: z.string().max(100) }),
    response: z.object({ redirect: z.string() }),
    errors: ['gone'],
  }),
  verify: call({
    method: 'POST',
    path: '/auth/v1/verify/',
    summary: 'Tells whether code, state and uuid belong to one sign-in, without using the code up.',
    access: 'public',
    body: z.object({ code: z.string().max(200), state: z.string().max(200), uuid: Id }),
    response: z.object({ valid: z.boolean() }),
    errors: [],
  }),
  token: call({
    method: 'POST',
    path: '/auth/v1/token/',
    summary: 'Exchanges a code. Web tokens travel in HttpOnly cookies only, desktop tokens in the body only.',
    access: 'public',
    bodyFormat: 'form',
    body: z.object({
      grant_type: z.literal('authorization_code'),
      code: z.string().max(200),
      redirect_uri: z.string().max(2000),
      client_id: ClientId,
      code_verifier: z.string().min(43).max(128),
      uuid: Id,
      source: z.enum(['web', 'electron']),
    }),
    response: z.object({
      success: z.boolean(),
      access_token: z.string().optional(),
      refresh_token: z.string().optional(),
      /** Seconds. */
      expires_in: z.number(),
    }),
    errors: ['sign-in-failed'],
  }),
  refresh: call({
    method: 'POST',
    path: '/auth/v1/token/refresh/',
    summary: 'Rotates the refresh token. A used one that comes back revokes its whole family.',
    access: 'public',
    body: z.object({ client_id: ClientId, refresh_token: z.string().max(200).optional() }),
    response: z.object({
      success: z.boolean(),
      access_token: z.string().optional(),
      refresh_token: z.string().optional(),
      expires_in: z.number(),
    }),
    errors: ['session-expired'],
  }),
  revoke: call({
    method: 'POST',
    path: '/auth/v1/token/revoke/',
    summary: 'Signs out: revokes the family of the token given, or of the cookie.',
    access: 'public',
    bodyFormat: 'form',
    body: z.object({
      client_id: ClientId,
      access_token: z.string().max(200).optional(),
      refresh_token: z.string().max(200).optional(),
    }),
    response: z.object({ success: z.boolean() }),
    errors: [],
  }),
  status: call({
    method: 'GET',
    path: '/auth/v1/status/',
    summary: 'Whether the caller is signed in, and as whom.',
    access: 'public',
    response: z.object({ isAuthenticated: z.boolean(), user: User.nullable() }),
    errors: [],
  }),
  userinfo: call({
    method: 'GET',
    path: '/auth/v1/userinfo/',
    summary: 'The signed-in user.',
    access: 'user',
    response: User,
    errors: [],
  }),
  completeSignup: call({
    method: 'POST',
    path: '/auth/v1/complete-signup/',
    summary: 'Gives a new account its user name and its first library.',
    access: 'user',
    body: z.object({
      username: z.string(),
      name: z.string().min(1).max(200),
      library_name: z.string(),
      accepted_terms: z.literal(true),
    }),
    response: User,
    errors: ['name-invalid', 'name-taken', 'conflict'],
  }),
  changePassword: call({
    method: 'POST',
    path: '/auth/v1/change-password/',
    summary: 'Changes the password. Every other device is signed out.',
    access: 'user',
    body: z.object({ current_password: z.string().max(1024), new_password: z.string().max(1024) }),
    response: z.object({ success: z.literal(true) }),
    errors: ['credentials-invalid', 'password-weak'],
  }),
  social: call({
    method: 'POST',
    path: '/auth/v1/social/',
    summary: 'Completes a sign-in by way of another provider, for a client that got its answer. Says where to go on.',
    access: 'public',
    body: z.object({
      provider: z.enum(['google', 'microsoft', 'apple', 'oidc']),
      state: z.string().max(500),
      code: z.string().max(4000),
      /** The client's own, of the sign-in that it began: needed where the browser's cookie does not prove that. */
      code_verifier: z.string().max(200).optional(),
    }),
    response: z.object({ redirect: z.string() }),
    errors: ['sign-in-failed', 'not-found'],
  }),
};
