/**
 * Bringing sealed copies to every device that should have one, though devices, members and the network change
 * meanwhile. The message keeps its id through all rounds: recipients show it once.
 */

import { pause } from '../base/backoff.ts';
import { native } from '../protocol/crypto/native.ts';
import type { Limits } from '../protocol/limits.ts';
import { membersHash } from '../protocol/members-hash.ts';
import { PROBLEMS, type ProblemCode } from '../protocol/problems.ts';
import type { GroupEnvelope, GroupView } from '../protocol/schemas/groups.ts';
import type { RelayApi } from './api.ts';
import { batchLimits, postLimits, sendInChunks } from './chunks.ts';
import type { KeyDirectory } from './directory.ts';
import { UnverifiableError } from './errors.ts';
import { RelayRefusal, RelayUnreachable } from './http.ts';
import type { GroupMembers } from './members.ts';
import { type CopyOptions, type Draft, encodeText, sealCopies } from './sealing.ts';
import { waitAfter } from './wait-after.ts';

/** How often keys are read again because the devices or members changed while sealing. */
const MOST_ROUNDS = 5;
/** How often one call is made before its failure is told. */
const MOST_ATTEMPTS = 3;
/** The longest wait for a relay that asks for patience, in milliseconds. */
const LONGEST_WAIT = 10_000;

/** Why a person whom the relay shows as a member gets nothing. */
const UNCONFIRMED =
  'They left the group or were removed, and only the relay says that they are back. Ask the owner, then confirm it.';

export interface Sent {
  /** The message's own id. Sent again with the same, recipients still show it once. */
  messageId: string;
  /** The relay's ids of the envelopes, one for each device that has a copy. */
  envelopeIds: string[];
  /**
   * Whom the message did not reach: members without a device that can read now, or whose keys do not prove themselves,
   * and those who left or were removed and are shown as members again.
   */
  unreached: { address: string; reason: string }[];
}

export interface SendingParts {
  relay: RelayApi;
  directory: KeyDirectory;
  members: GroupMembers;
  limits: Limits;
}

type Flags = Pick<CopyOptions, 'asRequest' | 'automated'>;

/**
 * Sends a direct message to each device of its recipient, and a copy to the sender's own other devices.
 * @throws UnverifiableError, RelayRefusal, RelayUnreachable
 */
export async function sendDirect(
  parts: SendingParts,
  draft: Draft,
  peer: string,
  flags: Flags,
): Promise<Sent> {
  const { relay, directory, limits } = parts;
  const { from, identity } = draft;
  const payload = encodeText(draft);
  const sent = new Map<string, string>();
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const freshFor = round === 0 ? undefined : 0;
    const keys = await directory.keys(peer, freshFor);
    const forPeer = keys ? sealCopies(payload, keys, { ...flags, from, to: peer, identity }) : [];
    if (!keys || forPeer.length === 0) throw noDevice(peer);
    const own = peer === from ? null : await ownKeys(directory, from, freshFor);
    const copies = [
      ...forPeer.map((copy) => (flags.asRequest ? { ...copy, asRequest: true } : copy)),
      ...(own ? sealCopies(payload, own, { ...flags, asRequest: false, from, to: from, identity }) : []),
    ].filter(({ recipientDeviceKey }) => !sent.has(recipientDeviceKey));

    let changed = false;
    const refused: RelayRefusal[] = [];
    await sendInChunks(copies, batchLimits(limits), async (chunk) => {
      const results = await patiently(() => relay.sendEnvelopes(chunk));
      for (const [index, { toAddress, recipientDeviceKey }] of chunk.entries()) {
        const result = results[index];
        if (!result) continue;
        if (result.status !== 'rejected') sent.set(recipientDeviceKey, result.id);
        // An own device that cannot be reached must not hold up the message to its recipient.
        else if (toAddress !== peer) continue;
        else if (result.error.code === 'unknown_device') changed = true;
        else refused.push(refusalOf(result.error));
      }
    });
    if (changed) continue;
    const [refusal] = refused;
    if (refusal && !keys.sealKeys.some(({ key }) => sent.has(key))) throw refusal;
    return {
      messageId: draft.id,
      envelopeIds: [...sent.values()],
      unreached: refused.map(({ message }) => ({ address: peer, reason: message })),
    };
  }
  throw new RelayUnreachable('The recipient’s devices keep changing. Send again, with the same message id.');
}

async function ownKeys(directory: KeyDirectory, address: string, freshFor: number | undefined) {
  try {
    return await directory.keys(address, freshFor);
  } catch (error) {
    if (error instanceof UnverifiableError) return null;
    throw error;
  }
}

/**
 * Sends a message to each device of each member of a group. Where the relay says that the group has changed, reads it
 * again and tops up.
 * @param from the sender's address
 * @param draftOf the message for the members' hash of a group view
 * @throws UnverifiableError, RelayRefusal, RelayUnreachable
 */
export async function sendToMembers(
  parts: SendingParts,
  groupId: string,
  from: string,
  draftOf: (members: string) => Draft,
  automated: boolean,
): Promise<Sent> {
  const sent = new Map<string, string>();
  let message: { draft: Draft; payload: Uint8Array } | null = null;
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const group = await patiently(() => parts.relay.group(groupId));
    const { believed, unconfirmed } = parts.members.judge(group, from);
    if (unconfirmed.includes(from)) {
      throw new RelayRefusal(
        403,
        'not_a_member',
        'You left this group or were removed. Join it again first.',
      );
    }
    // What some have already stays as it is for the others, so that all have the same message.
    if (!message || sent.size === 0) {
      const draft = draftOf(membersHash(native, believed));
      message = { draft, payload: encodeText(draft) };
    }
    const { copies, unreached } = await sealForGroup(parts.directory, group, believed, message.payload, {
      from,
      identity: message.draft.identity,
      asRequest: false,
      automated,
    });
    const waiting = copies.filter(({ recipientDeviceKey }) => !sent.has(recipientDeviceKey));
    const { changed, refused } = await postCopies(parts, group, waiting, sent);
    if (changed) continue;
    return {
      messageId: message.draft.id,
      envelopeIds: [...sent.values()],
      unreached: [
        ...unreached,
        ...unconfirmed.map((address) => ({ address, reason: UNCONFIRMED })),
        ...refused,
      ],
    };
  }
  throw new RelayUnreachable('The group keeps changing. Send again, with the same message id.');
}

async function sealForGroup(
  directory: KeyDirectory,
  group: GroupView,
  members: readonly string[],
  payload: Uint8Array,
  options: Omit<CopyOptions, 'to'>,
) {
  const unreached: Sent['unreached'] = [];
  const shown = members.map((address) => ({
    address,
    published: group.memberDevices[address] ?? null,
  }));
  const proven = await directory.learn(shown);
  const copies = members.flatMap((member, index) => {
    const keys = proven[index];
    if (keys instanceof Error) unreached.push({ address: member, reason: keys.message });
    else if (keys && keys.sealKeys.length > 0) return sealCopies(payload, keys, { ...options, to: member });
    else unreached.push({ address: member, reason: noDevice(member).message });
    return [];
  });
  return { copies, unreached };
}

/** Posts copies, and tells whether the group has changed meanwhile, so that it has to be read again. */
async function postCopies(
  { relay, limits }: SendingParts,
  group: GroupView,
  copies: GroupEnvelope[],
  sent: Map<string, string>,
): Promise<{ changed: boolean; refused: Sent['unreached'] }> {
  const known = new Set(Object.values(group.memberDeviceKeys).flat());
  const refused: Sent['unreached'] = [];
  let changed = false;
  await sendInChunks(copies, postLimits(limits), async (chunk) => {
    try {
      const { results, missing, stale } = await patiently(() => relay.sendToGroup(group.id, chunk));
      for (const [index, { toAddress, recipientDeviceKey }] of chunk.entries()) {
        const result = results[index];
        if (!result) continue;
        if (result.status !== 'rejected') sent.set(recipientDeviceKey, result.id);
        else if (!stale.includes(recipientDeviceKey)) {
          refused.push({ address: toAddress, reason: result.error.detail });
        }
      }
      // What stood in the group and got no copy was left out with reason, or comes in another chunk.
      changed ||= stale.length > 0 || missing.some((key) => !known.has(key));
    } catch (error) {
      if (!isChange(error)) throw error;
      changed = true;
    }
  });
  return { changed, refused };
}

/** All of a post is refused when one recipient has left, or one device is gone. */
function isChange(error: unknown): boolean {
  return error instanceof RelayRefusal && (error.code === 'not_a_member' || error.code === 'unknown_device');
}

/** What the relay says of one envelope of a batch. */
export function refusalOf({ code, detail }: { code: string; detail: string }): RelayRefusal {
  const status = Object.hasOwn(PROBLEMS, code) ? PROBLEMS[code as ProblemCode].status : 422;
  return new RelayRefusal(status, code, detail);
}

function noDevice(address: string): RelayRefusal {
  return new RelayRefusal(404, 'not_found', `${address} has no device that could read a message now.`);
}

/**
 * Makes a call again after a failure that may pass. What is sent again is the same, byte for byte, and the relay knows
 * envelopes again: nothing is delivered twice.
 */
async function patiently<T>(call: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await call();
    } catch (error) {
      const refusal = error instanceof RelayRefusal ? error : null;
      const mayPass = error instanceof RelayUnreachable || refusal?.temporary === true;
      const wait = waitAfter(error, attempt);
      if (!mayPass || attempt === MOST_ATTEMPTS || wait > LONGEST_WAIT) throw error;
      await pause(wait);
    }
  }
}
