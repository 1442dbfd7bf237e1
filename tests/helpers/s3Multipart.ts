import { createHash, createHmac } from 'node:crypto';
import { open, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import type S3rver from 's3rver';

/**
 * What S3 does and s3rver does not: it neither lists, aborts nor copies into multipart uploads, and believes every signed
 * address. The answers are those of the S3 API reference.
 */
export interface S3Additions {
  /** Answers the request, or leaves it to s3rver with false. */
  handle(request: IncomingMessage, response: ServerResponse): Promise<boolean>;
}

const encode = (text: string) =>
  encodeURIComponent(text).replace(/[!'()*]/gu, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest();

/** Whether a signed address is unchanged, in time, and used as it says (AWS Signature Version 4 in the query). */
function isSignatureRight(request: IncomingMessage, url: URL, secretKey: string): boolean {
  const query = url.searchParams;
  const given = query.get('X-Amz-Signature');
  if (given === null) return true;
  const date = query.get('X-Amz-Date') ?? '';
  const begun = Date.parse(date.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/u, '$1-$2-$3T$4:$5:$6Z'));
  if (Date.now() > begun + Number(query.get('X-Amz-Expires')) * 1000) return false;
  const scope = (query.get('X-Amz-Credential') ?? '').split('/').slice(1);
  const headers = (query.get('X-Amz-SignedHeaders') ?? '').split(';');
  const canonical = [
    request.method,
    url.pathname,
    [...query]
      .filter(([name]) => name !== 'X-Amz-Signature')
      .map(([name, value]) => `${encode(name)}=${encode(value)}`)
      .sort()
      .join('&'),
    ...headers.map((name) => `${name}:${String(request.headers[name] ?? '').trim()}`),
    '',
    headers.join(';'),
    'UNSIGNED-PAYLOAD',
  ].join('\n');
  const key = scope.reduce<string | Buffer>((previous, part) => hmac(previous, part), `AWS4${secretKey}`);
  return hmac(key, ['AWS4-HMAC-SHA256', date, scope.join('/'), sha256(canonical)].join('\n')).toString('hex') === given;
}

const tags = (fields: Readonly<Record<string, string | number>>) =>
  Object.entries(fields)
    .map(([name, value]) => `<${name}>${value}</${name}>`)
    .join('');

/** s3rver answers when it has read a content, which is before the file has all of it. */
function waitForFiles({ store }: S3rver): void {
  const written = async (path: string, size: number) => {
    while ((await stat(path).catch(() => null))?.size !== size) await new Promise(setImmediate);
  };
  const { putObject, putPart } = store;
  store.putObject = async (object) => {
    const stored = await putObject.call(store, object);
    await written(store.getResourcePath(object.bucket, object.key, 'object'), stored.size);
    return stored;
  };
  store.putPart = async (bucket, uploadId, part, content) => {
    const stored = await putPart.call(store, bucket, uploadId, part, content);
    await written(join(store.getResourcePath(bucket, undefined, 'uploads'), uploadId, part), stored.size);
    return stored;
  };
}

/** s3rver copies and deletes file by file: what begins while another is under way takes away what that has just made. */
function oneChangeAtATime({ store }: S3rver): void {
  let last: Promise<unknown> = Promise.resolve();
  for (const name of ['copyObject', 'deleteObject'] as const) {
    const change: (...args: string[]) => Promise<unknown> = store[name];
    store[name] = (...args: string[]) => {
      const answer = last.then(() => change.apply(store, args));
      last = answer.catch(() => undefined);
      return answer;
    };
  }
}

/** Adds them to a server. */
export function addToS3rver(s3rver: S3rver, secretKey: string): S3Additions {
  waitForFiles(s3rver);
  oneChangeAtATime(s3rver);
  const folderOf = (bucket: string) => s3rver.store.getResourcePath(bucket, undefined, 'uploads');

  async function uploads(bucket: string, prefix: string): Promise<string> {
    const found: string[] = [];
    for (const UploadId of await readdir(folderOf(bucket)).catch(() => [])) {
      const file = join(folderOf(bucket), UploadId, 'key');
      const Key = await readFile(file, 'utf8');
      if (!Key.startsWith(prefix)) continue;
      const Initiated = (await stat(file)).mtime.toISOString();
      found.push(`<Upload>${tags({ Key, UploadId, Initiated })}</Upload>`);
    }
    return `<ListMultipartUploadsResult>${found.join('')}<IsTruncated>false</IsTruncated></ListMultipartUploadsResult>`;
  }

  async function parts(folder: string): Promise<string> {
    const numbers = (await readdir(folder)).filter((name) => /^\d+$/u.test(name)).map(Number);
    const found: string[] = [];
    for (const PartNumber of numbers.sort((a, b) => a - b)) {
      const file = join(folder, String(PartNumber));
      const ETag = await readFile(`${file}.md5`, 'utf8').catch(() => null);
      if (ETag !== null) found.push(`<Part>${tags({ PartNumber, ETag, Size: (await stat(file)).size })}</Part>`);
    }
    return `<ListPartsResult>${found.join('')}<IsTruncated>false</IsTruncated></ListPartsResult>`;
  }

  async function copyPart(request: IncomingMessage, folder: string, part: string): Promise<string> {
    const [bucket = '', ...key] = decodeURIComponent(String(request.headers['x-amz-copy-source'])).split('/');
    const [, start, end] = /^bytes=(\d+)-(\d+)$/u.exec(String(request.headers['x-amz-copy-source-range'])) ?? [];
    const handle = await open(s3rver.store.getResourcePath(bucket, key.join('/'), 'object'));
    const content = Buffer.alloc(Number(end) - Number(start) + 1);
    await handle.read(content, 0, content.length, Number(start));
    await handle.close();
    const ETag = createHash('md5').update(content).digest('hex');
    await writeFile(join(folder, part), content);
    await writeFile(join(folder, `${part}.md5`), ETag);
    return `<CopyPartResult>${tags({ ETag })}</CopyPartResult>`;
  }

  return {
    async handle(request, response) {
      const url = new URL(request.url ?? '/', 'http://localhost');
      const answer = (status: number, body: string) => {
        response.writeHead(status, { 'content-type': 'application/xml' });
        response.end(status === 204 ? undefined : `<?xml version="1.0" encoding="UTF-8"?>${body}`);
        return true;
      };
      const refuse = (status: number, Code: string) =>
        answer(status, `<Error>${tags({ Code, Message: Code })}</Error>`);
      // What browsers ask before they send to another origin is not signed.
      if (request.method !== 'OPTIONS' && !isSignatureRight(request, url, secretKey)) {
        request.resume();
        return refuse(403, 'SignatureDoesNotMatch');
      }
      const [bucket = '', ...key] = decodeURIComponent(url.pathname.slice(1)).split('/');
      if (request.method === 'GET' && url.searchParams.has('uploads')) {
        if ((await stat(join(folderOf(bucket), '..')).catch(() => null)) === null) return refuse(404, 'NoSuchBucket');
        return answer(200, await uploads(bucket, url.searchParams.get('prefix') ?? ''));
      }
      const uploadId = url.searchParams.get('uploadId');
      if (uploadId === null) return false;
      const folder = join(folderOf(bucket), uploadId);
      const owner = await readFile(join(folder, 'key'), 'utf8').catch(() => null);
      if (owner !== key.join('/')) {
        request.resume();
        return refuse(404, 'NoSuchUpload');
      }
      if (request.method === 'GET') return answer(200, await parts(folder));
      if (request.method === 'DELETE') {
        await rm(folder, { recursive: true });
        return answer(204, '');
      }
      if (request.headers['x-amz-copy-source'] === undefined) return false;
      return answer(200, await copyPart(request, folder, url.searchParams.get('partNumber') ?? ''));
    },
  };
}
