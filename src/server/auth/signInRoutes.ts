import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { isAppError } from '../../shared/errors.ts';
import { isEmail } from '../../shared/rules/email.ts';
import type { Database } from '../database/connection.ts';
import { expiredPage, type FormState, PAGES_CSS, signInPage, signUpPage } from './pages.ts';
import { type PasswordHasher, passwordProblem } from './passwords.ts';
import type { SignIns } from './signIns.ts';
import type { Throttle } from './throttle.ts';
import { createUser, emailKey } from './users.ts';

const Form = z.object({ request: z.string().max(100), email: z.string().max(254), password: z.string().max(1024) });
const Query = z.object({ request: z.string().max(100) });

export interface SignInPagesOptions {
  readonly database: Database;
  readonly signIns: SignIns;
  readonly hasher: PasswordHasher;
  readonly throttle: Throttle;
  /** Origin that a request was sent to. */
  readonly originOf: (request: FastifyRequest) => string;
  readonly now: () => number;
}

/** Browsers apply `form-action` to where a form's answer redirects, so the client's own address has to be allowed. */
function pagePolicy(redirectUri: string): string {
  const target = new URL(redirectUri).origin;
  return `default-src 'none'; style-src 'self'; form-action 'self' ${target}; base-uri 'none'; frame-ancestors 'none'`;
}

/** The server's own pages for signing in and up (decisions.md §4). They need no script. */
export function signInRoutes(
  app: FastifyInstance,
  { database, signIns, hasher, throttle, originOf, now }: SignInPagesOptions,
): void {
  const pages = { 'sign-in': signInPage, 'sign-up': signUpPage } as const;

  async function show(
    request: FastifyRequest,
    reply: FastifyReply,
    kind: keyof typeof pages,
    state: FormState,
    status = 200,
  ) {
    const signIn = await signIns.find(state.request, originOf(request));
    reply
      .type('text/html; charset=utf-8')
      .header('cache-control', 'no-store')
      // So that the form's own post names its origin; nobody else gets the address.
      .header('referrer-policy', 'same-origin');
    if (signIn === null) return reply.code(410).send(expiredPage());
    return reply
      .code(status)
      .header('content-security-policy', pagePolicy(signIn.redirectUri))
      .send(pages[kind](state));
  }

  async function signIn(
    form: z.infer<typeof Form>,
    address: string,
  ): Promise<string | { error: string; status: number }> {
    const account = emailKey(form.email);
    const wait = throttle.waitFor(account, address);
    if (wait > 0) return { error: `Too many attempts. Try again in ${Math.ceil(wait / 60_000)} minutes.`, status: 429 };
    const user = await database
      .selectFrom('users')
      .select(['id', 'password_hash'])
      .where('email_key', '=', account)
      .executeTakeFirst();
    if (!(await hasher.verify(user?.password_hash ?? null, form.password)) || user === undefined) {
      return { error: 'E-mail address or password is wrong.', status: 401 };
    }
    throttle.succeeded(account);
    return user.id;
  }

  async function signUp(
    form: z.infer<typeof Form>,
    address: string,
  ): Promise<string | { error: string; status: number }> {
    if (!isEmail(form.email.trim())) return { error: 'This is not an e-mail address.', status: 422 };
    const problem = passwordProblem(form.password, form.email);
    if (problem !== null) return { error: problem, status: 422 };
    if (throttle.waitFor(`sign-up ${address}`, address) > 0)
      return { error: 'Too many attempts. Try again later.', status: 429 };
    try {
      return await createUser(database, form.email, await hasher.hash(form.password), now());
    } catch (error) {
      if (!isAppError(error, 'email-taken')) throw error;
      return { error: 'There is an account with this e-mail address already. Sign in instead.', status: 409 };
    }
  }

  app.get('/auth/pages.css', (_request, reply) =>
    reply.type('text/css; charset=utf-8').header('cache-control', 'max-age=3600').send(PAGES_CSS),
  );

  for (const kind of ['sign-in', 'sign-up'] as const) {
    app.get(`/${kind}`, async (request, reply) => {
      const query = Query.safeParse(request.query);
      return show(request, reply, kind, { request: query.success ? query.data.request : '', email: '', error: null });
    });
    app.post(`/${kind}`, async (request, reply) => {
      const form = Form.safeParse(request.body);
      if (!form.success) return show(request, reply, kind, { request: '', email: '', error: null }, 400);
      const state = { request: form.data.request, email: form.data.email };
      // Nobody's password is looked at without a sign-in under way.
      if ((await signIns.find(form.data.request, originOf(request))) === null)
        return show(request, reply, kind, { ...state, error: null });
      const outcome = await (kind === 'sign-in' ? signIn : signUp)(form.data, request.ip);
      if (typeof outcome !== 'string')
        return show(request, reply, kind, { ...state, error: outcome.error }, outcome.status);
      return reply
        .header('cache-control', 'no-store')
        .redirect(await signIns.complete(form.data.request, outcome), 303);
    });
  }
}
