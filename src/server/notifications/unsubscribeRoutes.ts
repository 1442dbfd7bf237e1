import type { FastifyInstance, FastifyReply } from 'fastify';
import { z } from 'zod';
import brand from '../../../resources/brand.json' with { type: 'json' };
import { messagePage } from '../auth/pages.ts';
import { escapeHtml } from '../http/escapeHtml.ts';
import { type Digest, UNSUBSCRIBE_PATH } from './digest.ts';

const Query = z.object({ token: z.string().max(200) });

const POLICY = "default-src 'none'; style-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

/** A button, since programs that look at mails follow links by themselves. */
function askPage(token: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>No more mails – ${escapeHtml(brand.name)}</title>
<link rel="stylesheet" href="/auth/pages.css">
</head>
<body>
<main>
<p class="brand">${escapeHtml(brand.name)}</p>
<h1>No more mails?</h1>
<p>You will get no more daily mails about what is new. Settings turns them on again.</p>
<form method="post" action="${UNSUBSCRIBE_PATH}?token=${encodeURIComponent(token)}">
<button type="submit">Send no more mails</button>
</form>
</main>
</body>
</html>`;
}

/** The page that a digest's link leads to. It needs no sign-in: the link says whose mails they are. */
export function unsubscribeRoutes(app: FastifyInstance, digest: Digest): void {
  const send = (reply: FastifyReply, page: string, status = 200) =>
    reply
      .code(status)
      .header('cache-control', 'no-store')
      .header('content-security-policy', POLICY)
      .type('text/html; charset=utf-8')
      .send(page);
  const way = { href: '/', label: 'To the application' };
  const refuse = (reply: FastifyReply) =>
    send(reply, messagePage('This link does not work', 'Part of it may be missing. Settings has the same.', way), 404);

  app.get(UNSUBSCRIBE_PATH, async (request, reply) => {
    const query = Query.safeParse(request.query);
    return query.success && digest.knows(query.data.token) ? send(reply, askPage(query.data.token)) : refuse(reply);
  });

  app.post(UNSUBSCRIBE_PATH, async (request, reply) => {
    const query = Query.safeParse(request.query);
    if (!query.success || !(await digest.unsubscribe(query.data.token))) return refuse(reply);
    return send(reply, messagePage('No more mails', 'You will get no more daily mails about what is new.', way));
  });
}
