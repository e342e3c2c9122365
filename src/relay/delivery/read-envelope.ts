/**
 * Reads an envelope from a request and accepts only the form of sealed data. The relay cannot prove that something
 * is encrypted, but it can refuse everything in another form.
 */
import type { z } from 'zod';
import { findShapeFault, paddedBytesIn, type SealedCopy } from '../../protocol/envelope-form.ts';
import { ID_HEAD_BYTES, sealedId } from '../../protocol/envelope-id.ts';
import { DEFAULT_LIMITS } from '../../protocol/limits.ts';
import { Envelope, sealedFields } from '../../protocol/schemas/envelopes.ts';
import { GroupEnvelope } from '../../protocol/schemas/groups.ts';
import { invalidRequest, isRecord, parse } from '../http/validation.ts';
import { messageOf } from '../problems/field-fault.ts';
import { ProblemError } from '../problems/problem-error.ts';
import type { EnvelopeToAccept } from '../store/records.ts';

/** Fields of a sender who has not sealed. */
const PLAINTEXT_FIELDS = ['plaintext', 'text', 'message', 'body', 'content'];

/** @throws ProblemError plaintext_rejected if the object has a field typical of plaintext */
export function refusePlaintextFields(input: Record<string, unknown>): void {
  const field = PLAINTEXT_FIELDS.find((name) => Object.hasOwn(input, name));
  if (field !== undefined) {
    throw new ProblemError('plaintext_rejected', 'field', { field });
  }
}

/** A copy for one device. */
export type GroupEnvelopeToAccept = EnvelopeToAccept & { recipientDeviceKey: string };

/**
 * One envelope, its form checked, with its id. {@link RememberedIds} decides later whether the id is remembered.
 * @param from the address of its sender
 * @param payloadBytes the largest padded payload
 * @throws ProblemError plaintext_rejected, invalid_request, too_large
 */
export function readEnvelope(
  input: unknown,
  from: string,
  payloadBytes = DEFAULT_LIMITS.payloadBytes,
): EnvelopeToAccept {
  return check(parseSealed(Envelope, input), from, payloadBytes);
}

/** The same for one copy of a group post. */
export function readGroupEnvelope(
  input: unknown,
  from: string,
  payloadBytes = DEFAULT_LIMITS.payloadBytes,
): GroupEnvelopeToAccept {
  const envelope = parseSealed(GroupEnvelope, input);
  return { ...check(envelope, from, payloadBytes), recipientDeviceKey: envelope.recipientDeviceKey };
}

function parseSealed<Schema extends z.ZodType>(schema: Schema, input: unknown): z.output<Schema> {
  if (isRecord(input)) refusePlaintextFields(input);
  const parsed = parse(schema, input);
  if (!parsed.success) throw problemOf(parsed.error, input);
  return parsed.data;
}

function check(envelope: Envelope, from: string, payloadBytes: number): EnvelopeToAccept {
  const { toAddress, asRequest = false } = envelope;
  const sealed = decodeSealed(envelope);
  const { bytes, ephemeralPublicKey, nonce, ciphertext } = sealed;
  if ((paddedBytesIn(ciphertext) ?? 0) > payloadBytes) {
    throw new ProblemError('too_large', 'payload', { bytes: payloadBytes });
  }
  const fault = findShapeFault(sealed, asRequest);
  if (fault !== null) throw new ProblemError('plaintext_rejected', 'shape', { fault });
  return {
    id: sealedId(bytes, from, envelope),
    to: toAddress,
    recipientDeviceKey: envelope.recipientDeviceKey ?? null,
    asRequest,
    isRemembered: false,
    ephemeralPublicKey,
    nonce,
    ciphertext,
  };
}

/**
 * The sealed fields as bytes, decoded once for checks, hash and store. They share one buffer, `bytes`, after room for the other
 * hashed fields.
 * @param envelope valid base64url by its schema
 */
function decodeSealed({ ephemeralPublicKey, nonce, ciphertext }: Envelope): SealedCopy & { bytes: Buffer } {
  const size = (text: string) => Buffer.byteLength(text, 'base64url');
  // From Node's pool: of thousands of buffers of their own, the collection of garbage would be long.
  const bytes = Buffer.allocUnsafe(ID_HEAD_BYTES + size(ephemeralPublicKey) + size(nonce) + size(ciphertext));
  let end = ID_HEAD_BYTES;
  const decode = (text: string): Buffer => {
    const begin = end;
    end += bytes.write(text, begin, 'base64url');
    return bytes.subarray(begin, end);
  };
  return {
    bytes,
    ephemeralPublicKey: decode(ephemeralPublicKey),
    nonce: decode(nonce),
    ciphertext: decode(ciphertext),
  };
}

/**
 * Texts in the sealed fields that are not sealed bytes count as plaintext; every other fault is a wrong request.
 */
function problemOf(error: z.ZodError, input: unknown): ProblemError {
  const sealed = error.issues.find((issue) => {
    const field = String(issue.path[0]);
    return Object.hasOwn(sealedFields, field) && isRecord(input) && typeof input[field] === 'string';
  });
  if (!sealed) return invalidRequest(error);
  const field = String(sealed.path[0]);
  if (field === 'ciphertext' && sealed.code === 'too_big') {
    return new ProblemError('too_large', 'ciphertext');
  }
  return new ProblemError('plaintext_rejected', 'field_unsealed', { field, fault: messageOf(sealed) });
}
