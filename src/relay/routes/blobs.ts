/**
 * Blobs: sealed files stored at the relay. The rules are in src/relay/rules/blobs.ts; the bytes are sent and
 * received as streams.
 */
import { randomBytes } from 'node:crypto';
import type { Readable } from 'node:stream';
import { readContentDigest } from '../../protocol/blob/digest.ts';
import { PART_BYTES, partsOf } from '../../protocol/blob/layout.ts';
import { encodeTime } from '../../protocol/encoding.ts';
import { ENDPOINTS } from '../../protocol/endpoints.ts';
import type { BlobUpload } from '../../protocol/schemas/blobs.ts';
import { BytesMissing, type StoredObject } from '../blobs/bytes.ts';
import { checkPart } from '../blobs/check-part.ts';
import type { Transferring } from '../blobs/transfers.ts';
import type { RelayContext } from '../context.ts';
import { OCTETS, OctetAnswer } from '../http/octets.ts';
import { readRange } from '../http/range.ts';
import { ProblemError } from '../problems/problem-error.ts';
import {
  type BlobLimits,
  type BlobRefusal,
  isReadable,
  judgeFinish,
  judgePart,
  missingParts,
} from '../rules/blobs.ts';
import type { BlobRecord, ClaimOutcome } from '../store/blob-records.ts';
import type { CredentialRecord } from '../store/records.ts';
import type { AddEndpoint } from './endpoint.ts';

/** A blob never changes. Only the caller may cache it: the credential is checked each time. */
const FOR_EVER = 'private, max-age=31536000, immutable';

export function addBlobRoutes(add: AddEndpoint, context: RelayContext): void {
  const { store, bytes, transfers, metrics, clock, networks } = context;
  const limits: BlobLimits = context.limits;

  const callerOf = ({
    credential,
    network,
  }: {
    credential: CredentialRecord;
    network: string;
  }): Transferring => ({
    account: credential.account,
    network: networks.nameOf(network),
  });

  /** The storage name of the upload, which begins there if necessary. @throws ProblemError not_found */
  async function uploadOf(blob: BlobRecord): Promise<string> {
    if (blob.upload !== null) return blob.upload;
    // Of two simultaneous callers the first one counts. The other's upload stays without parts.
    const upload = await store.nameUpload(blob.key, await bytes.begin(blob.object));
    if (upload === null) throw refused({ code: 'not_found' }, limits);
    return upload;
  }

  add(ENDPOINTS.beginBlob, async ({ credential, params, body }) => {
    const outcome = await store.beginBlob({
      id: params.id,
      account: credential.account,
      size: body.size,
      object: randomBytes(16).toString('hex'),
      now: clock(),
      limits,
    });
    if (outcome.status === 'refused') throw refused(outcome.refusal, limits);
    const { blob } = outcome;
    await uploadOf(blob);
    const upload: BlobUpload = {
      partBytes: PART_BYTES,
      parts: blob.parts.map(({ part }) => part),
      expiresAt: encodeTime(blob.claimedUntil ?? clock()),
    };
    return { status: outcome.status === 'begun' ? 201 : 200, body: upload };
  });

  add(ENDPOINTS.putBlobPart, async (call) => {
    const { credential, params, headers, octets, requireStillValid, onGone } = call;
    const { account } = credential;
    const part = Number(params.part);
    const digest = readContentDigest(headers['content-digest']) ?? new Uint8Array();
    const blob = await store.findBlob(params.id, account);
    const stored = blob?.parts.find((one) => one.part === part) ?? null;
    const verdict = judgePart(blob, stored?.digest ?? null, digest, clock());
    if (verdict.deed === 'refuse') throw refused(verdict.refusal, limits);
    if (!blob) throw new Error('a part of no blob was let through');
    if (verdict.deed === 'keep') return { body: undefined };
    const places = partsOf(blob.size);
    const length = places[part]?.length;
    if (length === undefined) {
      throw new ProblemError('invalid_request', 'part_number', { parts: places.length });
    }
    if (!octets) throw new ProblemError('invalid_request', 'part_length', { bytes: length });
    const transfer = transfers.begin(callerOf(call), length, goneSignal(onGone));
    let tag: string;
    try {
      const body = checkPart(octets, { length, digest, isFirst: part === 0 }, transfer.signal);
      const { object } = blob;
      const upload = await uploadOf(blob);
      tag = await bytes.putPart({ object, upload, part, length, digest, body, signal: transfer.signal });
    } catch (error) {
      if (transfer.signal.aborted) throw new ProblemError('request_timeout', 'request_timeout');
      throw error;
    } finally {
      transfer.end();
    }
    // Bytes without a record have no owner, so they must be deleted. The sweep checks those that cannot be
    // deleted now, and those that may have been recorded without an answer.
    const drop = () => bytes.dropPart({ object: blob.object, tag }).catch(() => undefined);
    await requireStillValid().catch(async (error: unknown) => {
      await drop();
      throw error;
    });
    const outcome = await store.recordPart(blob.key, account, { part, digest, tag }, clock());
    if (outcome.status !== 'stored') await drop();
    if (outcome.status === 'refused') throw refused(outcome.refusal, limits);
    metrics.blobBytes.inc({ direction: 'in' }, length);
    return { body: undefined };
  });

  add(ENDPOINTS.completeBlob, async ({ credential, params, requireStillValid }) => {
    const { account } = credential;
    const blob = await store.findBlob(params.id, account);
    const verdict = judgeFinish(blob, clock());
    if (verdict.deed === 'refuse') throw refused(verdict.refusal, limits);
    if (!blob) throw new Error('no blob was let through');
    if (verdict.deed === 'finish') {
      const missing = missingParts(
        blob.parts.map(({ part }) => part),
        partsOf(blob.size).length,
      );
      if (missing.length > 0) throw incomplete(missing);
      await bytes.complete(storedObject(blob));
      await requireStillValid();
    }
    return { body: describe(await store.finishBlob(blob.key, account, clock()), limits) };
  });

  add(ENDPOINTS.getBlob, async (call) => {
    const { credential, params, headers, ifRange, isHead, onGone } = call;
    const blob = await store.findBlob(params.id, credential.account);
    if (!isReadable(blob, clock())) throw refused({ code: 'not_found' }, limits);
    const { size } = blob;
    // Blobs have no ETag, because the blob of an id never changes. So no condition is met.
    const requested = ifRange ? null : readRange(headers.range, size);
    if (requested === 'unsatisfiable') {
      throw new ProblemError('range_unsatisfiable', 'range_unsatisfiable', { size }, { size });
    }
    const range = requested ?? { offset: 0, length: size };
    const answer = {
      'content-type': OCTETS,
      'content-length': String(range.length),
      'content-disposition': 'attachment',
      'cache-control': FOR_EVER,
      'accept-ranges': 'bytes',
      ...(requested && {
        'content-range': `bytes ${range.offset}-${range.offset + range.length - 1}/${size}`,
      }),
    };
    const status = requested ? 206 : 200;
    if (isHead) return { status, body: new OctetAnswer(null, answer) };
    const left = goneSignal(onGone);
    const transfer = transfers.begin(callerOf(call), range.length, left);
    left.addEventListener('abort', transfer.end);
    let stream: Readable;
    try {
      stream = await bytes.read(storedObject(blob), range, transfer.signal);
    } catch (error) {
      transfer.end();
      throw error instanceof BytesMissing ? refused({ code: 'not_found' }, limits) : error;
    }
    stream.once('close', transfer.end);
    transfer.signal.addEventListener('abort', () => stream.destroy());
    metrics.blobBytes.inc({ direction: 'out' }, range.length);
    return { status, body: new OctetAnswer(stream, answer) };
  });

  add(ENDPOINTS.adoptBlob, async ({ credential, params }) => {
    const outcome = await store.adoptBlob(params.id, credential.account, clock(), limits);
    return { body: describe(outcome, limits) };
  });

  add(ENDPOINTS.deleteBlob, async ({ credential, params }) => {
    await store.dropClaim(params.id, credential.account, clock());
    return { body: undefined };
  });
}

/** A signal that is aborted when the caller disconnects. */
function goneSignal(onGone: (listener: () => void) => void): AbortSignal {
  const controller = new AbortController();
  onGone(() => controller.abort());
  return controller.signal;
}

function storedObject({ object, upload, size, parts }: BlobRecord): StoredObject {
  return { object, upload: upload ?? '', size, tags: parts.map(({ tag }) => tag) };
}

function describe(outcome: ClaimOutcome, limits: BlobLimits): { size: number; expiresAt: string } {
  if (outcome.status === 'refused') throw refused(outcome.refusal, limits);
  return { size: outcome.size, expiresAt: encodeTime(outcome.expiresAt) };
}

function incomplete(missing: readonly number[]): ProblemError {
  const errors = missing.map((part) => ({ path: `parts.${part}`, message: 'is missing' }));
  return new ProblemError('blob_incomplete', 'blob_incomplete', { parts: missing.length }, { errors });
}

function refused(refusal: BlobRefusal, limits: BlobLimits): ProblemError {
  switch (refusal.code) {
    case 'not_found':
      return new ProblemError('not_found', 'blob');
    case 'too_large':
      return new ProblemError('too_large', 'blob', { bytes: limits.blobBytes });
    case 'blob_conflict':
      return new ProblemError('blob_conflict', refusal.reason);
    case 'blob_quota':
      return new ProblemError('blob_quota', refusal.reason);
  }
}
