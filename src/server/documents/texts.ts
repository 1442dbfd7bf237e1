import type { Extractor } from '../../core/extract/extractor.ts';
import { containerFormat } from '../../core/extract/formats.ts';
import { EXTRACT_LIMITS, type Extraction } from '../../core/extract/types.ts';
import type { TextPart } from '../../shared/model/documentText.ts';
import type { BlobStore } from '../storage/blobStore.ts';

/** A content, by the name that tells what it holds. */
export interface TextSource {
  readonly name: string;
  readonly sha256: string;
  readonly size: number;
}

/** The text of contents, as the index has it. */
export interface Texts {
  /** A text from a place on, as many characters as one answer has. */
  part(source: TextSource, from: number): Promise<TextPart>;
}

/** Characters of one answer. */
const PART_LENGTH = 1_000_000;
/** Characters that are kept, so that the pages of a document are not taken out of it again one by one. */
const KEPT_LENGTH = 16_000_000;

const lengthOf = (extraction: Extraction) =>
  extraction.ok ? extraction.sections.reduce((sum, { text }) => sum + text.length, 0) : 0;

function textPart(extraction: Extraction, from: number): TextPart {
  if (!extraction.ok) return { sections: [], next: null, length: 0, problem: extraction.code };
  const length = lengthOf(extraction);
  const until = Math.min(length, from + PART_LENGTH);
  const sections: { label: string; text: string }[] = [];
  let position = 0;
  for (const { label, text } of extraction.sections) {
    const cut = text.slice(Math.max(0, from - position), Math.max(0, until - position));
    // A page without text is one of the pages all the same.
    const isEmpty = text === '' && position >= from && (position < until || until === length);
    if (cut !== '' || isEmpty) sections.push({ label, text: cut });
    position += text.length;
  }
  return { sections, next: until < length ? until : null, length, problem: null };
}

/** Makes the service. One text is taken out at a time: a hostile visitor keeps one thread busy and fills one file's memory. */
export function createTexts(blobs: BlobStore, extractor: Extractor): Texts {
  const kept = new Map<string, Extraction>();
  const underWay = new Map<string, Promise<Extraction>>();
  let last: Promise<unknown> = Promise.resolve();
  let keptLength = 0;

  async function extract(source: TextSource): Promise<Extraction> {
    if (source.size > EXTRACT_LIMITS.maxFileBytes) {
      return { ok: false, code: 'too-large', reason: `Larger than the limit of ${EXTRACT_LIMITS.maxFileBytes} bytes.` };
    }
    const chunks: Buffer[] = [];
    for await (const chunk of blobs.read(source.sha256)) chunks.push(chunk);
    return extractor.extract(Buffer.concat(chunks), source.name);
  }

  /** Keeps a text, and lets go of those that were not asked for for the longest time. */
  function keep(name: string, extraction: Extraction): void {
    kept.set(name, extraction);
    keptLength += lengthOf(extraction);
    for (const [oldest, old] of kept) {
      if (keptLength <= KEPT_LENGTH || oldest === name) return;
      kept.delete(oldest);
      keptLength -= lengthOf(old);
    }
  }

  function begin(name: string, source: TextSource): Promise<Extraction> {
    const extraction = last
      .then(() => extract(source))
      .finally(() => underWay.delete(name))
      .then((extracted) => {
        keep(name, extracted);
        return extracted;
      });
    last = extraction.catch(() => undefined);
    underWay.set(name, extraction);
    return extraction;
  }

  async function textOf(source: TextSource): Promise<Extraction> {
    const name = `${source.sha256} ${containerFormat(source.name)}`;
    const known = kept.get(name);
    if (known === undefined) return underWay.get(name) ?? begin(name, source);
    kept.delete(name);
    kept.set(name, known);
    return known;
  }

  return { part: async (source, from) => textPart(await textOf(source), from) };
}
