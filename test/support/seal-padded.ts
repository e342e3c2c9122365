/**
 * Copies whose padding a sender chose: valid except for the padding under the tag.
 */

import { encryptAesGcm } from '../../src/protocol/crypto.ts';
import { concatBytes, encodeUtf8 } from '../../src/protocol/encoding.ts';
import type { Route, SealRandomness } from '../../src/protocol/envelope.ts';
import type { SealedCopy } from '../../src/protocol/envelope-form.ts';
import { exportSecret, keyScheduleContext, setupSender, X25519_SUITE } from '../../src/protocol/hpke.ts';
import { addressBytes } from '../../src/protocol/wire-address.ts';

/**
 * Seals bytes unchanged, where sealCopy pads a payload.
 * @param header its 12 bytes
 */
export function sealPadded(
  { from, to }: Route,
  recipientKey: Uint8Array,
  header: Uint8Array,
  padded: Uint8Array,
  { ephemeral, nonce }: SealRandomness,
): SealedCopy {
  const info = concatBytes(encodeUtf8('waxwing/seal/v1'), addressBytes(from), addressBytes(to));
  const { enc, context } = setupSender(recipientKey, keyScheduleContext(X25519_SUITE, info), ephemeral);
  const key = exportSecret(context, encodeUtf8('waxwing/seal/v1/key'), 32);
  const sealed = encryptAesGcm(key, nonce, header, padded);
  return { ciphertext: concatBytes(header, sealed), ephemeralPublicKey: enc, nonce };
}
