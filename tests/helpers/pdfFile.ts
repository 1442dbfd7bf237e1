/** A page of a test's PDF: its lines from the top, and its size in points. */
export interface PdfPageText {
  readonly lines: readonly string[];
  readonly width?: number;
  readonly height?: number;
  /** Annotations, as they are written in the file. */
  readonly annotations?: string;
}

const escaped = (line: string) => line.replace(/[\\()]/gu, '\\$&');

/** What draws the lines of a page. */
function drawLines({ lines, height = 842 }: PdfPageText): string {
  const shown = lines.map((line) => `(${escaped(line)}) Tj T*`).join('\n');
  return `BT /F1 12 Tf 16 TL 72 ${height - 72} Td\n${shown}\nET`;
}

/**
 * A PDF of plain pages, in Helvetica, which every reader has to bring along. Written by hand: any number of pages is there at
 * once. The catalogue may say more.
 */
export function pdfFile(pages: readonly PdfPageText[], catalog = ''): Buffer {
  const firstPage = 4;
  const objects = [
    `<< /Type /Catalog /Pages 2 0 R ${catalog} >>`,
    `<< /Type /Pages /Count ${pages.length} /Kids [${pages.map((_, index) => `${firstPage + 2 * index} 0 R`).join(' ')}] >>`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>',
    ...pages.flatMap((page, index) => {
      const { width = 595, height = 842, annotations = '' } = page;
      const drawn = drawLines(page);
      return [
        `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 ${width} ${height}] /Resources << /Font << /F1 3 0 R >> >> /Contents ${firstPage + 2 * index + 1} 0 R /Annots [${annotations}] >>`,
        `<< /Length ${Buffer.byteLength(drawn, 'latin1')} >>\nstream\n${drawn}\nendstream`,
      ];
    }),
  ];
  let text = '%PDF-1.7\n';
  const places = objects.map((object, index) => {
    const place = text.length;
    text += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return place;
  });
  const table = text.length;
  const entries = places.map((place) => `${String(place).padStart(10, '0')} 00000 n \n`).join('');
  text += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${entries}`;
  text += `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${table}\n%%EOF\n`;
  return Buffer.from(text, 'latin1');
}
