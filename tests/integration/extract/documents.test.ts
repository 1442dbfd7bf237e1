import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { strToU8, zipSync } from 'fflate';
import { afterAll, describe, expect, it } from 'vitest';
import { createExtractor } from '../../../src/core/extract/extractor.ts';
import { extractText } from '../../../src/core/extract/extractText.ts';
import type { Extraction } from '../../../src/core/extract/types.ts';
import { workerEntry } from '../../../src/worker/entries.ts';

const FIXTURES = join(import.meta.dirname, '../../fixtures/documents');
const bytesOf = (name: string) => readFileSync(join(FIXTURES, name));
const extractor = createExtractor({ threadEntry: workerEntry('extractThread'), limits: { timeoutMs: 5000 } });
afterAll(() => extractor.close());
const extract = (name: string) => extractor.extract(bytesOf(name), name);
const textOf = (extraction: Extraction) =>
  extraction.ok ? extraction.sections.map((section) => section.text).join('\n') : extraction.reason;
const labelsOf = (extraction: Extraction) => (extraction.ok ? extraction.sections.map((section) => section.label) : []);

describe('text out of documents', () => {
  it.each(['lease.docx', 'lease.odt', 'lease.rtf', 'lease.pdf', 'openable.pdf'])(
    '%s, in every script',
    async (name) => {
      const text = textOf(await extract(name));
      for (const phrase of [
        'José Müller of Zürich',
        'Αθήνα 12',
        'Москва 7',
        '契約書',
        'due on the first day of each month',
        'three months',
      ]) {
        expect(text).toContain(phrase);
      }
    },
  );
  it('names pages, slides with their notes, and sheets', async () => {
    expect(labelsOf(await extract('lease.pdf'))).toEqual(['Page 1', 'Page 2']);
    for (const name of ['deck.pptx', 'deck.odp']) {
      const deck = await extract(name);
      expect(labelsOf(deck)).toEqual(['Slide 1', 'Slide 2']);
      expect(textOf(deck)).toContain('Remember the cabinet keys');
      expect(textOf(deck)).toContain('予算 2026');
    }
    for (const name of ['sheet.xlsx', 'sheet.ods']) {
      const sheet = await extract(name);
      expect(labelsOf(sheet)).toEqual(['Sheet Budget', 'Sheet 契約']);
      expect(textOf(sheet)).toContain('Kaution Zürich\t2500');
    }
  });
  it('reads columns one after the other, across line ends, hyphens and ligatures', async () => {
    const text = textOf(await extract('columns.pdf'));
    expect(text).toContain('every document keeps all of its versions, and that the armarium, a cabinet');
    expect(text).toContain('The efficient office staff find the first of five files without effort');
    expect(text).toContain('clause nine of the agreement, the signatures, and the place and date of the signing');
  });
  it.each([
    ['encrypted.pdf', 'password-protected'],
    ['truncated.pdf', 'damaged'],
    ['scanned.pdf', 'no-text'],
  ])('says why there is none in %s: %s', async (name, code) => {
    expect(await extract(name)).toMatchObject({ ok: false, code });
  });
  it('knows headings: by their styles, their elements, the titles of slides, the subject of a mail', async () => {
    const headings = (extraction: Extraction) =>
      extraction.ok
        ? extraction.sections.flatMap(({ headings: lines, text }) => lines?.map((line) => text.split('\n')[line - 1]))
        : [];
    for (const name of ['lease.docx', 'lease.odt']) expect(headings(await extract(name))).toEqual(['Lease agreement']);
    const html = '<title>Rents</title><h1>Zürich</h1><p>none</p><h2></h2><h2>Due <i>dates</i></h2>';
    expect(headings(await extractText(strToU8(html), 'a.html'))).toEqual(['Rents', 'Zürich', 'Due dates']);
    const relationship = (type: string, target: string) =>
      strToU8(`<Relationships><Relationship Id="r1" Type="x/${type}" Target="${target}"/></Relationships>`);
    const deck = zipSync({
      'ppt/presentation.xml': strToU8('<p:presentation><p:sldIdLst><p:sldId r:id="r1"/></p:sldIdLst></p:presentation>'),
      'ppt/_rels/presentation.xml.rels': relationship('slide', 'slides/one.xml'),
      'ppt/slides/one.xml': strToU8(
        '<p:sld><p:sp><p:ph type="title"/><a:p><a:t>Budget</a:t></a:p></p:sp><p:sp><a:p><a:t>Rows</a:t></a:p></p:sp></p:sld>',
      ),
    });
    expect(headings(await extractText(deck, 'a.pptx'))).toEqual(['Budget']);
    expect(headings(await extractText(strToU8('Subject: The lease\n\nSigned.'), 'a.eml'))).toEqual(['The lease']);
  });
  it('goes by what a file holds, not by its name', async () => {
    expect(textOf(await extractText(bytesOf('lease.pdf'), 'lease.txt'))).toContain('José Müller');
    expect(await extractText(strToU8('no archive'), 'x.docx')).toMatchObject({ code: 'damaged' });
    expect(await extractText(Buffer.from('d0cf11e0a1b11ae1', 'hex'), 'x.docx')).toMatchObject({
      code: 'password-protected',
    });
    expect(await extractText(zipSync({ 'other.xml': strToU8('<a/>') }), 'x.xlsx')).toMatchObject({ code: 'damaged' });
  });
  it('takes from HTML what a reader sees', async () => {
    const html =
      '<meta charset="iso-8859-1"><title>Miete</title><style>p{}</style><script>var hidden</script><p>Geb\xFChr&nbsp;f&uuml;r<br>M\xE4rz<img alt="Plan"></p>';
    expect(textOf(await extract1(html))).toBe('Miete\nGebühr für\nMärz Plan');
  });
  it('takes from RTF what a reader sees, a row of a table as a line', async () => {
    const rtf = String.raw`{\rtf1\ansi\ansicpg1252{\fonttbl{\f0 Arial;}}{\info{\title Hidden}}One{\pict\pngblip 89504e47}two\par caf\'e9 \u8364? \\cell \{x\}}`;
    expect(textOf(await extractText(Buffer.from(rtf, 'latin1'), 'a.rtf'))).toBe('Onetwo\ncafé € \\cell {x}');
    expect(textOf(await extract('lease.rtf'))).toContain('Deposit\t2500\nNotice period\tthree months');
    expect(await extractText(strToU8('a note of mine'), 'a.rtf')).toMatchObject({ form: 'plain' });
  });
  it('reads a mail with what is attached to it, and mails in that', async () => {
    const part = (type: string, name: string, content: Uint8Array) =>
      `Content-Type: ${type}; name="${name}"\nContent-Disposition: attachment; filename="${name}"\nContent-Transfer-Encoding: base64\n\n${Buffer.from(content).toString('base64')}\n`;
    const mail = (subject: string, ...parts: string[]) =>
      `From: =?utf-8?q?Jos=C3=A9?= <jose@example.org>\nTo: Anna <anna@example.org>, b@example.org\nSubject: ${subject}\nDate: Mon, 2 Nov 2026 10:00:00 +0000\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=cut\n\n${['Content-Type: text/html; charset=iso-8859-1\nContent-Transfer-Encoding: quoted-printable\n\n<p>The rent f=FCr M=E4rz</p>\n', ...parts].map((each) => `--cut\n${each}`).join('')}--cut--\n`;
    const inner = mail('The older one', part('text/plain', 'note.txt', strToU8('a forgotten clause')));
    const outer = mail(
      '=?utf-8?b?5aWR57SE5pu4?=',
      part('application/pdf', 'lease.pdf', bytesOf('lease.pdf')),
      part('image/png', 'picture.png', Buffer.from('89504e470d0a1a0a', 'hex')),
      part('application/octet-stream', 'older.eml', strToU8(inner)),
    );
    const extraction = await extractor.extract(strToU8(outer), 'lease.eml');
    expect(labelsOf(extraction)).toEqual([
      'Content',
      'Attachment lease.pdf',
      'Attachment picture.png',
      'Attachment older.eml',
    ]);
    const text = textOf(extraction);
    for (const phrase of [
      '契約書\nJosé <jose@example.org>\nAnna <anna@example.org>, <b@example.org>',
      'The rent für März',
    ]) {
      expect(text).toContain(phrase);
    }
    for (const phrase of ['José Müller of Zürich', 'The older one', 'a forgotten clause'])
      expect(text).toContain(phrase);
  });
  it('lists what is in an archive', async () => {
    const zip = zipSync({ 'plans/契約.txt': strToU8('inside'), 'b.bin': new Uint8Array(9) });
    expect(textOf(await extractText(zip, 'all.zip'))).toBe('plans/契約.txt\nb.bin');
    expect(await extractText(strToU8('no archive'), 'all.zip')).toMatchObject({ code: 'damaged' });
  });
  const extract1 = (html: string) => extractText(Buffer.from(html, 'latin1'), 'page.html');

  it('agrees with pdftotext on the words of a PDF', async ({ skip }) => {
    if (spawnSync('pdftotext', ['-v']).error !== undefined) skip('pdftotext (poppler) is not installed');
    for (const name of ['lease.pdf', 'columns.pdf']) {
      const words = (text: string) =>
        text
          .replace(/\u00AD\s*/gu, '')
          .normalize('NFKC')
          .match(/[\p{L}\p{N}]+/gu) ?? [];
      const theirs = words(execFileSync('pdftotext', [join(FIXTURES, name), '-'], { encoding: 'utf8' }));
      expect(words(textOf(await extract(name)))).toEqual(theirs);
    }
  });
});

describe('hostile documents', () => {
  const docx = (document: string | Uint8Array) =>
    zipSync({ 'word/document.xml': typeof document === 'string' ? strToU8(document) : document });

  it('cost at most their limit when they unpack without end', async () => {
    const bomb = docx(new Uint8Array(300 * 1024 * 1024));
    expect(bomb.length).toBeLessThan(1024 * 1024);
    expect(await extractor.extract(bomb, 'bomb.docx')).toMatchObject({ ok: false, code: 'limit-reached' });
  });
  it('do not blow themselves up by entities', async () => {
    const laughs = `<!DOCTYPE x [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;"><!ENTITY c "&b;&b;&b;&b;&b;&b;&b;&b;">]><w:document><w:p><w:t>&c;after</w:t></w:p></w:document>`;
    expect(textOf(await extractor.extract(docx(laughs), 'laughs.docx'))).toBe('&c;after\n');
  });
  const pdf = (...objects: string[]) =>
    strToU8(
      `%PDF-1.4\n${objects.map((each, index) => `${index + 1} 0 obj\n${each}\nendobj\n`).join('')}trailer\n<< /Root 1 0 R >>\n%%EOF`,
    );
  const catalog = '<< /Type /Catalog /Pages 2 0 R >>';
  const page =
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] /Contents 4 0 R /Resources << /XObject << /F 5 0 R >> >> >>';
  const drawn = '/Length 6 >>\nstream\n/F Do \nendstream';
  it.each([
    [
      'pages within pages',
      'loop.pdf',
      () =>
        pdf(
          catalog,
          '<< /Type /Pages /Kids [3 0 R] /Count 99999999 >>',
          '<< /Type /Pages /Kids [2 0 R 3 0 R] /Count 9 /Parent 2 0 R >>',
        ),
    ],
    [
      'a drawing that draws itself',
      'form.pdf',
      () =>
        pdf(
          catalog,
          '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
          page,
          `<< ${drawn}`,
          `<< /Type /XObject /Subtype /Form /BBox [0 0 9 9] /Resources << /XObject << /F 5 0 R >> >> ${drawn}`,
        ),
    ],
    ['millions of paragraphs', 'tiny.docx', () => docx('<w:p><w:t>a</w:t></w:p>'.repeat(8_000_000))],
    ['endless depth', 'deep.rtf', () => strToU8(`{\\rtf1 ${'{'.repeat(200_000)}`)],
    ['endless depth', 'deep.html', () => strToU8('<div>'.repeat(3_000_000))],
    [
      'half a million attachments',
      'many.eml',
      () => strToU8(`Content-Type: multipart/mixed; boundary=b\n\n${'--b\n\nx\n'.repeat(500_000)}`),
    ],
  ])('cost at most their time: %s, %s', async (_, name, make) => {
    const hasty = createExtractor({ threadEntry: workerEntry('extractThread'), limits: { timeoutMs: 1500 } });
    expect(await hasty.extract(make(), name)).toMatchObject({ ok: false, reason: expect.stringMatching(/./u) });
    await hasty.close();
  });
  it('leave the extractor working for the next', async () => {
    const impatient = createExtractor({ threadEntry: workerEntry('extractThread'), limits: { timeoutMs: 1 } });
    expect(await impatient.extract(bytesOf('lease.pdf'), 'lease.pdf')).toMatchObject({ code: 'limit-reached' });
    await impatient.close();
    expect(labelsOf(await extract('lease.pdf'))).toEqual(['Page 1', 'Page 2']);
  });
  it('are never a reason to throw, however they are damaged', async () => {
    const names = ['lease.docx', 'lease.odt', 'lease.rtf', 'deck.pptx', 'sheet.xlsx', 'lease.pdf', 'columns.pdf'];
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...names),
        fc.nat(),
        fc.array(fc.tuple(fc.nat(), fc.integer({ min: 0, max: 255 })), { maxLength: 20 }),
        async (name, cut, changes) => {
          const bytes = new Uint8Array(bytesOf(name)).slice(0, 1 + (cut % 30_000));
          for (const [at, value] of changes) bytes[at % bytes.length] = value;
          const extraction = await extractText(bytes, name);
          expect(typeof extraction.ok).toBe('boolean');
        },
      ),
      { numRuns: 60 },
    );
  });
});
