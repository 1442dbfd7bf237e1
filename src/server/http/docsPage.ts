import type { FastifyInstance } from 'fastify';
import brand from '../../../resources/brand.json' with { type: 'json' };
import { escapeHtml } from './escapeHtml.ts';

interface Operation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly security: readonly unknown[];
  readonly parameters: readonly {
    readonly name: string;
    readonly in: string;
    readonly required: boolean;
    readonly schema: unknown;
  }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema?: unknown }>> };
  readonly responses: Readonly<
    Record<
      string,
      { readonly description: string; readonly content?: Readonly<Record<string, { readonly schema?: unknown }>> }
    >
  >;
}

interface Schema {
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly format?: string;
  readonly nullable?: boolean;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly additionalProperties?: unknown;
}

/** A schema as people write types: `{ name: string, size?: integer }`. */
export function describeSchema(schema: Schema | undefined, depth = 0): string {
  if (schema === undefined) return 'stream';
  const plain = (): string => {
    if (schema.enum !== undefined) return schema.enum.map((value) => JSON.stringify(value)).join(' | ');
    if (schema.const !== undefined) return JSON.stringify(schema.const);
    if (schema.anyOf !== undefined) return schema.anyOf.map((each) => describeSchema(each, depth)).join(' | ');
    if (schema.items !== undefined) return `${describeSchema(schema.items, depth)}[]`;
    if (schema.properties !== undefined) {
      const indent = '  '.repeat(depth + 1);
      const lines = Object.entries(schema.properties).map(
        ([name, each]) =>
          `${indent}${name}${schema.required?.includes(name) === true ? '' : '?'}: ${describeSchema(each, depth + 1)}`,
      );
      return lines.length === 0 ? '{}' : `{\n${lines.join('\n')}\n${'  '.repeat(depth)}}`;
    }
    return schema.format ?? schema.type ?? 'any';
  };
  return schema.nullable === true ? `${plain()} | null` : plain();
}

const code = (schema: unknown) => `<pre><code>${escapeHtml(describeSchema(schema as Schema | undefined))}</code></pre>`;

function operationHtml(method: string, path: string, operation: Operation): string {
  const { operationId, summary, security, parameters, requestBody, responses } = operation;
  const body = Object.values(requestBody?.content ?? {})[0];
  const rows = parameters.map(
    ({ name, in: place, required, schema }) =>
      `<tr><td><code>${escapeHtml(name)}</code></td><td>${place}${required ? '' : ', optional'}</td><td><code>${escapeHtml(describeSchema(schema as Schema))}</code></td></tr>`,
  );
  const answers = Object.entries(responses).map(([status, { description, content }]) => {
    const [type, answer] = Object.entries(content ?? {})[0] ?? [];
    const shape =
      status === 'default' || type === undefined
        ? ''
        : type === 'application/json'
          ? code(answer?.schema)
          : `<p><code>${escapeHtml(type)}</code></p>`;
    return `<dt>${escapeHtml(status === 'default' ? 'else' : status)}</dt><dd>${escapeHtml(description)}${shape}</dd>`;
  });
  return `<section id="${escapeHtml(operationId)}">
<h3><span class="method">${method.toUpperCase()}</span> <code>${escapeHtml(path)}</code></h3>
<p>${escapeHtml(summary)}${security.length === 0 ? ' <em>Open to everybody.</em>' : ''}</p>
${rows.length === 0 ? '' : `<table><tbody>${rows.join('')}</tbody></table>`}
${body === undefined ? '' : `<h4>Body</h4>${code(body.schema)}`}
<dl>${answers.join('')}</dl>
</section>`;
}

/** The API's documentation as one page, made from the same document that programs read. It needs no script. */
export function docsPage(document: {
  readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly info: { readonly description: string };
}): string {
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation: operation as Operation })),
  );
  const areas = Map.groupBy(operations, ({ operation }) => operation.tags[0] ?? '');
  const contents = [...areas].map(
    ([area, calls]) =>
      `<li><a href="#${area}">${area}</a><ul>${calls
        .map(
          ({ operation }) =>
            `<li><a href="#${operation.operationId}">${escapeHtml(operation.operationId.split('.')[1] ?? '')}</a></li>`,
        )
        .join('')}</ul></li>`,
  );
  const sections = [...areas].map(
    ([area, calls]) =>
      `<h2 id="${area}">${area}</h2>${calls.map(({ method, path, operation }) => operationHtml(method, path, operation)).join('\n')}`,
  );
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(brand.name)} API</title>
<link rel="stylesheet" href="/api/docs.css">
</head>
<body>
<nav aria-label="Calls"><p class="brand">${escapeHtml(brand.name)} API</p><ul>${contents.join('')}</ul></nav>
<main>
<h1>${escapeHtml(brand.name)} API</h1>
<p>Programs send a bearer token, pages the session's cookie. The same as data: <a href="/api/openapi.json">openapi.json</a>.
Errors are <code>{ error: { code, message, details? } }</code>.</p>
<p class="codes">${escapeHtml(document.info.description)}</p>
${sections.join('\n')}
</main>
</body>
</html>`;
}

const CSS = `
:root { --paper: #fbfaf7; --surface: #ffffff; --ink: #1f2328; --muted: #57606a; --line: #d8d5cc; --accent: #1f6f54; }
@media (prefers-color-scheme: dark) { :root { --paper: #17181a; --surface: #1f2123; --ink: #e8e6e1; --muted: #a3a19b; --line: #3a3c3f; --accent: #5cc19c; } }
* { box-sizing: border-box; }
html { scroll-behavior: smooth; }
body { display: grid; grid-template-columns: 240px minmax(0, 1fr); margin: 0; background: var(--paper); color: var(--ink); font: 15px/1.5 Inter, system-ui, sans-serif; }
nav { position: sticky; top: 0; height: 100vh; overflow: auto; padding: 24px 16px; border-right: 1px solid var(--line); font-size: 13px; }
nav ul { margin: 0 0 8px; padding-left: 12px; list-style: none; }
.brand { margin: 0 0 16px; color: var(--accent); font: 600 17px/1.2 Georgia, serif; }
main { max-width: 900px; padding: 32px; }
h1, h2 { font-family: Georgia, serif; }
h2 { margin-top: 48px; border-bottom: 1px solid var(--line); }
section { margin: 24px 0; padding: 16px 20px; background: var(--surface); border: 1px solid var(--line); border-radius: 8px; }
h3 { margin: 0 0 8px; font-size: 15px; overflow-wrap: anywhere; }
h4 { margin: 12px 0 4px; font-size: 13px; color: var(--muted); }
.method { display: inline-block; min-width: 56px; color: var(--accent); }
.codes { color: var(--muted); font-size: 13px; }
code { font: 13px/1.5 "JetBrains Mono", ui-monospace, monospace; }
pre { margin: 4px 0; padding: 10px 12px; overflow: auto; background: var(--paper); border-radius: 6px; }
table { border-collapse: collapse; }
td { padding: 2px 16px 2px 0; vertical-align: top; }
dl { display: grid; grid-template-columns: 48px minmax(0, 1fr); margin: 8px 0 0; }
dt { color: var(--muted); }
dd { margin: 0; }
a { color: var(--accent); text-decoration: none; }
a:hover { text-decoration: underline; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
@media (max-width: 800px) { body { display: block; } nav { position: static; height: auto; border: 0; } main { padding: 16px; } }
`;

/** Serves the page. */
export function installDocs(app: FastifyInstance, document: () => Parameters<typeof docsPage>[0]): void {
  app.get('/api/docs', (_request, reply) =>
    reply
      .type('text/html; charset=utf-8')
      .header(
        'content-security-policy',
        "default-src 'none'; style-src 'self'; base-uri 'none'; frame-ancestors 'none'",
      )
      .header('cache-control', 'no-cache')
      .send(docsPage(document())),
  );
  app.get('/api/docs.css', (_request, reply) =>
    reply.type('text/css; charset=utf-8').header('cache-control', 'max-age=3600').send(CSS),
  );
}
