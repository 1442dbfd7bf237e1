import { expect, test } from '@playwright/test';
import { FIRST_LOAD_BUDGET, firstLoad, PHONE_LOAD_BUDGET } from '../../helpers/firstLoad.ts';

const PAGES = [
  { name: 'the library page', page: 'index.html', budget: FIRST_LOAD_BUDGET },
  { name: 'the library page on a phone', page: 'phone.html', budget: PHONE_LOAD_BUDGET },
] as const;

for (const { name, page, budget, kind } of PAGES.flatMap((each) =>
  (['scripts', 'styles'] as const).map((kind) => ({ ...each, kind })),
)) {
  test(`the ${kind} of the first load of ${name} stay within their budget`, () => {
    const files = firstLoad(page)[kind];
    const total = files.reduce((sum, { bytes }) => sum + bytes, 0);
    const list = files.map(({ file, bytes }) => `${bytes} ${file}`).join('\n');
    expect(total, `bytes after gzip:\n${list}\n`).toBeLessThanOrEqual(budget[kind]);
  });
}
