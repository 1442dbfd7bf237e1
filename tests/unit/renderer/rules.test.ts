import { createElement, type ReactElement, type ReactNode } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import { avatarLook, initialsOf } from '../../../src/renderer/ui/avatarLook.ts';
import { DIALOG_SIZES, type DialogSize, dialogClass } from '../../../src/renderer/ui/dialogSize.ts';
import { extensionsOf, fileKind } from '../../../src/renderer/ui/fileKind.ts';
import { richText, setApart } from '../../../src/renderer/ui/richText.ts';

describe('modal sizes (web-and-phone.md §5): only empty, sm, lg or xl', () => {
  it('each has its class', () => {
    expect(DIALOG_SIZES.map(dialogClass)).toEqual([
      'dialog',
      'dialog dialog--sm',
      'dialog dialog--lg',
      'dialog dialog--xl',
    ]);
  });
  it.each(['md', 'SM', 'xl ', 'default'])('%j is refused', (size) => {
    expect(() => dialogClass(size as DialogSize)).toThrow(RangeError);
  });
  it('an unrecognised component type is rejected', () => {
    expect(() => renderToStaticMarkup(createElement('' as never))).toThrow(/Invalid tag|invalid/iu);
    expect(() => renderToStaticMarkup(createElement(undefined as never))).toThrow(/type is invalid/iu);
  });
});

const html = (text: string) => renderToStaticMarkup(richText(text) as ReactElement);
const inside = (text: ReactNode) => `<span class="rich-text">${String(text)}</span>`;

describe('the limited renderer of rich text: only span and br (web-and-phone.md §5)', () => {
  it.each([
    ['plain & <span>set apart</span><br>line', 'plain &amp; <span>set apart</span><br/>line'],
    ['<span class="x" onclick="y()" style="color:red">a</span>', '<span>a</span>'],
    ['<b>bold</b> <a href="javascript:x">link</a>', 'bold link'],
    ['<span><i>a<span>b</span></i></span>', '<span>a<span>b</span></span>'],
    ['<img src=x onerror=alert(1)>after', 'after'],
    ['<script>alert(1)</script><style>*{}</style><svg><text>x</text></svg>after', 'after'],
    ['<span>never closed<br', '<span>never closed</span>'],
    ['<!-- comment --><?php ?>after', 'after'],
    ['&lt;b&gt; stays a text', '&lt;b&gt; stays a text'],
  ])('%s', (text, rendered) => expect(html(text)).toBe(inside(rendered)));
  it('shows what is set apart as it stands', () => {
    expect(html(`by ${setApart('<b>R&D</b> &amp; "x"')}`)).toBe(
      inside('by <span>&lt;b&gt;R&amp;D&lt;/b&gt; &amp;amp; &quot;x&quot;</span>'),
    );
  });
});

describe('file kinds (web-and-phone.md §5)', () => {
  it.each([
    ['image', 'jpg jpeg png gif bmp tiff ico webp svg'],
    ['video', 'mp4 mov avi wmv flv webm mkv'],
  ] as const)('%s extensions', (kind, extensions) => {
    expect(extensionsOf(kind)).toEqual(expect.arrayContaining(extensions.split(' ')));
  });
  it.each([
    ['talk.ppt', 'slides'],
    ['talk.PPTX', 'slides'],
    ['sums.xls', 'sheet'],
    ['sums.xlsx', 'sheet'],
    ['lease.v2.pdf', 'pdf'],
  ])('%s has an icon of its own', (name, kind) => {
    const { letters } = fileKind(name);
    expect(fileKind(name).kind).toBe(kind);
    expect(letters).toBe(name.slice(name.lastIndexOf('.') + 1).toUpperCase());
  });
  it.each(['README', '.gitignore', 'archive.zip'])('%s is of no kind', (name) =>
    expect(fileKind(name).kind).toBe('other'),
  );
});

describe('default avatars (web-and-phone.md §9): a fixed colour list and decorative patterns', () => {
  const looks = Array.from({ length: 300 }, (_, index) => avatarLook(`person${index}`));
  it('are the same for the same name', () => expect(avatarLook('ana')).toEqual(avatarLook('ana')));
  it('use every colour and every pattern of the lists, and nothing else', () => {
    expect(new Set(looks.map(({ hue }) => hue))).toEqual(new Set([0, 1, 2, 3, 4, 5]));
    expect(new Set(looks.map(({ pattern }) => pattern)).size).toBe(5);
  });
  it.each([
    ['Ana Maria Archivist', 'AA'],
    ['ana', 'a'],
    ['  ', ''],
    ['👩‍⚖️ court', '👩c'],
  ])('%j has the initials %j', (name, initials) => expect(initialsOf(name)).toBe(initials));
});
