/**
 * Hellos about device lists between test devices and a person on a hostile relay.
 */
import { HelloContent } from '../../../src/messaging/contents/kinds/hello.ts';
import { randomBytes } from '../../../src/protocol/crypto.ts';
import { deviceListHash, signDeviceList } from '../../../src/protocol/device-list.ts';
import { encodeBase64Url } from '../../../src/protocol/encoding.ts';
import { decodePayload } from '../../../src/protocol/payload.ts';
import type { InboxEnvelope } from '../../../src/protocol/schemas/inbox.ts';
import { walletFromKey } from '../../../src/protocol/wallet.ts';
import type { Person } from '../person.ts';
import { directBody, forge, type Target } from './forgery.ts';

/** Hellos received by a person's device, oldest first. */
export async function hellosTo(person: Person): Promise<HelloContent[]> {
  const envelopes = await person.inbox();
  return envelopes.flatMap((envelope) => {
    const hello = HelloContent.safeParse(decodePayload(person.openBytes(envelope)).body);
    return hello.success ? [hello.data] : [];
  });
}

let counter = 0;
/** A person's device signs a text, sealed as if it knew only the first list of its recipient. */
export function fromBehind(person: Person, target: Target, fields: object = {}): InboxEnvelope {
  const body = { ...directBody(person.address, target.address, `message ${++counter}`), ...fields };
  return forge(person.address, target, { channel: 'direct', body }, person.signer);
}

/** Hellos of a person. Each has a list that another wallet signed, and names one that does not exist. */
export function floodOfHellos(person: Person, target: Target): InboxEnvelope[] {
  const foreign = walletFromKey(randomBytes(32));
  const { address, list, signer } = person;
  if (!list) throw new Error('this person has no list');
  const previous = deviceListHash(address, list);
  return Array.from({ length: 90 }, (_, index) => {
    const forged = signDeviceList(foreign, { ...list, sequence: 2, previous, issued: list.issued });
    const claimed = { sequence: 100 + index, hash: encodeBase64Url(randomBytes(32)) };
    const body = { ...directBody(address, target.address, ''), kind: 'hello', lists: [forged] };
    return forge(address, target, { channel: 'direct', body }, { ...signer, list: claimed });
  });
}
