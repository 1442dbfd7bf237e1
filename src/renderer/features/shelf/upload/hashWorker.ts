import { sha256 } from '@noble/hashes/sha2';

/** What the page asks: the file, and by which number the answers are told apart. */
export interface HashRequest {
  readonly id: number;
  readonly file: File;
}

export type HashAnswer =
  | { readonly id: number; readonly kind: 'progress'; readonly bytes: number }
  | { readonly id: number; readonly kind: 'done'; readonly hex: string }
  | { readonly id: number; readonly kind: 'failed'; readonly message: string };

const post = (answer: HashAnswer) => self.postMessage(answer);

/** Hashes a file as a stream, so that its size does not matter. */
async function hash({ id, file }: HashRequest): Promise<void> {
  const digest = sha256.create();
  const reader = file.stream().getReader();
  let bytes = 0;
  for (let chunk = await reader.read(); !chunk.done; chunk = await reader.read()) {
    digest.update(chunk.value);
    bytes += chunk.value.byteLength;
    post({ id, kind: 'progress', bytes });
  }
  const hex = [...digest.digest()].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  post({ id, kind: 'done', hex });
}

self.onmessage = ({ data }: MessageEvent<HashRequest>) => {
  hash(data).catch((error: unknown) => post({ id: data.id, kind: 'failed', message: String(error) }));
};
