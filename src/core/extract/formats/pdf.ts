import { type PDFiumDocument, PDFiumLibrary } from '@hyzyla/pdfium';
import { pageText } from '../../../shared/rules/pageText.ts';
import type { Extraction, ExtractLimits, TextSection } from '../types.ts';

let library: Promise<PDFiumLibrary> | null = null;

/** PDFium's error codes that people can act on come as words in its message. */
function failed(error: unknown): Extraction {
  const message = error instanceof Error ? error.message : String(error);
  if (/password/iu.test(message)) {
    return { ok: false, code: 'password-protected', reason: 'The PDF is protected by a password.' };
  }
  return { ok: false, code: 'damaged', reason: 'The PDF is damaged or is no PDF.' };
}

function readPages(document: PDFiumDocument, limits: ExtractLimits): Extraction {
  const sections: TextSection[] = [];
  let length = 0;
  for (const page of document.pages()) {
    const text = pageText(page.getText());
    length += text.length;
    if (length > limits.maxTextLength) {
      return {
        ok: false,
        code: 'limit-reached',
        reason: `The PDF holds more text than the limit of ${limits.maxTextLength} characters.`,
      };
    }
    sections.push({ label: `Page ${page.number + 1}`, text });
  }
  if (length === 0) {
    return { ok: false, code: 'no-text', reason: 'The PDF has no text layer; it may be scanned.' };
  }
  return { ok: true, form: 'container', encoding: 'utf-8', sections };
}

/** The text of a PDF, a section a page, by PDFium (WebAssembly, loaded once per thread). */
export async function extractPdf(bytes: Uint8Array, limits: ExtractLimits): Promise<Extraction> {
  library ??= PDFiumLibrary.init();
  const pdfium = await library;
  let document: PDFiumDocument;
  try {
    document = await pdfium.loadDocument(bytes);
  } catch (error) {
    return failed(error);
  }
  try {
    return readPages(document, limits);
  } catch (error) {
    return failed(error);
  } finally {
    document.destroy();
  }
}
