import brand from '../../../resources/brand.json' with { type: 'json' };
import { escapeHtml } from '../http/escapeHtml.ts';

/** What a sign-in form shows again after a refusal; never the password. */
export interface FormState {
  readonly request: string;
  readonly email: string;
  readonly error: string | null;
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

function form(kind: 'sign-in' | 'sign-up', state: FormState, submit: string, hint: string): string {
  const described = state.error === null ? '' : ' aria-describedby="error"';
  const newPassword = kind === 'sign-up';
  return `${alert(state.error)}
<form method="post" action="/${kind}">
<input type="hidden" name="request" value="${escapeHtml(state.request)}">
<label for="email">E-mail address</label>
<input id="email" name="email" type="email" required maxlength="254" autocomplete="username" value="${escapeHtml(state.email)}"${state.email === '' ? ' autofocus' : ''}${described}>
<label for="password">Password</label>
<input id="password" name="password" type="password" required maxlength="1024" autocomplete="${newPassword ? 'new-password' : 'current-password'}"${state.email === '' ? '' : ' autofocus'}${hint === '' ? '' : ' aria-describedby="hint"'}>
${hint === '' ? '' : `<p class="hint" id="hint">${escapeHtml(hint)}</p>`}
<button type="submit">${escapeHtml(submit)}</button>
</form>`;
}

/** The sign-in page; it needs no script. */
export function signInPage(state: FormState): string {
  return page(
    'Sign in',
    `<h1>Sign in</h1>
${form('sign-in', state, 'Sign in', '')}
<p class="other">No account yet? <a href="/sign-up?request=${encodeURIComponent(state.request)}">Create one</a></p>`,
  );
}

/** The sign-up page. */
export function signUpPage(state: FormState): string {
  return page(
    'Create an account',
    `<h1>Create an account</h1>
${form('sign-up', state, 'Create account', 'At least 8 characters. A few words that only you put together are best.')}
<p class="other">Have an account already? <a href="/sign-in?request=${encodeURIComponent(state.request)}">Sign in</a></p>`,
  );
}

/** Shown when a sign-in is not, or no longer, under way. */
export function expiredPage(): string {
  return page(
    'Sign in again',
    '<h1>Start again</h1><p>This sign-in is no longer under way. Go back to the application and sign in again.</p><p class="other"><a href="/">To the start page</a></p>',
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
.hint, .other { color: var(--muted); font-size: 14px; }
.hint { margin: 4px 0 0; }
.other { margin: 24px 0 0; }
.error { margin: 0 0 8px; padding: 8px 12px; border-left: 3px solid var(--danger); color: var(--danger); font-size: 14px; }
`;
