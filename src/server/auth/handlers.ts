import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Api } from '../../shared/api/index.ts';
import { AppError } from '../../shared/errors.ts';
import type { PlanType } from '../../shared/model/common.ts';
import { CLIENT_IDS } from '../../shared/rules/clientIds.ts';
import { LIMITS } from '../../shared/rules/limits.ts';
import type { Database } from '../database/connection.ts';
import { type Actor, actorOf, callerOf } from '../http/context.ts';
import type { ApiHandlers } from '../http/mount.ts';
import type { Plans } from '../libraries/plans.ts';
import type { ServerSettings } from '../settings/settings.ts';
import type { Accounts } from './accounts.ts';
import { completeSignup } from './completeSignup.ts';
import type { KnownDevices } from './devices.ts';
import { type Providers, SOCIAL_COOKIE } from './providers.ts';
import type { SecondFactor } from './secondFactor.ts';
import type { SignIns } from './signIns.ts';
import type { IssuedTokens, TokenService } from './tokens.ts';
import { readUser } from './users.ts';

export const ACCESS_COOKIE = 'armarium_access';
const REFRESH_COOKIE = 'armarium_refresh';
const REFRESH_PATH = '/auth/v1/';
/** The least first. */
const PLANS = [99, 0, 1, 2] as const satisfies readonly PlanType[];

/** Who sends a request: by bearer token, else by cookie. */
export function createAuthenticator(tokens: TokenService): (request: FastifyRequest) => Promise<Actor | null> {
  return async (request) => {
    const bearer = /^Bearer ([\w-]{20,200})$/u.exec(request.headers.authorization ?? '')?.[1];
    const token = bearer ?? (request.headers.authorization === undefined ? request.cookies[ACCESS_COOKIE] : undefined);
    return token === undefined ? null : tokens.actor(token);
  };
}

export interface AuthHandlersOptions {
  readonly database: Database;
  readonly plans: Plans;
  readonly accounts: Accounts;
  readonly devices: KnownDevices;
  readonly providers: Providers;
  readonly secondFactor: SecondFactor;
  readonly limitsOf: ServerSettings['limitsOf'];
  readonly signIns: SignIns;
  readonly tokens: TokenService;
  /** Origin that a request was sent to. */
  readonly originOf: (request: FastifyRequest) => string;
  /** The web application is served here, so that browsers may be sent to its screens. */
  readonly hasWebApp: boolean;
  readonly now: () => number;
}

function cookieOptions(origin: string, path: string, lifetimeMs: number) {
  return {
    path,
    httpOnly: true,
    sameSite: 'lax',
    secure: origin.startsWith('https:'),
    maxAge: lifetimeMs / 1000,
  } as const;
}

function clearCookies(reply: FastifyReply): void {
  reply.clearCookie(ACCESS_COOKIE, { path: '/' });
  reply.clearCookie(REFRESH_COOKIE, { path: REFRESH_PATH });
}

/** Handlers of the sign-in calls. */
export function authHandlers({
  database,
  plans,
  accounts,
  devices,
  providers,
  secondFactor,
  limitsOf,
  signIns,
  tokens,
  originOf,
  hasWebApp,
  now,
}: AuthHandlersOptions): ApiHandlers<Api>['auth'] {
  function setCookies(reply: FastifyReply, origin: string, issued: IssuedTokens): void {
    reply.setCookie(ACCESS_COOKIE, issued.access, cookieOptions(origin, '/', LIMITS.accessTokenLifetimeMs));
    reply.setCookie(REFRESH_COOKIE, issued.refresh, cookieOptions(origin, REFRESH_PATH, LIMITS.refreshTokenLifetimeMs));
  }

  function answer(reply: FastifyReply, request: FastifyRequest, clientId: string, issued: IssuedTokens) {
    if (clientId === CLIENT_IDS.web) {
      setCookies(reply, originOf(request), issued);
      return { success: true, expires_in: issued.expiresIn };
    }
    return { success: true, access_token: issued.access, refresh_token: issued.refresh, expires_in: issued.expiresIn };
  }

  return {
    async initiate({ body }, { request }) {
      const origin = originOf(request);
      const { id } = await signIns.initiate(body, body.source, origin);
      return { auth_url: `${origin}/sign-in?request=${id}` };
    },
    async initiateElectron({ query }, { request }) {
      const origin = originOf(request);
      const { id } = await signIns.initiate(query, 'electron', origin);
      // The web application knows who is signed in in this browser; guests go on to the sign-in page from there.
      const page = hasWebApp ? '/?source=client&' : '/sign-in?';
      return { auth_url: `${origin}${page}request=${id}` };
    },
    async completeDesktop({ body }, context) {
      const signIn = await signIns.find(body.request, originOf(context.request));
      // A web sign-in is never completed for somebody else: its code would go to whoever began it here.
      if (signIn?.clientId !== CLIENT_IDS.desktop) {
        throw new AppError('gone', 'the sign-in is no longer under way; start again in the desktop application');
      }
      return { redirect: await signIns.complete(signIn.id, actorOf(context).id) };
    },
    verify: async ({ body }) => ({ valid: await signIns.verify(body.code, body.state, body.uuid) }),
    token: async ({ body }, { request, reply }) => answer(reply, request, body.client_id, await signIns.exchange(body)),
    async refresh({ body }, { request, reply }) {
      const token =
        body.refresh_token ?? (body.client_id === CLIENT_IDS.web ? request.cookies[REFRESH_COOKIE] : undefined);
      if (token === undefined) throw new AppError('session-expired', 'there is no session to refresh');
      try {
        return answer(reply, request, body.client_id, await tokens.refresh(token, body.client_id));
      } catch (error) {
        if (body.client_id === CLIENT_IDS.web) clearCookies(reply);
        throw error;
      }
    },
    async revoke({ body }, { request, reply, actor }) {
      for (const token of [body.refresh_token, body.access_token, request.cookies[REFRESH_COOKIE]]) {
        if (token !== undefined) await tokens.revokeToken(token);
      }
      if (actor !== null) await tokens.revokeFamily(actor.familyId);
      if (body.client_id === CLIENT_IDS.web) clearCookies(reply);
      return { success: true };
    },
    async status(_input, { actor }) {
      return actor === null
        ? { isAuthenticated: false, user: null }
        : { isAuthenticated: true, user: await readUser(database, actor.id, limitsOf) };
    },
    userinfo: (_input, context) => readUser(database, actorOf(context).id, limitsOf),
    async completeSignup({ body }, context) {
      const { id } = actorOf(context);
      await completeSignup(database, plans, id, body, now());
      return readUser(database, id, limitsOf);
    },
    async changePassword({ body }, context) {
      await accounts.changePassword(callerOf(context), body.current_password, body.new_password);
      return { success: true };
    },
    async social({ body }, { request, reply }) {
      const proof = { state: request.cookies[SOCIAL_COOKIE], verifier: body.code_verifier };
      const { signInId, userId, account } = await providers.complete(body.provider, body, proof);
      reply.clearCookie(SOCIAL_COOKIE, { path: '/' });
      const token = await secondFactor.begin(userId, signInId);
      if (token !== null) return { redirect: `${originOf(request)}/second-step?token=${token}` };
      const redirect = await signIns.complete(signInId, userId);
      devices.remember(reply, account, originOf(request).startsWith('https:'));
      return { redirect };
    },
  };
}

/** Handlers of the calls on the caller's own account. */
export function accountHandlers(
  options: Pick<AuthHandlersOptions, 'database' | 'plans' | 'accounts' | 'secondFactor' | 'tokens' | 'limitsOf'>,
): ApiHandlers<Api>['account'] {
  const { database, plans, accounts, secondFactor, tokens, limitsOf } = options;
  const success = { success: true } as const;
  return {
    async remove(_input, context) {
      const caller = callerOf(context);
      await accounts.remove(caller, caller.actor.id);
      clearCookies(context.reply);
      return null;
    },
    async update({ body }, context) {
      const { id } = actorOf(context);
      const changed = {
        ...(body.name === undefined ? {} : { name: body.name }),
        ...(body.mail_digest === undefined ? {} : { mail_digest: body.mail_digest ? 1 : 0 }),
      };
      if (Object.keys(changed).length > 0) {
        await database.updateTable('users').set(changed).where('id', '=', id).execute();
      }
      return readUser(database, id, limitsOf);
    },
    async plan(_input, context) {
      const { id } = actorOf(context);
      const { plan_type } = await readUser(database, id, limitsOf);
      return {
        plan_type,
        used: {
          libraries: await plans.used(database, id, 'max_libraries'),
          shelves: await plans.used(database, id, 'max_shelves'),
          documents: await plans.used(database, id, 'max_documents'),
        },
        plans: await Promise.all(PLANS.map(async (plan) => ({ plan_type: plan, ...(await limitsOf(database, plan)) }))),
      };
    },
    async resendVerification(_input, context) {
      await accounts.sendVerification(actorOf(context).id);
      return success;
    },
    sessions: async (_input, context) => ({ sessions: await accounts.sessions(actorOf(context)) }),
    async endSession({ params }, context) {
      await accounts.endSession(actorOf(context), params.id);
      return success;
    },
    async signOutEverywhere(_input, context) {
      await tokens.revokeUser(actorOf(context).id, null);
      clearCookies(context.reply);
      return success;
    },
    secondStep: (_input, context) => secondFactor.status(actorOf(context).id),
    startSecondStep: (_input, context) => secondFactor.start(actorOf(context)),
    enableSecondStep: async ({ body }, context) => ({
      recovery_codes: await secondFactor.enable(actorOf(context), body.code),
    }),
    async disableSecondStep({ body }, context) {
      await secondFactor.disable(actorOf(context), body.proof);
      return success;
    },
  };
}
