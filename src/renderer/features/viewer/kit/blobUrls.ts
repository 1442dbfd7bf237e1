/** Addresses of the images that a document brings along, given back all together. */
export interface BlobUrls {
  add(bytes: Uint8Array<ArrayBuffer>, type: string): string;
  close(): void;
}

export function createBlobUrls(): BlobUrls {
  const urls: string[] = [];
  return {
    add(bytes, type) {
      const url = URL.createObjectURL(new Blob([bytes], { type }));
      urls.push(url);
      return url;
    },
    close() {
      for (const url of urls.splice(0)) URL.revokeObjectURL(url);
    },
  };
}

/** Types of images, by the extensions that name them. None of them runs anything as an `<img>`. */
const IMAGE_TYPES: Readonly<Record<string, string>> = {
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  png: 'image/png',
  gif: 'image/gif',
  bmp: 'image/bmp',
  webp: 'image/webp',
  avif: 'image/avif',
  ico: 'image/x-icon',
  tif: 'image/tiff',
  tiff: 'image/tiff',
  svg: 'image/svg+xml',
};

/** The type of an image by its extension; null for what is none. */
export const imageType = (extension: string): string | null => IMAGE_TYPES[extension] ?? null;

const DATA_IMAGE = /^data:(image\/(?:png|jpeg|gif|bmp|webp|avif|svg\+xml))((?:;[^,;]*)*),(.*)$/isu;

function decoded(data: string, isBase64: boolean): Uint8Array<ArrayBuffer> | null {
  try {
    if (!isBase64) return new TextEncoder().encode(decodeURIComponent(data));
    return Uint8Array.from(atob(data.replace(/\s/gu, '')), (letter) => letter.charCodeAt(0));
  } catch (error) {
    // Not what it says it is: an image that is not there.
    if (error instanceof URIError || error instanceof DOMException) return null;
    throw error;
  }
}

/**
 * The address of an image that is written into a document as a `data:` address; null for any other address, so that a document
 * gets nothing from the network. As blobs they pass every policy of ours, also where `data:` does not.
 */
export function embeddedImage(urls: BlobUrls, source: string): string | null {
  const [, type, parameters, data] = DATA_IMAGE.exec(source.trim()) ?? [];
  if (type === undefined || data === undefined) return null;
  const bytes = decoded(data, /;base64$/iu.test(parameters ?? ''));
  return bytes === null ? null : urls.add(bytes, type.toLowerCase());
}
