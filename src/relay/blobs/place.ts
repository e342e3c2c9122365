/** The operator's choice of storage for the bytes of blobs: a folder or a bucket. */
import { join, resolve } from 'node:path';
import { OperatorFailure } from '../operator/failure.ts';
import { type Bucket, openBucket } from './bucket.ts';
import { type BlobBytes, BytesUnavailable } from './bytes.ts';
import { openDirectory } from './directory.ts';

/** A folder on a local disk, or a bucket. */
export type BlobPlace = { folder: string } | { bucket: Bucket };

/** Region of AWS. Most other services accept any region. */
const USUAL_REGION = 'us-east-1';
const BUCKET_NAME = /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/;
const PREFIX = /^(?:[\w.-]+\/)*[\w.-]*$/;

/**
 * A storage place in the operator's form: a path, or `s3://bucket/prefix?endpoint=https://s3.example&region=eu-1`.
 * The credentials of a bucket are in the environment, under the usual names of S3 tools.
 * @throws OperatorFailure blobs_place_malformed, blobs_credentials_missing
 */
export function readBlobPlace(text: string, env: Readonly<Record<string, string | undefined>>): BlobPlace {
  if (!text.startsWith('s3://')) return { folder: text };
  const url = URL.canParse(text) ? new URL(text) : null;
  if (!url) throw new OperatorFailure('blobs_place_malformed');
  const { endpoint = null, region = USUAL_REGION, ...others } = Object.fromEntries(url.searchParams);
  const prefix = url.pathname.replace(/^\//, '');
  const isEndpoint =
    endpoint === null || (URL.canParse(endpoint) && /^https?:$/.test(new URL(endpoint).protocol));
  const isKnown =
    Object.keys(others).length === 0 && url.username === '' && url.hash === '' && url.port === '';
  if (!BUCKET_NAME.test(url.hostname) || !PREFIX.test(prefix) || !isEndpoint || !isKnown) {
    throw new OperatorFailure('blobs_place_malformed');
  }
  const { AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN } = env;
  if (!AWS_ACCESS_KEY_ID || !AWS_SECRET_ACCESS_KEY) throw new OperatorFailure('blobs_credentials_missing');
  return {
    bucket: {
      endpoint: endpoint ?? `https://s3.${region}.amazonaws.com`,
      region,
      name: url.hostname,
      prefix,
      accessKeyId: AWS_ACCESS_KEY_ID,
      secretAccessKey: AWS_SECRET_ACCESS_KEY,
      sessionToken: AWS_SESSION_TOKEN || null,
    },
  };
}

/** A text that is the same for the same place, without credentials. */
export function nameOfPlace(place: BlobPlace | undefined, dataDirectory: string): string {
  if (place === undefined || 'folder' in place) return resolve(place?.folder ?? join(dataDirectory, 'blobs'));
  const { endpoint, name, prefix } = place.bucket;
  return JSON.stringify([endpoint, name, prefix]);
}

/**
 * @param dataDirectory of the relay: the default place is in there
 * @throws OperatorFailure blobs_bucket_unusable, blobs_folder_unusable
 */
export async function openBlobBytes(place: BlobPlace | undefined, dataDirectory: string): Promise<BlobBytes> {
  const bucket = place && 'bucket' in place ? place.bucket : null;
  const folder = place && 'folder' in place ? place.folder : join(dataDirectory, 'blobs');
  try {
    return bucket ? await openBucket(bucket) : await openDirectory(folder);
  } catch (error) {
    if (!(error instanceof BytesUnavailable)) throw error;
    const reason = error.code;
    throw bucket
      ? new OperatorFailure('blobs_bucket_unusable', { endpoint: bucket.endpoint, name: bucket.name, reason })
      : new OperatorFailure('blobs_folder_unusable', { folder, reason });
  }
}
