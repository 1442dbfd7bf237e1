/** An S3-compatible store for contents, by configuration. */
export interface S3Options {
  /** Where the store is, such as `https://s3.eu-central-1.amazonaws.com`. */
  readonly endpoint: string;
  /** Where clients reach it, when that is not where the server does. */
  readonly publicEndpoint?: string | null;
  readonly region: string;
  readonly bucket: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** Stands before every key, so that a bucket may serve others as well; may be empty. */
  readonly prefix: string;
}
