import { crc32, deflateSync } from 'node:zlib';
import { strToU8, zipSync } from 'fflate';

/** A PNG whose left half is red and whose right half is see-through. */
export function pngFile(width: number, height: number): Buffer {
  const chunk = (type: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
    const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
    length.writeUInt32BE(data.length);
    sum.writeUInt32BE(crc32(body));
    return Buffer.concat([length, body, sum]);
  };
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([8, 6, 0, 0, 0], 8);
  const row = Buffer.alloc(1 + width * 4);
  for (let x = 0; x < width / 2; x += 1) row.set([200, 40, 40, 255], 1 + x * 4);
  const pixels = deflateSync(Buffer.concat(Array.from({ length: height }, () => row)));
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', head),
    chunk('IDAT', pixels),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** A JPEG with the EXIF orientation that says: turned a quarter, so that height and width change places. */
export function turnedJpeg(jpeg: Buffer): Buffer {
  const exif = Buffer.from(
    '457869660000' + '49492a0008000000' + '0100' + '120103000100000006000000' + '00000000',
    'hex',
  );
  const length = Buffer.alloc(2);
  length.writeUInt16BE(exif.length + 2);
  return Buffer.concat([jpeg.subarray(0, 2), Buffer.from('ffe1', 'hex'), length, exif, jpeg.subarray(2)]);
}

/** A second of a tone, as WAV. */
export function wavFile(): Buffer {
  const [rate, count] = [8000, 8000];
  const head = Buffer.alloc(44);
  head.write('RIFF', 0, 'latin1');
  head.writeUInt32LE(36 + count * 2, 4);
  head.write('WAVEfmt ', 8, 'latin1');
  head.writeUInt32LE(16, 16);
  head.writeUInt16LE(1, 20);
  head.writeUInt16LE(1, 22);
  head.writeUInt32LE(rate, 24);
  head.writeUInt32LE(rate * 2, 28);
  head.writeUInt16LE(2, 32);
  head.writeUInt16LE(16, 34);
  head.write('data', 36, 'latin1');
  head.writeUInt32LE(count * 2, 40);
  const samples = Buffer.alloc(count * 2);
  for (let at = 0; at < count; at += 1) {
    samples.writeInt16LE(Math.round(8000 * Math.sin((2 * Math.PI * 440 * at) / rate)), at * 2);
  }
  return Buffer.concat([head, samples]);
}

/** A ZIP of texts and bytes by their paths. */
export function zipFile(parts: Readonly<Record<string, string | Uint8Array>>): Buffer {
  const files = Object.entries(parts).map(([path, part]) => [path, typeof part === 'string' ? strToU8(part) : part]);
  return Buffer.from(zipSync(Object.fromEntries(files), { mtime: '2024-05-06T07:08:09' }));
}

/** The same ZIP with the mark on every file that it is encrypted. */
export function markedEncrypted(zip: Buffer): Buffer {
  const marked = Buffer.from(zip);
  for (
    let at = marked.indexOf('PK\u0001\u0002', 0, 'latin1');
    at >= 0;
    at = marked.indexOf('PK\u0001\u0002', at + 4, 'latin1')
  ) {
    marked.writeUInt16LE(marked.readUInt16LE(at + 8) | 1, at + 8);
  }
  return marked;
}

const CONTAINER =
  '<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles><rootfile full-path="OEBPS/book.opf"/></rootfiles></container>';

const chapter = (title: string, body: string) =>
  `<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops"><head><title/>${'<script>window.top.wasRun = true</script>'}</head><body><h1 id="top">${title}</h1>${body}</body></html>`;

/** A book of three chapters with a picture, a link from one chapter to another, and a script that must not run. */
export function epubFile(hostile: string): Buffer {
  const paragraph = '<p>The archive keeps what was written, and lends it to whoever asks. </p>'.repeat(40);
  return zipFile({
    mimetype: 'application/epub+zip',
    'META-INF/container.xml': CONTAINER,
    'OEBPS/book.opf': `<package xmlns="http://www.idpf.org/2007/opf" xmlns:dc="http://purl.org/dc/elements/1.1/"><metadata><dc:title>Reading rooms</dc:title></metadata><manifest>
      <item id="nav" href="nav.xhtml" properties="nav" media-type="application/xhtml+xml"/>
      <item id="a" href="text/a.xhtml" media-type="application/xhtml+xml"/><item id="b" href="text/b.xhtml" media-type="application/xhtml+xml"/>
      <item id="c" href="text/c.xhtml" media-type="application/xhtml+xml"/><item id="p" href="images/red.png" media-type="image/png"/></manifest>
      <spine><itemref idref="a"/><itemref idref="b"/><itemref idref="c"/></spine></package>`,
    'OEBPS/nav.xhtml':
      '<html xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops"><body><nav epub:type="toc"><ol><li><a href="text/a.xhtml">The door</a></li><li><a href="text/b.xhtml">The shelves</a><ol><li><a href="text/b.xhtml#second">The second shelf</a></li></ol></li><li><a href="text/c.xhtml">The lamp</a></li></ol></nav></body></html>',
    'OEBPS/text/a.xhtml': chapter(
      'The door',
      `<p><img src="../images/red.png" alt="A red square"/> <a href="c.xhtml#lit">To the lamp</a></p>${hostile}${paragraph}`,
    ),
    'OEBPS/text/b.xhtml': chapter('The shelves', `${paragraph}<h2 id="second">The second shelf</h2>${paragraph}`),
    'OEBPS/text/c.xhtml': chapter('The lamp', `${paragraph}<p id="lit">The lamp is lit at dusk.</p>`),
    'OEBPS/images/red.png': pngFile(40, 40),
  });
}
