import { AppError } from '../../shared/errors.ts';

interface S3Fault {
  readonly name?: string;
  readonly code?: string;
  readonly message?: string;
  readonly $metadata?: { readonly httpStatusCode?: number };
}

const nameOf = (error: unknown): string => ((error ?? {}) as S3Fault).name ?? '';
const statusOf = (error: unknown): number => ((error ?? {}) as S3Fault).$metadata?.httpStatusCode ?? 0;

/** Whether there is no such object or no such upload; a bucket that is not there is something else. */
export function isMissing(error: unknown): boolean {
  return nameOf(error) !== 'NoSuchBucket' && (statusOf(error) === 404 || /^NoSuch(Key|Upload)$/u.test(nameOf(error)));
}

const FULL = ['QuotaExceeded', 'XMinioStorageFull', 'InsufficientCapacity'];
const REFUSED = ['AccessDenied', 'InvalidAccessKeyId', 'SignatureDoesNotMatch', 'RequestTimeTooSkewed'];
/** Not any error of the system: what is sent to the store may be a file that cannot be read. */
const NO_CONNECTION =
  /^(ECONN[A-Z]+|EHOST[A-Z]+|ENET[A-Z]+|EAI_[A-Z]+|ENOTFOUND|EPIPE|EPROTO|ETIMEDOUT|TimeoutError|NetworkingError)$/u;

/** What a fault of the store means, in words that whoever runs the server can act on. Other errors stay as they are. */
export function s3Fault(error: unknown, bucket: string, place: string): unknown {
  const [name, status] = [nameOf(error), statusOf(error)];
  const { code = '', message = '' } = (error ?? {}) as S3Fault;
  const unavailable = (text: string) => new AppError('storage-unavailable', text, { cause: error });
  if (name === 'NoSuchBucket') return unavailable(`the bucket ${bucket} does not exist at ${place}`);
  if (FULL.includes(name) || status === 507) {
    return new AppError('storage-full', `the bucket ${bucket} takes no more`, { cause: error });
  }
  if (REFUSED.includes(name) || status === 401 || status === 403) {
    return unavailable(`${place} refuses the bucket ${bucket} to these credentials (${name || status})`);
  }
  if (status >= 500 || status === 429 || (status === 0 && (NO_CONNECTION.test(code) || NO_CONNECTION.test(name)))) {
    return unavailable(`the object store at ${place} does not answer: ${message || code || name}`);
  }
  return error;
}
