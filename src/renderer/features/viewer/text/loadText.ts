import { ENCODING_SAMPLE } from '../../../../shared/rules/textEncoding.ts';
import { createNormalizer, encodingOf, legacyEncoding, type TextEncoding } from './decoding.ts';
import { createTextStore, type TextStore } from './textStore.ts';

/** Why a text is not shown. */
export type LoadProblem = 'not-text' | 'not-found' | 'unreachable';

/** Told while a text comes in; the store is another one when it has to be read anew in another encoding. */
export interface LoadListener {
  readonly begun: (store: TextStore, encoding: string) => void;
  readonly grown: () => void;
  readonly failed: (problem: LoadProblem) => void;
}

/** Bytes of a body, the first ones as many as it takes to tell the encoding. */
async function* chunksOf(body: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  let first: Uint8Array[] | null = [];
  let length = 0;
  const join = (parts: readonly Uint8Array[]) => {
    const joined = new Uint8Array(length);
    let at = 0;
    for (const part of parts) {
      joined.set(part, at);
      at += part.length;
    }
    return joined;
  };
  const reader = body.getReader();
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    if (first === null) {
      yield part.value;
      continue;
    }
    first.push(part.value);
    length += part.value.length;
    if (length < ENCODING_SAMPLE) continue;
    yield join(first);
    first = null;
  }
  if (first !== null) yield join(first);
}

/** Reads a body as text. @returns false when it is not in the encoding that its beginning is in */
async function readBody(
  body: ReadableStream<Uint8Array>,
  known: TextEncoding | null,
  { begun, grown, failed }: LoadListener,
): Promise<TextEncoding | null> {
  let store: TextStore | null = null;
  let decoder: TextDecoder | null = null;
  let sample = new Uint8Array();
  const normalize = createNormalizer();
  for await (const chunk of chunksOf(body)) {
    let bytes = chunk;
    if (store === null || decoder === null) {
      sample = new Uint8Array(chunk.subarray(0, ENCODING_SAMPLE));
      const encoding = known ?? encodingOf(sample, chunk.length > ENCODING_SAMPLE);
      if (encoding === null) {
        failed('not-text');
        return null;
      }
      bytes = chunk.subarray(encoding.markLength);
      decoder = new TextDecoder(encoding.name, { fatal: encoding.name === 'utf-8' });
      store = createTextStore();
      begun(store, encoding.name);
    }
    let text: string;
    try {
      text = decoder.decode(bytes, { stream: true });
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
      return legacyEncoding(sample);
    }
    store.append(normalize(text, false));
    grown();
  }
  let rest = '';
  try {
    rest = decoder?.decode() ?? '';
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return legacyEncoding(sample);
  }
  store?.append(normalize(rest, true));
  store?.end();
  grown();
  return null;
}

/** Loads a text and tells of what is there of it, so that its beginning is shown before its end has come. */
export async function loadText(url: string, listener: LoadListener): Promise<void> {
  let encoding: TextEncoding | null = null;
  try {
    do {
      const response = await fetch(url, { credentials: 'same-origin' });
      if (!response.ok || response.body === null) {
        listener.failed(response.status === 404 ? 'not-found' : 'unreachable');
        return;
      }
      encoding = await readBody(response.body, encoding, listener);
    } while (encoding !== null);
  } catch {
    // No answer, or the connection broke: the browser says no more than that.
    listener.failed('unreachable');
  }
}
