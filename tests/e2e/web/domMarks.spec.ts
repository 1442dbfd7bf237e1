import { join } from 'node:path';
import { expect, test } from '@playwright/test';
import { build } from 'vite';

/** The marks as a script of their own, to be tried on documents of any shape. */
async function script(): Promise<string> {
  const entry = join(import.meta.dirname, '..', '..', '..', 'src', 'renderer', 'features', 'viewer', 'domMarks.ts');
  const built = await build({
    configFile: false,
    logLevel: 'silent',
    build: { write: false, minify: false, lib: { entry, formats: ['iife'], name: 'marks', fileName: 'marks' } },
  });
  const [output] = Array.isArray(built) ? built : [built];
  if (output === undefined || !('output' in output)) throw new Error('the marks were not built');
  return output.output[0].code;
}

const DOCUMENT = `<!doctype html><style>#box { height: 200px; width: 300px; overflow: auto } p { margin: 0 0 600px }</style>
<div id="box">
  <div class="page"><p>The fi<b>rst</b> exam-<br>ple of a term</p></div>
  <div class="page"><p>Another <i>te</i>rm and a TERM</p><pre style="width: 3000px; text-align: right">far term</pre></div>
</div>`;

/** What is marked now, and whether the active match is in sight. */
const STATE = `(() => {
  const texts = (name) => [...(CSS.highlights.get(name) ?? [])].map(String);
  const [range] = CSS.highlights.get('found-active') ?? [];
  const box = document.getElementById('box').getBoundingClientRect();
  const at = range?.getBoundingClientRect();
  const isInSight = at !== undefined && at.top >= box.top && at.bottom <= box.bottom && at.left >= box.left && at.right <= box.right;
  return { found: texts('found'), active: texts('found-active'), isInSight };
})()`;

test('matches of the text layer are marked where a document draws them, and the active one is brought into sight', async ({
  page,
}) => {
  await page.setContent(DOCUMENT);
  await page.addScriptTag({ content: await script() });
  await page.evaluate(`
    const box = document.getElementById('box');
    globalThis.sections = [
      { label: 'Page 1', text: 'The first example of a term' },
      { label: 'Page 2', text: 'Another term and a TERM far term' },
    ];
    globalThis.shown = marks.createDomMarks(box, [...document.querySelectorAll('.page')]);
    globalThis.at = (section, part, from = 0) => {
      const start = sections[section].text.indexOf(part, from);
      return { section, start, end: start + part.length };
    };
  `);
  const show = (matches: string, active: number) =>
    page.evaluate(`shown.show({ matches: ${matches}, active: ${active} }, sections); ${STATE}`);

  const all = "[at(0, 'first'), at(0, 'example'), at(1, 'term'), at(1, 'TERM'), at(1, 'term', 20)]";
  expect(await show(all, 1)).toEqual({
    found: ['first', 'term', 'TERM', 'term'],
    active: ['exam-ple'],
    isInSight: true,
  });
  expect(await show(all, 2)).toMatchObject({ active: ['term'], isInSight: true });
  expect(await show(all, 4)).toMatchObject({ active: ['term'], isInSight: true });
  await page.evaluate('shown.show(null, sections)');
  expect(await page.evaluate(STATE)).toEqual({ found: [], active: [], isInSight: false });

  await show(all, 0);
  await page.evaluate(`document.querySelector('.page p').textContent = 'The first, drawn anew'; shown.redraw()`);
  expect(await page.evaluate(STATE)).toMatchObject({ active: ['first'], found: ['term', 'TERM', 'term'] });
});
