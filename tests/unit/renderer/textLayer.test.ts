import { describe, expect, it } from 'vitest';
import { layerRows } from '../../../src/renderer/features/viewer/layer/layerRows.ts';
import { loadTextLayer } from '../../../src/renderer/features/viewer/textLayer.ts';
import type { TextPart } from '../../../src/shared/model/documentText.ts';

const part = (sections: TextPart['sections'], next: number | null): TextPart => ({
  sections,
  next,
  length: 0,
  problem: null,
});
const { signal } = new AbortController();

describe('the text layer', () => {
  it('joins what an answer cut, and keeps parts of one name apart', async () => {
    const parts = new Map([
      [0, part([{ label: 'Page 1', text: 'one\nt' }], 5)],
      [
        5,
        part(
          [
            { label: 'Page 1', text: 'wo' },
            { label: 'Page 2', text: 'three' },
            { label: 'Page 2', text: 'four' },
          ],
          null,
        ),
      ],
    ]);
    const { sections } = await loadTextLayer(async (from) => parts.get(from) ?? part([], null), signal);
    expect(sections.map(({ label, text }) => [label, text])).toEqual([
      ['Page 1', 'one\ntwo'],
      ['Page 2', 'three'],
      ['Page 2', 'four'],
    ]);
  });

  it('says why there is none', async () => {
    const load = async () => ({ ...part([], null), problem: 'damaged' as const });
    expect(await loadTextLayer(load, signal)).toEqual({ sections: [], problem: 'damaged' });
  });

  it('names pages, but not the whole of a document, and knows where each line begins', () => {
    const rows = layerRows([
      { label: 'Page 1', text: 'one\ntwo' },
      { label: 'Page 2', text: '' },
    ]);
    expect(rows.map(({ kind, text, section, start, line }) => [kind, text, section, start, line])).toEqual([
      ['label', 'Page 1', 0, 0, null],
      ['line', 'one', 0, 0, 1],
      ['line', 'two', 0, 4, 2],
      ['label', 'Page 2', 1, 0, null],
      ['line', '', 1, 0, 1],
    ]);
    expect(layerRows([{ label: 'Content', text: 'all' }])).toHaveLength(1);
  });
});
