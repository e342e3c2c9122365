/**
 * Blobs in a bucket of an S3-compatible service: a multipart upload for each, and one object once it is complete.
 * Requests are signed by aws4fetch (Signature Version 4) and addressed by path, which all services support.
 *
 * A crash before an upload's name was stored leaves an upload without parts. The bucket's rule for unfinished
 * uploads deletes it after two days (docs/operations.md).
 */
import http, { type ClientRequest, type IncomingMessage } from 'node:http';
import https from 'node:https';
import { AwsV4Signer } from 'aws4fetch';
import { sha256 } from '../../protocol/crypto.ts';
import { encodeUtf8 } from '../../protocol/encoding.ts';
import {
  type BlobBytes,
  BytesMissing,
  BytesUnavailable,
  type PartToPut,
  type StoredObject,
} from './bytes.ts';

export interface Bucket {
  /** Origin of the service, optionally with a path. */
  endpoint: string;
  region: string;
  name: string;
  /** The prefix of all object names; may be empty. */
  prefix: string;
  accessKeyId: string;
  secretAccessKey: string;
  /** Session token of temporary credentials. */
  sessionToken: string | null;
}

/** The longest time without traffic on a connection to the service, in milliseconds. */
const STALL = 60_000;
const MAX_CONNECTIONS = 512;
/** The most bytes read of an answer that is not an object. */
const MAX_XML = 64 * 1024;
/** Codes of services that cannot abort an upload: then their rule for unfinished uploads applies. */
const NOT_IMPLEMENTED = new Set([405, 501]);

interface Call {
  method: 'GET' | 'HEAD' | 'PUT' | 'POST' | 'DELETE';
  key: string;
  query?: Record<string, string>;
  headers?: Record<string, string>;
  body?: { bytes: AsyncIterable<Uint8Array>; length: number; digest: Uint8Array };
  signal?: AbortSignal;
}

/** A refusal of the service. */
interface Refusal {
  status: number;
  /** The service's own code, such as NoSuchKey. */
  code: string;
}

/** The blobs in a bucket. @throws BytesUnavailable unless an object can be written there */
export async function openBucket(bucket: Bucket): Promise<BlobBytes> {
  const { accessKeyId, secretAccessKey, sessionToken, region, prefix } = bucket;
  const isTls = bucket.endpoint.startsWith('https:');
  const options = { keepAlive: true, maxSockets: MAX_CONNECTIONS };
  const agent = isTls ? new https.Agent(options) : new http.Agent(options);
  const base = `${bucket.endpoint.replace(/\/+$/, '')}/${bucket.name}/${prefix}`;

  /** The answer, of any status. @throws BytesUnavailable if there is none; errors of the body */
  async function send({
    method,
    key,
    query = {},
    headers = {},
    body,
    signal,
  }: Call): Promise<IncomingMessage> {
    const url = new URL(base + key);
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
    const digest = Buffer.from(body?.digest ?? sha256(new Uint8Array())).toString('hex');
    const signer = new AwsV4Signer({
      method,
      url: url.href,
      headers: { ...headers, 'x-amz-content-sha256': digest },
      service: 's3',
      region,
      accessKeyId,
      secretAccessKey,
      ...(sessionToken !== null && { sessionToken }),
    });
    const signed = await signer.sign();
    const request = (isTls ? https : http).request(signed.url, {
      method,
      agent,
      headers: { ...Object.fromEntries(signed.headers), 'content-length': String(body?.length ?? 0) },
      ...(signal && { signal }),
    });
    request.setTimeout(STALL, () => request.destroy(new Error('stalled')));
    let failure: unknown = null;
    const answered = new Promise<IncomingMessage>((resolve, reject) => {
      request.once('response', resolve);
      request.once('error', reject);
    });
    if (body) {
      write(request, body.bytes).catch((error: unknown) => {
        failure ??= error;
        request.destroy();
      });
    } else {
      request.end();
    }
    try {
      return await answered;
    } catch (error) {
      throw failure ?? new BytesUnavailable(nameOf(error));
    }
  }

  /** A successful answer. @throws BytesUnavailable, and refusals outside `accept` */
  async function call(request: Call, accept: (refusal: Refusal) => boolean = () => false): Promise<Answer> {
    const response = await send(request);
    const status = response.statusCode ?? 0;
    const text = request.method === 'HEAD' ? '' : await readText(response);
    if (request.method === 'HEAD') response.resume();
    // Some refusals follow the header of a success.
    const code = textOf(text, 'Code') ?? `HTTP_${status}`;
    const isRefused = status >= 300 || text.includes('<Error>');
    if (isRefused && !accept({ status, code })) throw new BytesUnavailable(code);
    return { headers: response.headers, text, refused: isRefused ? code : null };
  }

  const isGone = ({ status }: Refusal) => status === 404;

  async function isThere({ object, size }: StoredObject): Promise<boolean> {
    const { headers, refused } = await call({ method: 'HEAD', key: object }, isGone);
    return refused === null && Number(headers['content-length']) === size;
  }

  await call({ method: 'PUT', key: 'waxwing-can-write', body: bodyOf('') });
  await call({ method: 'DELETE', key: 'waxwing-can-write' }, isGone);

  return {
    async begin(object) {
      const { text } = await call({ method: 'POST', key: object, query: { uploads: '' } });
      const upload = textOf(text, 'UploadId');
      if (upload === null) throw new BytesUnavailable('NoUploadId');
      return upload;
    },

    async putPart({ object, upload, part, length, digest, body, signal }: PartToPut) {
      const { headers } = await call({
        method: 'PUT',
        key: object,
        query: { partNumber: String(part + 1), uploadId: upload },
        body: { bytes: body, length, digest },
        signal,
      });
      if (typeof headers.etag !== 'string') throw new BytesUnavailable('NoETag');
      return headers.etag;
    },

    // A number has one part: the next part with that number replaces it, and the end of the upload deletes all.
    async dropPart() {},

    async complete(blob) {
      const parts = blob.tags.map(
        (tag, part) => `<Part><PartNumber>${part + 1}</PartNumber><ETag>${escapeXml(tag)}</ETag></Part>`,
      );
      const xml = `<CompleteMultipartUpload>${parts.join('')}</CompleteMultipartUpload>`;
      const { refused } = await call(
        { method: 'POST', key: blob.object, query: { uploadId: blob.upload }, body: bodyOf(xml) },
        () => true,
      );
      // An earlier call may have completed the upload, with a lost answer.
      if (refused !== null && !(await isThere(blob))) throw new BytesUnavailable(refused);
    },

    async read({ object, size }, { offset, length }, signal) {
      const isWhole = length === size;
      const headers: Record<string, string> = isWhole
        ? {}
        : { range: `bytes=${offset}-${offset + length - 1}` };
      const response = await send({ method: 'GET', key: object, headers, signal });
      const isExpected = response.statusCode === (isWhole ? 200 : 206);
      if (isExpected && Number(response.headers['content-length']) === length) return response;
      const code = textOf(await readText(response), 'Code');
      if (response.statusCode === 404 && code !== 'NoSuchBucket') throw new BytesMissing();
      throw new BytesUnavailable(code ?? `HTTP_${response.statusCode}`);
    },

    async drop(object, upload) {
      if (upload !== null) {
        const query = { uploadId: upload };
        await call(
          { method: 'DELETE', key: object, query },
          (refusal) => isGone(refusal) || NOT_IMPLEMENTED.has(refusal.status),
        );
      }
      await call({ method: 'DELETE', key: object }, isGone);
    },

    // A rule of the bucket ends unfinished uploads.
    async sweep() {},

    close() {
      agent.destroy();
    },
  };
}

interface Answer {
  headers: IncomingMessage['headers'];
  text: string;
  /** The code of an accepted refusal; null for a success. */
  refused: string | null;
}

function bodyOf(text: string): NonNullable<Call['body']> {
  const bytes = encodeUtf8(text);
  return { bytes: onePiece(bytes), length: bytes.length, digest: sha256(bytes) };
}

async function* onePiece(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  if (bytes.length > 0) yield bytes;
}

/** Writes a body as it arrives, no faster than the service accepts it. */
async function write(request: ClientRequest, bytes: AsyncIterable<Uint8Array>): Promise<void> {
  for await (const piece of bytes) {
    if (request.destroyed) throw new Error('closed');
    if (!request.write(piece)) await drained(request);
  }
  request.end();
}

/** Resolves when the request accepts more, or has ended. */
function drained(request: ClientRequest): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const done = () => {
    request.off('drain', done).off('close', done);
    resolve();
  };
  request.on('drain', done).on('close', done);
  return promise;
}

async function readText(response: IncomingMessage): Promise<string> {
  const pieces: Buffer[] = [];
  let length = 0;
  try {
    for await (const piece of response) {
      length += (piece as Buffer).length;
      if (length > MAX_XML) break;
      pieces.push(piece as Buffer);
    }
  } catch (error) {
    throw new BytesUnavailable(nameOf(error));
  }
  return Buffer.concat(pieces).toString('utf8');
}

/** The text of the first element with this name. The names in use contain no other element. */
function textOf(xml: string, element: string): string | null {
  return new RegExp(`<${element}>([^<]{1,2000})</${element}>`).exec(xml)?.[1] ?? null;
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}

function nameOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'no_answer';
}
