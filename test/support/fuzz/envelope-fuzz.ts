/**
 * Changed bytes of sealed envelopes: no changed envelope opens, only the documented errors are thrown, and
 * each envelope that the relay accepts has the right form.
 */
import fc from 'fast-check';
import { importEd25519, importX25519, randomBytes } from '../../../src/protocol/crypto.ts';
import { encodeBase64Url, encodeUtf8 } from '../../../src/protocol/encoding.ts';
import { OpenError, openCopy, sealCopy } from '../../../src/protocol/envelope.ts';
import type { SealedCopy } from '../../../src/protocol/envelope-form.ts';
import { decodePayload, encodePayload, PayloadError } from '../../../src/protocol/payload.ts';
import { readEnvelope } from '../../../src/relay/delivery/read-envelope.ts';
import { ProblemError } from '../../../src/relay/problems/problem-error.ts';

const route = { from: `0x${'11'.repeat(20)}`, to: `0x${'22'.repeat(20)}` };
const header = { asRequest: false, automated: false, senderListSequence: 1, recipientListSequence: 1 };
const FIELDS = ['ciphertext', 'ephemeralPublicKey', 'nonce'] as const;

function sealText(text: string) {
  const recipient = importX25519(randomBytes(32));
  const deviceKey = importEd25519(randomBytes(32));
  const body = {
    id: encodeBase64Url(randomBytes(16)),
    sender: route.from,
    sentAt: '2026-11-20T20:00:00.000Z',
    seq: 1,
    kind: 'text',
    peer: route.to,
    text,
  };
  const list = { sequence: 1, hash: encodeBase64Url(randomBytes(32)) };
  const payload = encodePayload({ channel: 'direct', body }, { deviceKey, list });
  return { recipient, payload, copy: sealCopy(route, recipient.publicKey, header, payload) };
}

/** One way to change some bytes: flip a bit, replace a byte, cut, or append. */
const change = fc.oneof(
  fc.record({ kind: fc.constant('bit' as const), at: fc.nat(), value: fc.integer({ min: 0, max: 7 }) }),
  fc.record({ kind: fc.constant('byte' as const), at: fc.nat(), value: fc.integer({ min: 0, max: 255 }) }),
  fc.record({ kind: fc.constant('cut' as const), at: fc.nat(), value: fc.nat(40) }),
  fc.record({ kind: fc.constant('insert' as const), at: fc.nat(), value: fc.integer({ min: 0, max: 255 }) }),
);
type Change = typeof change extends fc.Arbitrary<infer T> ? T : never;

function apply(bytes: Uint8Array, { kind, at, value }: Change): Uint8Array {
  const place = bytes.length === 0 ? 0 : at % bytes.length;
  if (kind === 'cut') return bytes.slice(0, Math.max(0, bytes.length - value));
  if (kind === 'insert') {
    return new Uint8Array([...bytes.subarray(0, place), value, ...bytes.subarray(place)]);
  }
  const changed = new Uint8Array(bytes);
  changed[place] = kind === 'bit' ? (bytes[place] ?? 0) ^ (1 << value) : value;
  return changed;
}

/**
 * Changes sealed envelopes and payloads, this number of times.
 * @throws Error for a broken one that is accepted, or that makes the code fail
 */
export function fuzzEnvelopes(runs: number, seed: number): void {
  const { recipient, payload, copy } = sealText('a short message');
  fc.assert(
    fc.property(
      fc.constantFrom(...FIELDS),
      fc.array(change, { minLength: 1, maxLength: 3 }),
      (field, changes) => {
        const bytes = changes.reduce(apply, copy[field]);
        if (Buffer.compare(bytes, copy[field]) === 0) return;
        const changed: SealedCopy = { ...copy, [field]: bytes };
        expectError(OpenError, () => openCopy(route, recipient, changed, false));
        const envelope = {
          toAddress: route.to,
          ciphertext: encodeBase64Url(changed.ciphertext),
          ephemeralPublicKey: encodeBase64Url(changed.ephemeralPublicKey),
          nonce: encodeBase64Url(changed.nonce),
        };
        // The relay cannot detect a changed ciphertext. It may accept it, but must not fail.
        tolerate(ProblemError, () => readEnvelope(envelope, route.from));
      },
    ),
    { numRuns: runs, seed },
  );
  fc.assert(
    fc.property(fc.array(change, { minLength: 1, maxLength: 3 }), (changes) => {
      const bytes = changes.reduce(apply, payload);
      tolerate(PayloadError, () => decodePayload(bytes));
    }),
    { numRuns: runs, seed },
  );
}

/**
 * Sends the relay plain texts in place of sealed ones.
 * @throws Error for a text that is accepted as a sealed envelope
 */
export function fuzzPlaintext(runs: number, seed: number): void {
  const { copy } = sealText('a short message');
  const sealed = {
    toAddress: route.to,
    ephemeralPublicKey: encodeBase64Url(copy.ephemeralPublicKey),
    nonce: encodeBase64Url(copy.nonce),
  };
  const size = copy.ciphertext.length;
  const text = fc.oneof(
    fc.string({ unit: 'grapheme', maxLength: 400 }),
    fc.json(),
    fc
      .constantFrom('hello', '<html>', '%PDF-1.7', '{"text":"hello"}', 'SEALEDMSG')
      .chain((start) => fc.string({ maxLength: 200 }).map((rest) => start + rest)),
  );
  const asCiphertext = (plain: string): string[] => {
    const bytes = Buffer.from(plain.toWellFormed());
    const fitted = Buffer.alloc(size, ' ');
    bytes.copy(fitted);
    // After a valid header, with exactly the length of a sealed one.
    const disguised = Buffer.concat([copy.ciphertext.subarray(0, 12), fitted.subarray(12)]);
    // A cut multi-byte character is not valid text.
    const last = Buffer.from(disguised.toString('utf8'));
    return [
      plain,
      bytes.toString('base64url'),
      bytes.toString('base64'),
      fitted.toString('base64url'),
    ].concat(last.equals(disguised) ? [disguised.toString('base64url')] : []);
  };
  fc.assert(
    fc.property(text, (plain) => {
      for (const ciphertext of asCiphertext(plain)) {
        expectError(ProblemError, () => readEnvelope({ ...sealed, ciphertext }, route.from));
      }
      expectError(ProblemError, () =>
        readEnvelope({ ...sealed, ciphertext: plain, text: plain }, route.from),
      );
      expectError(ProblemError, () =>
        readEnvelope(
          { ...sealed, ciphertext: encodeBase64Url(encodeUtf8(plain)), message: plain },
          route.from,
        ),
      );
    }),
    { numRuns: runs, seed },
  );
}

type ErrorClass = new (...args: never[]) => Error;

function tolerate(kind: ErrorClass, work: () => unknown): boolean {
  try {
    work();
    return false;
  } catch (error) {
    if (error instanceof kind) return true;
    throw error;
  }
}

function expectError(kind: ErrorClass, work: () => unknown): void {
  if (!tolerate(kind, work)) throw new Error(`it was taken, where a ${kind.name} had to be`);
}
