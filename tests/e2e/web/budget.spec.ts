import { expect, test } from '@playwright/test';
import { FIRST_LOAD_BUDGET, type FirstPage, firstLoad } from '../../helpers/firstLoad.ts';

for (const page of Object.keys(FIRST_LOAD_BUDGET) as FirstPage[]) {
  for (const kind of ['scripts', 'styles'] as const) {
    test(`the ${kind} of the library page's first load stay within their budget: ${page}`, () => {
      const files = firstLoad(page)[kind];
      const total = files.reduce((sum, { bytes }) => sum + bytes, 0);
      const list = files.map(({ file, bytes }) => `${bytes} ${file}`).join('\n');
      expect(total, `bytes after gzip:\n${list}\n`).toBeLessThanOrEqual(FIRST_LOAD_BUDGET[page][kind]);
    });
  }
}
