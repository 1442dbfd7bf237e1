import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { isAppError } from '../../shared/errors.ts';
import type { Database } from '../database/connection.ts';
import type { Accounts } from './accounts.ts';
import type { KnownDevices } from './devices.ts';
import {
  expiredPage,
  type FormState,
  forgotPasswordPage,
  messagePage,
  PAGES_CSS,
  resetPasswordPage,
  secondStepPage,
  signInPage,
  signUpPage,
  verifyEmailPage,
} from './pages.ts';
import type { PasswordHasher } from './passwords.ts';
import { type Providers, SOCIAL_COOKIE } from './providers.ts';
import type { SecondFactor } from './secondFactor.ts';
import type { SignIns } from './signIns.ts';
import {
  GUESS_WINDOW_MS,
  GUESSES_PER_ACCOUNT,
  GUESSES_PER_ADDRESS,
  type GuessLimit,
  type Throttle,
} from './throttle.ts';
import { emailKey } from './users.ts';

const Secret = z.string().max(100);
const Credentials = z.object({ request: Secret, email: z.string().max(254), password: z.string().max(1024) });
const Forgot = z.object({ request: Secret.default(''), email: z.string().max(254) });
const Reset = z.object({ token: Secret, password: z.string().max(1024) });
const SecondStep = z.object({ token: Secret, code: z.string().max(100) });
const Token = z.object({ token: Secret });
const Query = z.object({ request: Secret });
const ProviderAnswer = z
  .object({ state: z.string().max(500) })
  .and(z.union([z.object({ code: z.string().max(4000) }), z.object({ error: z.string().max(500) })]));

/** Mails with a link for a new password, in a quarter of an hour. */
const RESET_MAILS = 3;
const SOCIAL_COOKIE_LIFETIME_S = 10 * 60;

export interface SignInPagesOptions {
  readonly database: Database;
  readonly accounts: Accounts;
  readonly devices: KnownDevices;
  readonly signIns: SignIns;
  readonly hasher: PasswordHasher;
  readonly providers: Providers;
  readonly secondFactor: SecondFactor;
  readonly throttle: Throttle;
  /** Origin that a request was sent to. */
  readonly originOf: (request: FastifyRequest) => string;
}

/** Browsers apply `form-action` to where a form's answer redirects, so the client's own address has to be allowed. */
function pagePolicy(redirectUri: string | null): string {
  const target = redirectUri === null ? '' : ` ${new URL(redirectUri).origin}`;
  return `default-src 'none'; style-src 'self'; form-action 'self'${target}; base-uri 'none'; frame-ancestors 'none'`;
}

const tooMany = (wait: number) => `Too many attempts. Try again in ${Math.ceil(wait / 60_000)} minutes.`;

/** A refusal as the form shows it. */
interface Refusal {
  readonly error: string;
  readonly status: number;
}

/** The server's own pages for signing in and up (decisions.md §4). They need no script. */
export function signInRoutes(app: FastifyInstance, options: SignInPagesOptions): void {
  const { database, accounts, devices, signIns, hasher, providers, secondFactor, throttle, originOf } = options;
  const pages = { 'sign-in': signInPage, 'sign-up': signUpPage, 'forgot-password': forgotPasswordPage } as const;

  const isSecure = (request: FastifyRequest) => originOf(request).startsWith('https:');

  function send(reply: FastifyReply, html: string, status = 200, redirectUri: string | null = null): FastifyReply {
    return (
      reply
        .code(status)
        .type('text/html; charset=utf-8')
        .header('cache-control', 'no-store')
        // So that the form's own post names its origin; nobody else gets the address.
        .header('referrer-policy', 'same-origin')
        .header('content-security-policy', pagePolicy(redirectUri))
        .send(html)
    );
  }

  async function show(
    request: FastifyRequest,
    reply: FastifyReply,
    kind: keyof typeof pages,
    state: Omit<FormState, 'providers' | 'canSignUp'>,
    status = 200,
  ) {
    const signIn = await signIns.find(state.request, originOf(request));
    if (signIn === null) return send(reply, expiredPage(), 410);
    const offered = { providers: await providers.list(), canSignUp: await accounts.canSignUp() };
    return send(reply, pages[kind]({ ...state, ...offered }), status, signIn.redirectUri);
  }

  const limitsOf = (key: string, address: string, limit = GUESSES_PER_ACCOUNT) => [
    { key, limit, windowMs: GUESS_WINDOW_MS },
    { key: `address ${address}`, limit: GUESSES_PER_ADDRESS, windowMs: GUESS_WINDOW_MS },
  ];

  /** What a guess counts under. That of a known device counts for itself alone: neighbours cannot use it up either. */
  function guessLimits(request: FastifyRequest, what: 'password' | 'second-step', account: string) {
    const limits = limitsOf(`${what} of ${account}`, request.ip);
    if (!devices.isKnown(request, account)) return limits;
    return [{ key: `${what} of ${account} on a known device`, limit: GUESSES_PER_ACCOUNT, windowMs: GUESS_WINDOW_MS }];
  }

  const clear = async (limits: readonly GuessLimit[]) => {
    const [own] = limits;
    if (own !== undefined) await throttle.clear(own.key);
  };

  async function signIn(
    request: FastifyRequest,
    form: z.infer<typeof Credentials>,
  ): Promise<{ userId: string } | Refusal> {
    const account = emailKey(form.email);
    const limits = guessLimits(request, 'password', account);
    const wait = await throttle.attempt(limits);
    if (wait > 0) return { error: tooMany(wait), status: 429 };
    const user = await database
      .selectFrom('users')
      .select(['id', 'password_hash', 'disabled'])
      .where('email_key', '=', account)
      .executeTakeFirst();
    // Who came by another provider has no password.
    const stored = user === undefined || user.password_hash === '' ? null : user.password_hash;
    if (!(await hasher.verify(stored, form.password)) || user === undefined) {
      return { error: 'Email address or password is wrong.', status: 401 };
    }
    if (user.disabled === 1) {
      return { error: 'This account is disabled. Ask the administrator of the server.', status: 403 };
    }
    await clear(limits);
    return { userId: user.id };
  }

  async function signUp(
    request: FastifyRequest,
    form: z.infer<typeof Credentials>,
  ): Promise<{ userId: string } | Refusal> {
    const wait = await throttle.attempt(limitsOf(`sign-up ${request.ip}`, request.ip));
    if (wait > 0) return { error: tooMany(wait), status: 429 };
    try {
      return { userId: await accounts.signUp(form.email, form.password) };
    } catch (error) {
      if (isAppError(error, 'email-taken')) {
        return { error: 'There is an account with this email address already. Sign in instead.', status: 409 };
      }
      if (isAppError(error, 'password-weak') || isAppError(error, 'bad-request') || isAppError(error, 'forbidden')) {
        return { error: error.message, status: 422 };
      }
      throw error;
    }
  }

  /** The person is known: on to the second step, or back to the client with the code. */
  async function proceed(request: FastifyRequest, reply: FastifyReply, signInId: string, userId: string) {
    const { email_key } = await database
      .selectFrom('users')
      .select('email_key')
      .where('id', '=', userId)
      .executeTakeFirstOrThrow();
    const token = await secondFactor.begin(userId, signInId);
    if (token !== null) return send(reply, secondStepPage(token, null), 200, await redirectOf(request, signInId));
    return finish(request, reply, signInId, userId, email_key);
  }

  async function redirectOf(request: FastifyRequest, signInId: string): Promise<string | null> {
    return (await signIns.find(signInId, originOf(request)))?.redirectUri ?? null;
  }

  async function finish(
    request: FastifyRequest,
    reply: FastifyReply,
    signInId: string,
    userId: string,
    account: string,
  ) {
    let location: string;
    try {
      location = await signIns.complete(signInId, userId);
    } catch (error) {
      if (isAppError(error, 'sign-in-failed')) return send(reply, expiredPage(), 410);
      throw error;
    }
    devices.remember(reply, account, isSecure(request));
    return reply.header('cache-control', 'no-store').redirect(location, 303);
  }

  app.get('/auth/pages.css', (_request, reply) =>
    reply.type('text/css; charset=utf-8').header('cache-control', 'max-age=3600').send(PAGES_CSS),
  );

  for (const kind of ['sign-in', 'sign-up', 'forgot-password'] as const) {
    app.get(`/${kind}`, async (request, reply) => {
      const query = Query.safeParse(request.query);
      return show(request, reply, kind, { request: query.success ? query.data.request : '', email: '', error: null });
    });
  }

  for (const kind of ['sign-in', 'sign-up'] as const) {
    app.post(`/${kind}`, async (request, reply) => {
      const form = Credentials.safeParse(request.body);
      if (!form.success) return show(request, reply, kind, { request: '', email: '', error: null }, 400);
      const state = { request: form.data.request, email: form.data.email };
      // Nobody's password is looked at without a sign-in under way.
      if ((await redirectOf(request, form.data.request)) === null) {
        return show(request, reply, kind, { ...state, error: null });
      }
      const outcome = await (kind === 'sign-in' ? signIn : signUp)(request, form.data);
      if ('error' in outcome) {
        return show(request, reply, kind, { ...state, error: outcome.error }, outcome.status);
      }
      return proceed(request, reply, form.data.request, outcome.userId);
    });
  }

  app.get('/second-step', async (request, reply) => {
    const query = Token.safeParse(request.query);
    const pending = query.success ? await secondFactor.pending(query.data.token) : null;
    if (!query.success || pending === null) return send(reply, expiredPage(), 410);
    return send(reply, secondStepPage(query.data.token, null), 200, await redirectOf(request, pending.signInId));
  });
  app.post('/second-step', async (request, reply) => {
    const form = SecondStep.safeParse(request.body);
    const pending = form.success ? await secondFactor.pending(form.data.token) : null;
    if (!form.success || pending === null) return send(reply, expiredPage(), 410);
    const { signInId, userId } = pending;
    const again = async (error: string, status: number) =>
      send(reply, secondStepPage(form.data.token, error), status, await redirectOf(request, signInId));
    const { email_key } = await database
      .selectFrom('users')
      .select('email_key')
      .where('id', '=', userId)
      .executeTakeFirstOrThrow();
    const limits = guessLimits(request, 'second-step', email_key);
    const wait = await throttle.attempt(limits);
    if (wait > 0) return again(tooMany(wait), 429);
    if (!(await secondFactor.verify(userId, form.data.code))) {
      return again('The code is wrong, or it was used already. Wait for the next one.', 401);
    }
    await clear(limits);
    await secondFactor.finish(form.data.token);
    return finish(request, reply, signInId, userId, email_key);
  });

  app.post('/forgot-password', async (request, reply) => {
    const form = Forgot.safeParse(request.body);
    if (!form.success) return send(reply, expiredPage(), 400);
    const wait = await throttle.attempt(limitsOf(`reset ${emailKey(form.data.email)}`, request.ip, RESET_MAILS));
    const text =
      'If there is an account with this address, a mail with a link is on its way. The link is good for an hour.';
    const back = { href: `/sign-in?request=${encodeURIComponent(form.data.request)}`, label: 'Back to sign in' };
    // The same answer for everybody, and before anything is looked up: neither words nor time tell who has an account.
    send(reply, messagePage('Look into your mails', text, back));
    if (wait === 0) await accounts.requestReset(form.data.email);
    return reply;
  });

  /** Where the link of a mail leads that was used already, replaced by a newer one, or is too old. */
  const sendTooLate = (reply: FastifyReply) => reply.header('cache-control', 'no-store').redirect('/expired', 303);

  app.get('/reset-password', async (request, reply) => {
    const query = Token.safeParse(request.query);
    const isGood = query.success && (await accounts.isLinkGood(query.data.token, 'reset-password'));
    return isGood ? send(reply, resetPasswordPage(query.data.token, null)) : sendTooLate(reply);
  });
  app.post('/reset-password', async (request, reply) => {
    const form = Reset.safeParse(request.body);
    if (!form.success) return sendTooLate(reply);
    const wait = await throttle.attempt(limitsOf(`new-password ${request.ip}`, request.ip));
    if (wait > 0) return send(reply, resetPasswordPage(form.data.token, tooMany(wait)), 429);
    try {
      await accounts.resetPassword(form.data.token, form.data.password, request.ip);
    } catch (error) {
      if (isAppError(error, 'gone')) return sendTooLate(reply);
      if (isAppError(error, 'password-weak')) {
        return send(reply, resetPasswordPage(form.data.token, error.message), 422);
      }
      throw error;
    }
    const text = 'Your new password is saved, and every device is signed out. Sign in with it now.';
    return send(reply, messagePage('Password saved', text, { href: '/', label: 'To the start page' }));
  });

  app.get('/verify-email', async (request, reply) => {
    const query = Token.safeParse(request.query);
    const isGood = query.success && (await accounts.isLinkGood(query.data.token, 'verify-email'));
    return isGood ? send(reply, verifyEmailPage(query.data.token)) : sendTooLate(reply);
  });
  app.post('/verify-email', async (request, reply) => {
    const form = Token.safeParse(request.body);
    if (!form.success || !(await accounts.verifyEmail(form.data.token))) return sendTooLate(reply);
    const back = { href: '/', label: 'To the application' };
    return send(reply, messagePage('Thank you', 'Your email address is verified.', back));
  });

  app.get('/auth/social/:provider/start', async (request, reply) => {
    const { provider } = request.params as { provider: string };
    const query = Query.safeParse(request.query);
    const signInId = query.success ? query.data.request : '';
    if ((await redirectOf(request, signInId)) === null) return send(reply, expiredPage(), 410);
    try {
      const { url, state } = await providers.start(provider, signInId);
      const kept = { path: '/', httpOnly: true, sameSite: 'lax', secure: isSecure(request) } as const;
      return reply
        .setCookie(SOCIAL_COOKIE, state, { ...kept, maxAge: SOCIAL_COOKIE_LIFETIME_S })
        .header('cache-control', 'no-store')
        .redirect(url, 303);
    } catch (error) {
      if (!isAppError(error)) throw error;
      const status = error.code === 'not-found' ? 404 : 502;
      return show(request, reply, 'sign-in', { request: signInId, email: '', error: error.message }, status);
    }
  });

  // Apple answers by a form of its own page, which carries no cookies of ours. As an address it leads to the callback screen.
  app.post('/accounts/apple/callback/', (request, reply) => {
    const form = ProviderAnswer.safeParse(request.body);
    const answer = new URLSearchParams(form.success ? form.data : {});
    return reply.header('cache-control', 'no-store').redirect(`/accounts/apple/callback/?${answer}`, 303);
  });
}
