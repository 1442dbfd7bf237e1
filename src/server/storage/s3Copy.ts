import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CopyObjectCommand,
  CreateMultipartUploadCommand,
  type S3Client,
  UploadPartCopyCommand,
} from '@aws-sdk/client-s3';

const GIB = 1024 ** 3;

/** What S3 copies in one go, and the pieces that larger objects are copied in. */
const LIMITS_OF_COPY = { wholeBytes: 5 * GIB, partBytes: GIB } as const;

export interface ObjectCopy {
  readonly bucket: string;
  readonly from: string;
  readonly to: string;
  readonly size: number;
  /** Copies only what still has this tag. */
  readonly etag: string | undefined;
}

/** Copies an object inside the store, without its content coming here. */
export async function copyObject(
  client: S3Client,
  { bucket, from, to, size, etag }: ObjectCopy,
  { wholeBytes, partBytes } = LIMITS_OF_COPY as { readonly wholeBytes: number; readonly partBytes: number },
): Promise<void> {
  const target = { Bucket: bucket, Key: to };
  const source = {
    CopySource: [bucket, ...from.split('/')].map(encodeURIComponent).join('/'),
    ...(etag === undefined ? {} : { CopySourceIfMatch: etag }),
  };
  if (size <= wholeBytes) {
    await client.send(new CopyObjectCommand({ ...target, ...source }));
    return;
  }
  const { UploadId } = await client.send(new CreateMultipartUploadCommand(target));
  try {
    const parts: { PartNumber: number; ETag: string | undefined }[] = [];
    for (let start = 0; start < size; start += partBytes) {
      const PartNumber = parts.length + 1;
      const CopySourceRange = `bytes=${start}-${Math.min(start + partBytes, size) - 1}`;
      const { CopyPartResult } = await client.send(
        new UploadPartCopyCommand({ ...target, ...source, UploadId, PartNumber, CopySourceRange }),
      );
      parts.push({ PartNumber, ETag: CopyPartResult?.ETag });
    }
    await client.send(new CompleteMultipartUploadCommand({ ...target, UploadId, MultipartUpload: { Parts: parts } }));
  } catch (error) {
    await client.send(new AbortMultipartUploadCommand({ ...target, UploadId }));
    throw error;
  }
}
