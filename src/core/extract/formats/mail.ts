import PostalMime, { type Address, type Attachment } from 'postal-mime';
import { HEADING_MARK } from '../headings.ts';
import type { Extraction, TextSection } from '../types.ts';
import { htmlText } from './html.ts';

/** Mails in mails in mails: further in, only the names of attachments are text. */
const MAX_DEPTH = 3;
const MAX_PARTS = 500;

/** Takes the text out of an attachment. */
export type ExtractAttachment = (bytes: Uint8Array<ArrayBuffer>, fileName: string) => Promise<Extraction>;

function shown(address: Address | undefined): string {
  if (address === undefined) return '';
  const people = address.group ?? [address];
  return people
    .map(({ name, address: mail }) => [name, mail === undefined ? '' : `<${mail}>`].join(' ').trim())
    .join(', ');
}

function bytesOf({ content }: Attachment): Uint8Array<ArrayBuffer> {
  return typeof content === 'string' ? new Uint8Array(Buffer.from(content)) : new Uint8Array(content);
}

/**
 * A mail: who wrote what to whom when as `Content`, then each attachment with what it holds.
 * @throws for what is no mail
 */
export async function extractMail(bytes: Uint8Array, extract: ExtractAttachment, depth = 0): Promise<TextSection[]> {
  const mail = await PostalMime.parse(new Uint8Array(bytes), { maxNestingDepth: 50 });
  const head = [
    mail.subject === undefined ? '' : HEADING_MARK + mail.subject,
    shown(mail.from),
    ...[mail.to, mail.cc].map((addresses) => (addresses ?? []).map(shown).join(', ')),
    mail.date ?? '',
  ];
  const body = mail.text ?? (mail.html === undefined ? '' : htmlText(mail.html));
  const sections: TextSection[] = [
    { label: 'Content', text: [...head.filter((line) => line !== ''), '', body].join('\n') },
  ];
  for (const attachment of mail.attachments.slice(0, MAX_PARTS)) {
    const name = attachment.filename ?? (attachment.mimeType === 'message/rfc822' ? 'mail.eml' : '');
    if (name === '') continue;
    const found = depth >= MAX_DEPTH ? null : await sectionsOf(bytesOf(attachment), name, extract, depth);
    const text = found?.map((section) => section.text) ?? [];
    sections.push({ label: `Attachment ${name}`, text: [name, ...text].join('\n') });
  }
  return sections;
}

async function sectionsOf(
  bytes: Uint8Array<ArrayBuffer>,
  name: string,
  extract: ExtractAttachment,
  depth: number,
): Promise<readonly TextSection[] | null> {
  if (name.toLowerCase().endsWith('.eml')) return extractMail(bytes, extract, depth + 1);
  const extraction = await extract(bytes, name);
  return extraction.ok ? extraction.sections : null;
}
