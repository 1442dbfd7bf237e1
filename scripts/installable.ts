/** Makes of the web build an application that phones install: its manifest, its icons, and its service worker. */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { build, type HtmlTagDescriptor, type Plugin, type Rolldown } from 'vite';
import brand from '../resources/brand.json' with { type: 'json' };
import type { Shell } from '../src/renderer/offline/shell.ts';
import { RECEIVE_FIELD, RECEIVE_PATH } from '../src/shared/rules/receive.ts';

const MANIFEST = 'manifest.webmanifest';
const SERVICE_WORKER = 'service-worker.js';
const TOUCH_ICON = 'apple-touch-180.png';
/** What the application does without when there is no network: its code loads when it is asked for, as ever. */
const NEEDS_NETWORK =
  /\/features\/(?:(?:account|admin|compare|desktop|pages|plans|search|sharing|trash)\/|insight\/(?:posthog|sentry)\.)/u;
/** The views of documents, which are kept with the first document: nobody else has to load them all. */
const VIEWS = /\/features\/viewer\/[a-z]+\//u;
/** What stands beside the views: their threads, and what pdf.js draws with (all but the character maps, which few files need). */
const BESIDE_VIEWS =
  /(?:^|\/)(?:(?:find|table|text)Worker|highlighter)-.*\.js$|\/pdfjs-.*(?:\/worker\.js|\.(?:pfb|ttf|wasm|icc))$/u;
/** The scripts of languages that the interface has; the fonts have others too. */
const FONT = /-latin-wght-.*\.woff2$/u;

type Bundle = Rolldown.OutputBundle;

/** The icons' names in the build, which tell their content, by their own. */
function iconNames(bundle: Bundle): ReadonlyMap<string, string> {
  return new Map(
    Object.values(bundle).flatMap((part) =>
      part.type === 'asset' ? part.names.map((name) => [name, `/${part.fileName}`] as const) : [],
    ),
  );
}

/** What browsers have to know to install the application (W3C Web Application Manifest). */
export function manifestOf(iconAt: (name: string) => string) {
  const icon = (name: string, size: number, purpose: string) => ({
    src: iconAt(name),
    sizes: `${size}x${size}`,
    type: 'image/png',
    purpose,
  });
  return {
    id: '/',
    name: brand.name,
    short_name: brand.name,
    start_url: '/',
    scope: '/',
    display: 'standalone',
    // Documents are read either way up.
    orientation: 'any',
    background_color: brand.colors.paper,
    theme_color: brand.colors.paper,
    icons: [
      icon('icon-192.png', 192, 'any'),
      icon('icon-512.png', 512, 'any'),
      icon('maskable-512.png', 512, 'maskable'),
    ],
    share_target: {
      action: RECEIVE_PATH,
      method: 'POST',
      enctype: 'multipart/form-data',
      params: { files: [{ name: RECEIVE_FIELD, accept: ['*/*'] }] },
    },
  };
}

/** Chunks and all that they load, with their styles; of what they load later that which is wanted. */
function filesOf(bundle: Bundle, roots: readonly string[], isWanted: (module: string) => boolean): ReadonlySet<string> {
  const seen = new Set<string>();
  const add = (fileName: string) => {
    const part = bundle[fileName];
    if (part?.type !== 'chunk' || seen.has(fileName)) return;
    seen.add(fileName);
    for (const style of part.viteMetadata?.importedCss ?? []) seen.add(style);
    part.imports.forEach(add);
    for (const later of part.dynamicImports) {
      const found = bundle[later];
      if (found?.type === 'chunk' && isWanted(found.facadeModuleId ?? '')) add(later);
    }
  };
  roots.forEach(add);
  return seen;
}

/** What a start without a network needs, and what documents need beside it. */
function shellFiles(bundle: Bundle): Pick<Shell, 'files' | 'views'> {
  const parts = Object.values(bundle);
  const assets = (wanted: RegExp) =>
    parts.filter(({ type, fileName }) => type === 'asset' && wanted.test(fileName)).map(({ fileName }) => fileName);
  const entries = parts.filter((part) => part.type === 'chunk' && part.isEntry).map(({ fileName }) => fileName);
  const isOfStart = (module: string) => !NEEDS_NETWORK.test(module) && !VIEWS.test(module);
  const start = new Set([...filesOf(bundle, entries, isOfStart), ...assets(FONT), ...assets(/hashWorker-.*\.js$/u)]);
  const all = filesOf(bundle, entries, (module) => !NEEDS_NETWORK.test(module));
  const views = [...all, ...assets(BESIDE_VIEWS)].filter((file) => !start.has(file));
  const paths = (files: Iterable<string>) => [...files].map((file) => `/${file}`);
  return { files: ['/', '/prepare.js', ...paths(start)], views: paths(views) };
}

/** The service worker, built alone: it must be one file, and nothing of the page's belongs into it. */
async function serviceWorker(root: string, shell: Shell): Promise<string> {
  const built = await build({
    root: join(root, 'src/renderer'),
    configFile: false,
    publicDir: false,
    logLevel: 'warn',
    define: { __SHELL__: JSON.stringify(shell) },
    build: {
      write: false,
      target: ['chrome123', 'edge123', 'firefox121', 'safari17.5'],
      rolldownOptions: {
        input: join(root, 'src/renderer/offline/serviceWorker.ts'),
        output: { format: 'iife' },
      },
    },
  });
  const [{ output } = { output: [] }] = Array.isArray(built) ? built : [built as Rolldown.RolldownOutput];
  const [chunk, ...others] = output;
  if (chunk?.type !== 'chunk' || others.length > 0) throw new Error('the service worker is not one file');
  return chunk.code;
}

/** Puts all of it into the build; the page's policy and its scripts stay as they are. */
export function installable(root: string): Plugin {
  const icons = join(root, 'resources/icons/web');
  return {
    name: 'installable',
    buildStart() {
      for (const name of readdirSync(icons)) {
        this.emitFile({ type: 'asset', name, source: readFileSync(join(icons, name)) });
      }
    },
    transformIndexHtml: {
      order: 'post',
      handler(html, { bundle = {} }) {
        const meta = (content: string, scheme: string): HtmlTagDescriptor => ({
          tag: 'meta',
          injectTo: 'head',
          attrs: { name: 'theme-color', content, media: `(prefers-color-scheme: ${scheme})` },
        });
        const link = (rel: string, href: string): HtmlTagDescriptor => ({
          tag: 'link',
          injectTo: 'head',
          attrs: { rel, href },
        });
        const touch = iconNames(bundle).get(TOUCH_ICON);
        return {
          html,
          tags: [
            meta(brand.colors.paper, 'light'),
            meta(brand.colors.paperDark, 'dark'),
            link('manifest', `/${MANIFEST}`),
            ...(touch === undefined ? [] : [link('apple-touch-icon', touch)]),
          ],
        };
      },
    },
    generateBundle: {
      order: 'post',
      async handler(_options, bundle) {
        const names = iconNames(bundle);
        const manifest = manifestOf((name) => {
          const found = names.get(name);
          if (found === undefined) throw new Error(`the build has no icon ${name}`);
          return found;
        });
        this.emitFile({ type: 'asset', fileName: MANIFEST, source: JSON.stringify(manifest) });
        const { files, views } = shellFiles(bundle);
        const hash = createHash('sha256').update([...files, ...views].join());
        // Which of the pages it is, the server knows.
        for (const part of Object.values(bundle)) {
          if (part.type === 'asset' && part.fileName.endsWith('.html')) hash.update(part.source);
        }
        hash.update(readFileSync(join(root, 'src/renderer/public/prepare.js')));
        const shell = { version: hash.digest('hex').slice(0, 16), files, views } satisfies Shell;
        this.emitFile({ type: 'asset', fileName: SERVICE_WORKER, source: await serviceWorker(root, shell) });
      },
    },
  };
}
