/**
 * Sends a direct message to each device of its recipient, and to the author's other devices, even if devices
 * change meanwhile. Id and contents stay the same through all rounds: recipients show it once.
 */
import { Failure, UnverifiableError } from '../../base/failure.ts';
import type { GroupEnvelope } from '../../protocol/schemas/groups.ts';
import { type RelayRefusal, RelayUnreachable, refusalOf } from '../relay.ts';
import { KEYS_FRESH_FOR, type Recipient } from '../trust/directory.ts';
import { batchLimits, sendInChunks } from './chunks.ts';
import {
  type Flags,
  MAX_ROUNDS,
  type Outgoing,
  type SendingParts,
  type Undelivered,
  waitsFor,
} from './outgoing.ts';
import { sealFor } from './seal.ts';
import { payloadOf } from './signed-payload.ts';

/**
 * Makes one attempt.
 * @returns for a reached recipient, the reason for devices without a copy
 * @throws RelayRefusal, RelayUnreachable, UnverifiableError, Failure no_device
 */
export async function sendDirect(
  parts: SendingParts,
  outgoing: Outgoing,
  peer: string,
  flags: Flags,
): Promise<Undelivered[]> {
  let freshFor = KEYS_FRESH_FOR;
  for (let round = 0; round < MAX_ROUNDS; round++) {
    await sealMissing(parts, outgoing, peer, flags, freshFor);
    const { gone, refused } = await post(parts, outgoing);
    if (gone.length === 0) return finish(parts, outgoing, peer, refused);
    // The recipient's devices have changed since they were fetched.
    outgoing.removeCopies(gone);
    freshFor = 0;
  }
  throw new RelayUnreachable('devices_keep_changing');
}

/** Seals copies for the devices without one. */
async function sealMissing(
  parts: SendingParts,
  outgoing: Outgoing,
  peer: string,
  flags: Flags,
  freshFor: number,
): Promise<void> {
  const { directory, author } = parts;
  const before = outgoing.copies();
  // Existing copies are sent unchanged, unless newer data about their devices is known. A pending one is sealed again.
  const isResumed = before.length > 0 && outgoing.pendingRecipients === null;
  const mayBeOld = isResumed && freshFor > 0 ? Number.POSITIVE_INFINITY : freshFor;
  let recipient = await directory.recipient(peer, mayBeOld);
  // A recipient without devices a moment ago may have one now.
  if (recipient.sealKeys.length === 0) recipient = await directory.recipient(peer, 0);
  if (recipient.sealKeys.length === 0) throw new Failure('no_device');
  const self = peer === author.address ? null : await ownDevices(parts, mayBeOld);
  const current = new Set([recipient, self].flatMap((to) => to?.sealKeys.map(({ key }) => key) ?? []));
  const gone = before.filter(
    ({ envelope, accepted }) => !accepted && !current.has(envelope.recipientDeviceKey),
  );
  if (mayBeOld > freshFor && gone.length === 0) return;
  outgoing.removeCopies(gone.map(({ envelope }) => envelope.recipientDeviceKey));
  const payload = payloadOf(outgoing, author, { hasCopies: before.length > 0, now: parts.now() });
  const has = new Set(outgoing.copies().map(({ envelope }) => envelope.recipientDeviceKey));
  const asRequest = flags.asRequest && self !== null;
  const forPeer = await sealFor(parts, [recipient], payload, { ...flags, asRequest }, has);
  const [problem] = forPeer.withheld.values();
  // The recipient may have another key now.
  if (problem && freshFor > 0) return sealMissing(parts, outgoing, peer, flags, 0);
  if (problem) throw problem;
  const ownCopies = self ? await sealForSelf(parts, self, payload, flags, has, freshFor) : [];
  outgoing.addCopies([...forPeer.copies, ...ownCopies]);
}

/**
 * Seals copies for the author's other devices. A key that is not shown completely may have been replaced:
 * they are fetched again.
 */
async function sealForSelf(
  parts: SendingParts,
  self: Recipient,
  payload: Uint8Array,
  flags: Flags,
  has: ReadonlySet<string>,
  freshFor: number,
): Promise<GroupEnvelope[]> {
  const own = { ...flags, asRequest: false };
  const { copies, withheld } = await sealFor(parts, [self], payload, own, has);
  if (withheld.size === 0 || freshFor === 0) return copies;
  const again = await ownDevices(parts, 0);
  return again ? (await sealFor(parts, [again], payload, own, has)).copies : copies;
}

/** The author's own devices that can be sealed to: they do not delay a message to its recipient. */
async function ownDevices({ directory, author }: SendingParts, freshFor: number): Promise<Recipient | null> {
  try {
    return await directory.recipient(author.address, freshFor);
  } catch (error) {
    if (error instanceof UnverifiableError) return null;
    throw error;
  }
}

/**
 * Posts the copies that are not accepted yet.
 * @returns the keys of removed devices, and other refusals
 */
async function post(
  { relay }: SendingParts,
  outgoing: Outgoing,
): Promise<{ gone: string[]; refused: Map<string, RelayRefusal> }> {
  const waiting = outgoing.copies().flatMap(({ envelope, accepted }) => (accepted ? [] : [envelope]));
  const gone: string[] = [];
  const refused = new Map<string, RelayRefusal>();
  if (waiting.length === 0) return { gone, refused };
  await sendInChunks(waiting, batchLimits(await relay.limits()), async (chunk) => {
    const results = await relay.sendEnvelopes(chunk);
    const accepted: string[] = [];
    for (const [index, { recipientDeviceKey }] of chunk.entries()) {
      const result = results[index];
      if (!result) throw new RelayUnreachable('relay_wrong_answer');
      if (result.status !== 'rejected') accepted.push(recipientDeviceKey);
      else if (result.error.code === 'unknown_device') gone.push(recipientDeviceKey);
      else refused.set(recipientDeviceKey, refusalOf(result.error));
    }
    outgoing.acceptCopies(accepted);
  });
  return { gone, refused };
}

/**
 * Removes a copy that one device cannot get after another device of the recipient has the message: a device with a
 * full queue gets it later, and does not delay later messages. A copy for an own device never delays them.
 */
function finish(
  { author }: SendingParts,
  outgoing: Outgoing,
  peer: string,
  refused: ReadonlyMap<string, RelayRefusal>,
): Undelivered[] {
  const forPeer = outgoing.copies().filter(({ envelope }) => envelope.toAddress === peer);
  const failed = forPeer.flatMap(({ envelope }) => refused.get(envelope.recipientDeviceKey) ?? []);
  const pressing = failed.find(({ code, temporary }) => temporary && code !== 'inbox_full');
  const isReached = forPeer.some(({ accepted }) => accepted);
  const reason = pressing ?? (isReached ? null : failed[0]);
  if (reason && peer !== author.address) throw reason;
  outgoing.removeCopies([...refused.keys()]);
  return failed.map((refusal) => ({ address: peer, reason: refusal.data, waitsFor: waitsFor(refusal) }));
}
