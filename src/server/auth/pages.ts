import brand from '../../../resources/brand.json' with { type: 'json' };
import { escapeHtml } from '../http/escapeHtml.ts';

/** What a sign-in form shows again after a refusal; never the password. */
export interface FormState {
  readonly request: string;
  readonly email: string;
  readonly error: string | null;
  /** Other providers that people may sign in with. */
  readonly providers: readonly { readonly id: string; readonly label: string }[];
  /** Whether people may make accounts by themselves. */
  readonly canSignUp: boolean;
}

function page(title: string, body: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)} – ${escapeHtml(brand.name)}</title>
<link rel="stylesheet" href="/auth/pages.css">
</head>
<body>
<main>
<p class="brand">${escapeHtml(brand.name)}</p>
${body}
</main>
</body>
</html>`;
}

function alert(error: string | null): string {
  return error === null ? '' : `<p class="error" role="alert" id="error">${escapeHtml(error)}</p>`;
}

interface Field {
  readonly name: string;
  readonly label: string;
  readonly type: 'email' | 'password' | 'text';
  readonly autocomplete: string;
  readonly value?: string;
  readonly hint?: string;
  readonly maxlength?: number;
}

function input(
  { name, label, type, autocomplete, value, hint, maxlength }: Field,
  error: string | null,
  focus: boolean,
) {
  const described = [...(error === null ? [] : ['error']), ...(hint === undefined ? [] : [`${name}-hint`])].join(' ');
  const attributes = [
    `id="${name}" name="${name}" type="${type}" required`,
    `maxlength="${maxlength ?? (type === 'email' ? 254 : 1024)}" autocomplete="${autocomplete}"`,
    ...(value === undefined || value === '' ? [] : [`value="${escapeHtml(value)}"`]),
    ...(focus ? ['autofocus'] : []),
    ...(described === '' ? [] : [`aria-describedby="${described}"`]),
    ...(autocomplete === 'one-time-code' ? ['autocapitalize="none" spellcheck="false"'] : []),
  ].join(' ');
  const note = hint === undefined ? '' : `\n<p class="hint" id="${name}-hint">${escapeHtml(hint)}</p>`;
  return `<label for="${name}">${escapeHtml(label)}</label>\n<input ${attributes}>${note}`;
}

/** A form with what it passes on unseen; the first field without a value is where typing begins. */
function form(
  action: string,
  hidden: Readonly<Record<string, string>>,
  fields: readonly Field[],
  submit: string,
  error: string | null,
): string {
  const first = fields.find(({ value }) => value === undefined || value === '');
  const unseen = Object.entries(hidden).map(
    ([name, value]) => `<input type="hidden" name="${name}" value="${escapeHtml(value)}">`,
  );
  return `${alert(error)}
<form method="post" action="${action}">
${[...unseen, ...fields.map((field) => input(field, error, field === first))].join('\n')}
<button type="submit">${escapeHtml(submit)}</button>
</form>`;
}

const EMAIL = { name: 'email', label: 'Email address', type: 'email', autocomplete: 'username' } as const;
const NEW_PASSWORD = {
  name: 'password',
  label: 'Password',
  type: 'password',
  autocomplete: 'new-password',
  hint: 'At least 8 characters. A few words that only you put together are best.',
} as const;

function providerLinks({ request, providers }: FormState): string {
  if (providers.length === 0) return '';
  const links = providers.map(
    ({ id, label }) =>
      `<a class="button" href="/auth/social/${id}/start?request=${encodeURIComponent(request)}">Continue with ${escapeHtml(label)}</a>`,
  );
  return `<p class="or">or</p>\n${links.join('\n')}`;
}

/** The sign-in page; none of these pages needs a script. */
export function signInPage(state: FormState): string {
  const password = { name: 'password', label: 'Password', type: 'password', autocomplete: 'current-password' } as const;
  const query = `?request=${encodeURIComponent(state.request)}`;
  return page(
    'Sign in',
    `<h1>Sign in</h1>
${form('/sign-in', { request: state.request }, [{ ...EMAIL, value: state.email }, password], 'Sign in', state.error)}
${providerLinks(state)}
<p class="other"><a href="/forgot-password${query}">Forgot your password?</a></p>
${state.canSignUp ? `<p class="other">No account yet? <a href="/sign-up${query}">Create one</a></p>` : ''}`,
  );
}

/** The sign-up page. */
export function signUpPage(state: FormState): string {
  return page(
    'Create an account',
    `<h1>Create an account</h1>
${form('/sign-up', { request: state.request }, [{ ...EMAIL, value: state.email }, NEW_PASSWORD], 'Create account', state.error)}
${providerLinks(state)}
<p class="other">Have an account already? <a href="/sign-in?request=${encodeURIComponent(state.request)}">Sign in</a></p>`,
  );
}

/** The second step, after a password that was right. */
export function secondStepPage(token: string, error: string | null): string {
  const code = {
    name: 'code',
    label: 'Code',
    type: 'text',
    autocomplete: 'one-time-code',
    maxlength: 40,
    hint: 'Six digits from your authenticator app, or one of your recovery codes.',
  } as const;
  return page('Second step', `<h1>Second step</h1>\n${form('/second-step', { token }, [code], 'Continue', error)}`);
}

/** Asks where to send the link for a new password. */
export function forgotPasswordPage(state: FormState): string {
  return page(
    'New password',
    `<h1>Forgot your password?</h1>
<p>We send you a link with which you choose a new one.</p>
${form('/forgot-password', { request: state.request }, [{ ...EMAIL, value: state.email }], 'Send the link', state.error)}
<p class="other"><a href="/sign-in?request=${encodeURIComponent(state.request)}">Back to sign in</a></p>`,
  );
}

/** Takes the new password. */
export function resetPasswordPage(token: string, error: string | null): string {
  return page(
    'New password',
    `<h1>Choose a new password</h1>\n${form('/reset-password', { token }, [NEW_PASSWORD], 'Save', error)}`,
  );
}

/** A button, since programs that look at mails follow links by themselves. */
export function verifyEmailPage(token: string): string {
  return page(
    'Verify your email address',
    `<h1>Verify your email address</h1>\n${form('/verify-email', { token }, [], 'This address is mine', null)}`,
  );
}

/** Says how something ended, with the way on. */
export function messagePage(
  title: string,
  text: string,
  link: { readonly href: string; readonly label: string },
): string {
  return page(
    title,
    `<h1>${escapeHtml(title)}</h1>\n<p>${escapeHtml(text)}</p>\n<p class="other"><a href="${escapeHtml(link.href)}">${escapeHtml(link.label)}</a></p>`,
  );
}

/** Shown when a sign-in is not, or no longer, under way. */
export function expiredPage(): string {
  return messagePage(
    'Start again',
    'This sign-in is no longer under way. Go back to the application and sign in again.',
    { href: '/', label: 'To the start page' },
  );
}

/** The style of these pages: paper, ink and the library green, by the colours that the person's system prefers. */
export const PAGES_CSS = `
:root { --paper: #fbfaf7; --surface: #ffffff; --ink: #1f2328; --muted: #57606a; --line: #d8d5cc; --accent: #1f6f54; --on-accent: #ffffff; --danger: #a1271b; }
@media (prefers-color-scheme: dark) {
  :root { --paper: #17181a; --surface: #1f2123; --ink: #e8e6e1; --muted: #a3a19b; --line: #3a3c3f; --accent: #5cc19c; --on-accent: #10231c; --danger: #ff9b8f; }
}
* { box-sizing: border-box; }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; background: var(--paper); color: var(--ink); font: 16px/1.5 "Inter Variable", Inter, system-ui, sans-serif; }
main { width: min(400px, calc(100vw - 32px)); padding: 32px; background: var(--surface); border: 1px solid var(--line); border-radius: 10px; }
.brand { margin: 0 0 24px; color: var(--accent); font: 600 20px/1.2 "Source Serif 4 Variable", Georgia, serif; }
h1 { margin: 0 0 16px; font: 600 24px/1.25 "Source Serif 4 Variable", Georgia, serif; }
label { display: block; margin: 16px 0 4px; font-size: 14px; font-weight: 500; }
input { width: 100%; height: 44px; padding: 0 12px; border: 1px solid var(--line); border-radius: 6px; background: var(--paper); color: inherit; font: inherit; }
button { width: 100%; height: 44px; margin-top: 24px; border: 0; border-radius: 6px; background: var(--accent); color: var(--on-accent); font: inherit; font-weight: 600; cursor: pointer; }
button:hover { filter: brightness(1.06); }
button:active { filter: brightness(0.94); }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
a { color: var(--accent); }
.button { display: block; margin-top: 12px; padding: 10px 12px; border: 1px solid var(--line); border-radius: 6px; color: var(--ink); text-align: center; text-decoration: none; font-weight: 500; }
.button:hover { border-color: var(--accent); }
.or { margin: 24px 0 0; color: var(--muted); font-size: 14px; text-align: center; }
.hint, .other { color: var(--muted); font-size: 14px; }
.hint { margin: 4px 0 0; }
.other { margin: 24px 0 0; }
.error { margin: 0 0 8px; padding: 8px 12px; border-left: 3px solid var(--danger); color: var(--danger); font-size: 14px; }
`;
