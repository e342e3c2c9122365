/**
 * One message sealed with fixed keys, with every intermediate value, computed by the real sealing code. The keys,
 * and so all values up to the key of AES-GCM, are those of docs/vectors/sealing.json.
 */

import { importX25519, x25519 } from '../../protocol/crypto.ts';
import { concatBytes, encodeBase64Url, encodeUtf8 } from '../../protocol/encoding.ts';
import { sealCopy } from '../../protocol/envelope.ts';
import { type EnvelopeHeader, HEADER_BYTES, type SealedCopy } from '../../protocol/envelope-form.ts';
import { exportSecret, keyScheduleContext, setupSender, X25519_SUITE } from '../../protocol/hpke.ts';
import { pad } from '../../protocol/padding.ts';
import { encodePayload } from '../../protocol/payload.ts';
import { addressBytes } from '../../protocol/wire-address.ts';
import { EXAMPLE_TIME, type ExamplePeople, fixedBytes } from './people.ts';

const NONCE = Uint8Array.from({ length: 12 }, (_, index) => index);
const HEADER: EnvelopeHeader = {
  asRequest: false,
  automated: false,
  senderListSequence: 0,
  recipientListSequence: 0,
};

export interface WorkedExample {
  from: string;
  to: string;
  /** The payload's JSON text. */
  body: string;
  /** All values by name, bytes in lower-case hex. */
  values: Record<ValueName, string>;
  /** The sealed fields as in an envelope. */
  wire: { ciphertext: string; ephemeralPublicKey: string; nonce: string };
}

export type ValueName =
  | 'payload'
  | 'paddedPayload'
  | 'recipientPrivateKey'
  | 'recipientPublicKey'
  | 'ephemeralPrivateKey'
  | 'ephemeralPublicKey'
  | 'info'
  | 'dh'
  | 'sharedSecret'
  | 'keyScheduleContext'
  | 'secret'
  | 'exporterSecret'
  | 'key'
  | 'nonce'
  | 'header'
  | 'ciphertext';

/** Ann's text to Bob, without a signature, as a program sends it. */
export function workThroughExample({ ann, bob }: ExamplePeople): WorkedExample {
  const [from, to] = [ann.address, bob.address];
  const body = {
    id: encodeBase64Url(fixedBytes(0x0a, 16)),
    sender: from,
    sentAt: EXAMPLE_TIME,
    seq: 0,
    kind: 'text',
    peer: to,
    text: 'hello',
  };
  const payload = encodePayload({ channel: 'direct', body }, null);
  const ephemeral = importX25519(fixedBytes(0x41));
  const info = concatBytes(encodeUtf8('waxwing/seal/v1'), addressBytes(from), addressBytes(to));
  const scheduleContext = keyScheduleContext(X25519_SUITE, info);
  const recipientKey = bob.sealKey.publicKey;
  const { context } = setupSender(recipientKey, scheduleContext, ephemeral);
  const copy = sealCopy({ from, to }, recipientKey, HEADER, payload, { ephemeral, nonce: NONCE });
  return {
    from,
    to,
    body: JSON.stringify(body),
    values: {
      payload: hex(payload),
      paddedPayload: hex(pad(payload)),
      recipientPrivateKey: hex(fixedBytes(0x31)),
      recipientPublicKey: hex(recipientKey),
      ephemeralPrivateKey: hex(fixedBytes(0x41)),
      ephemeralPublicKey: hex(ephemeral.publicKey),
      info: hex(info),
      dh: hex(x25519(ephemeral, recipientKey)),
      sharedSecret: hex(context.sharedSecret),
      keyScheduleContext: hex(context.keyScheduleContext),
      secret: hex(context.secret),
      exporterSecret: hex(context.exporterSecret),
      key: hex(exportSecret(context, encodeUtf8('waxwing/seal/v1/key'), 32)),
      nonce: hex(NONCE),
      header: hex(copy.ciphertext.subarray(0, HEADER_BYTES)),
      ciphertext: hex(copy.ciphertext),
    },
    wire: wireOf(copy),
  };
}

function wireOf(copy: SealedCopy): WorkedExample['wire'] {
  return {
    ciphertext: encodeBase64Url(copy.ciphertext),
    ephemeralPublicKey: encodeBase64Url(copy.ephemeralPublicKey),
    nonce: encodeBase64Url(copy.nonce),
  };
}

function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex');
}
