/** Load on the store of a relay without HTTP: the limit of what its servers can accept. */
import { randomBytes } from 'node:crypto';
import { encodeBase64Url } from '../../src/protocol/encoding.ts';
import type { Store } from '../../src/relay/store/store.ts';
import type { Person } from '../../test/support/person.ts';

/** About what a short message takes when it is sealed, in bytes. */
const BODY = 400;
/** Limits of a queue that are never reached. */
const ROOMY = { queueEnvelopes: 1e7, queueBytes: 1e11, shares: { sender: 0.5, network: 0.5 } };

/**
 * Stores envelopes for some seconds, in this process.
 * @param atOnce envelopes that are stored at the same time
 * @returns envelopes a second
 * @throws Error if one is refused
 */
export async function loadStore(
  store: Store,
  sender: Person,
  recipients: readonly Person[],
  atOnce: number,
  seconds: number,
): Promise<number> {
  const keys = recipients.map(({ device }) => encodeBase64Url(device.sealing.publicKey));
  const network = encodeBase64Url(randomBytes(16));
  const ciphertext = randomBytes(BODY);
  let count = 0;
  const begin = performance.now();
  const end = begin + seconds * 1000;
  const send = async () => {
    for (; performance.now() < end; count++) {
      const place = count % recipients.length;
      const envelope = {
        id: encodeBase64Url(randomBytes(32)),
        to: recipients[place]?.address ?? '',
        recipientDeviceKey: keys[place] ?? null,
        asRequest: false,
        isRemembered: true,
        ephemeralPublicKey: randomBytes(32),
        nonce: randomBytes(12),
        ciphertext,
      };
      const [outcome] = await store.acceptEnvelopes({
        from: sender.address,
        account: 0,
        via: 'session',
        network,
        now: Date.now(),
        limits: ROOMY,
        envelopes: [envelope],
      });
      if (outcome?.status !== 'accepted')
        throw new Error(`the store refused an envelope: ${outcome?.status}`);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, send));
  return count / ((performance.now() - begin) / 1000);
}
