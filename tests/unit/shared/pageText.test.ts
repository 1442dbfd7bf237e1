import { describe, expect, it } from 'vitest';
import { pageText } from '../../../src/shared/rules/pageText.ts';

describe('the text of a PDF page', () => {
  it.each([
    ['lines become one text', 'clause nine of\r\nthe agreement', 'clause nine of the agreement'],
    ['a word broken at a line end is whole', 'the arma-\r\nrium is', 'the armarium is'],
    ['so is one that the library marked', 'docu\u0002\r\nment', 'document'],
    ['and one with a soft hyphen', 'docu\u00AD\nment, co\u00ADop', 'document, coop'],
    ['a dash between numbers stays', '1990-\r\n1995', '1990- 1995'],
    ['a name with a hyphen stays', 'Jean-\r\nPaul', 'Jean- Paul'],
    ['ligatures are their letters', 'e\uFB03cient o\uFB03ce \uFB01nds \uFB02ow', 'efficient office finds flow'],
    ['spaces are one', 'a\u00A0 \t b', 'a b'],
  ])('%s', (_what, raw, text) => {
    expect(pageText(raw)).toBe(text);
  });
});
