/** An S3-compatible store for contents, by configuration. */
export interface S3Options {
  readonly endpoint: string;
  readonly region: string;
  readonly bucket: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** Stands before every key; may be empty. */
  readonly prefix: string;
}
