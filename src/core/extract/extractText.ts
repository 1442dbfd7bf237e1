import { decodeText } from './decodeText.ts';
import { type Archive, ArchiveLimitError, openArchive } from './formats/archive.ts';
import { extractEpub, extractHtml } from './formats/html.ts';
import { extractMail } from './formats/mail.ts';
import { extractDocx, extractPptx, extractXlsx } from './formats/office.ts';
import { extractOpenDocument, isEncryptedOpenDocument } from './formats/openDocument.ts';
import { extractPdf } from './formats/pdf.ts';
import { extractRtf, isRtf } from './formats/rtf.ts';
import { type ContainerFormat, containerFormat, sniffFormat } from './formats.ts';
import { withHeadings } from './headings.ts';
import { EXTRACT_LIMITS, type Extraction, type ExtractLimits, type SkipCode, type TextSection } from './types.ts';

const skip = (code: SkipCode, reason: string): Extraction => ({ ok: false, code, reason });

const BINARY = skip('binary', 'Not text.');
const DAMAGED = skip('damaged', 'The document is damaged or is not what its name says.');
const PROTECTED = skip('password-protected', 'The document is protected by a password.');

function plain(bytes: Uint8Array): Extraction {
  const decoded = decodeText(bytes);
  if (decoded === null) return BINARY;
  return { ok: true, form: 'plain', encoding: decoded.encoding, sections: [{ label: 'Content', text: decoded.text }] };
}

function container(sections: readonly TextSection[], limits: ExtractLimits): Extraction {
  const length = sections.reduce((sum, section) => sum + section.text.length, 0);
  if (length > limits.maxTextLength) {
    return skip('limit-reached', `The document holds more text than the limit of ${limits.maxTextLength} characters.`);
  }
  return {
    ok: true,
    form: 'container',
    encoding: 'utf-8',
    sections: sections.map(({ label, text }) =>
      withHeadings({ label, text: text.replace(/\r\n?/gu, '\n').normalize('NFC') }),
    ),
  };
}

/** What is a ZIP of parts. */
type ArchivedFormat = Exclude<ContainerFormat, 'pdf' | 'html' | 'rtf' | 'eml' | 'zip'>;

const MAIN_PART: Readonly<Record<ArchivedFormat, string>> = {
  docx: 'word/document.xml',
  pptx: 'ppt/presentation.xml',
  xlsx: 'xl/workbook.xml',
  odt: 'content.xml',
  ods: 'content.xml',
  odp: 'content.xml',
  epub: 'META-INF/container.xml',
};

function archived(bytes: Uint8Array, format: ArchivedFormat | 'zip', limits: ExtractLimits): Extraction {
  let archive: Archive;
  try {
    archive = openArchive(bytes, limits);
    // Of an archive, what is in it is its text.
    if (format === 'zip') return container([{ label: 'Content', text: archive.names.join('\n') }], limits);
    if (!archive.names.includes(MAIN_PART[format])) return DAMAGED;
    if (isEncryptedOpenDocument(archive)) return PROTECTED;
    return container(archivedSections(archive, format), limits);
  } catch (error) {
    if (error instanceof ArchiveLimitError) return skip('limit-reached', error.message);
    return DAMAGED;
  }
}

function archivedSections(archive: Archive, format: ArchivedFormat): TextSection[] {
  switch (format) {
    case 'docx':
      return extractDocx(archive);
    case 'pptx':
      return extractPptx(archive);
    case 'xlsx':
      return extractXlsx(archive);
    case 'epub':
      return extractEpub(archive);
    default:
      return extractOpenDocument(archive, format);
  }
}

/** What a parser takes out of a file that it may fail on. */
async function parsed(parse: () => Promise<TextSection[]>, limits: ExtractLimits): Promise<Extraction> {
  let sections: TextSection[];
  try {
    sections = await parse();
  } catch {
    // Whatever it met is the file's: what a parser throws has no common form.
    return DAMAGED;
  }
  return container(sections, limits);
}

/**
 * Takes the text out of a file in this very thread. What the file holds decides, where it says anything, over what its name
 * promises. It never throws for what a file holds.
 */
export async function extractText(
  bytes: Uint8Array,
  fileName: string,
  overrides: Partial<ExtractLimits> = {},
): Promise<Extraction> {
  const limits = { ...EXTRACT_LIMITS, ...overrides };
  if (bytes.length > limits.maxFileBytes) {
    return skip('too-large', `Larger than the limit of ${limits.maxFileBytes} bytes.`);
  }
  const format = containerFormat(fileName);
  const sniffed = sniffFormat(bytes);
  if (sniffed === 'pdf' && (format === 'pdf' || decodeText(bytes) === null)) return extractPdf(bytes, limits);
  if (format === null) return plain(bytes);
  if (format === 'pdf') return bytes.length === 0 ? DAMAGED : extractPdf(bytes, limits);
  if (format === 'html') {
    const sections = extractHtml(bytes);
    return sections === null ? BINARY : container(sections, limits);
  }
  if (format === 'rtf') return isRtf(bytes) ? parsed(async () => extractRtf(bytes), limits) : plain(bytes);
  if (format === 'eml') {
    return parsed(() => extractMail(bytes, (part, name) => extractText(part, name, overrides)), limits);
  }
  // An Office file that is an OLE2 compound and not a ZIP is an encrypted one.
  if (sniffed === 'ole2') return PROTECTED;
  return archived(bytes, format, limits);
}
