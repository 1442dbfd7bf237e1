declare module 's3rver' {
  import type { RequestListener } from 'node:http';

  interface StoredSize {
    readonly size: number;
    readonly md5: string;
  }
  interface Store {
    getResourcePath(bucket: string, key: string | undefined, resource: string): string;
    putObject(object: { readonly bucket: string; readonly key: string }): Promise<StoredSize>;
    copyObject(...args: string[]): Promise<unknown>;
    deleteObject(...args: string[]): Promise<unknown>;
    putPart(bucket: string, uploadId: string, partNumber: string, content: unknown): Promise<StoredSize>;
  }
  export default class S3rver {
    constructor(options: {
      readonly directory: string;
      readonly silent: boolean;
      readonly vhostBuckets: boolean;
      readonly configureBuckets: readonly { readonly name: string; readonly configs?: readonly string[] }[];
    });
    readonly store: Store;
    configureBuckets(): Promise<unknown>;
    callback(): RequestListener;
  }
}
