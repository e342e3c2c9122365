/**
 * Writing to a group, protocol §7 and §11: one payload, one copy for each device key of each member.
 */
import { type KeyObject, randomBytes } from 'node:crypto';
import type { Account } from './account.ts';
import { type Bytes, base64url } from './bytes.ts';
import type { Calls, Group } from './calls.ts';
import { type Device, isSealKeyGood, verifyDeviceList } from './device.ts';
import { hybridKeys } from './hybrid.ts';
import { type Body, encodeByBot, encodePayload } from './payload.ts';
import { type Envelope, seal } from './sealing.ts';

/** @throws Error when the wallets of the members do not vouch for the keys of the group */
export async function proveKeys({ members, memberDeviceKeys, memberDevices }: Group): Promise<void> {
  for (const member of members) {
    const devices = memberDevices[member];
    if (!devices) throw new Error(`nothing proves the keys of ${member}`);
    await verifyDeviceList(member, devices.deviceList);
    if (!devices.sealKeys.every((sealKey) => isSealKeyGood(member, devices.deviceList, sealKey))) {
      throw new Error(`no device vouches for a key of ${member}`);
    }
    if (memberDeviceKeys[member]?.join() !== devices.sealKeys.map(({ key }) => key).join()) {
      throw new Error(`memberDeviceKeys has other keys of ${member} than those proven`);
    }
  }
}

/**
 * The body of a text message to a group.
 * @param sender the address under which the relay will route it
 * @param signer whose device will sign it; none for a program
 */
export function groupText(group: Group, sender: string, text: string, signer?: Account): Body {
  return {
    id: base64url(randomBytes(16)),
    sender,
    sentAt: new Date().toISOString(),
    seq: 0,
    kind: 'text',
    groupId: group.id,
    roster: group.roster,
    text,
    ...signer?.listNamed(),
  };
}

/**
 * One copy of a message for each device key of the group. Without a device nobody signs it.
 * @param calls of any credential, for the ML-KEM keys
 */
export function sealForGroup(
  calls: Calls,
  group: Group,
  body: Body,
  device: Device | null = null,
): Promise<Envelope[]> {
  return copiesOf(calls, group, body.sender, encodePayload(body, device), device === null);
}

/** The same, signed by a bot. */
export function sealByBot(calls: Calls, group: Group, body: Body, key: KeyObject): Promise<Envelope[]> {
  return copiesOf(calls, group, body.sender, encodeByBot(body, key), true);
}

async function copiesOf(
  calls: Calls,
  group: Group,
  from: string,
  payload: Bytes,
  automated: boolean,
): Promise<Envelope[]> {
  const hybrid = await hybridKeys(
    calls,
    Object.values(group.memberDevices).flatMap(({ sealKeys }) => sealKeys),
  );
  const copies = Object.entries(group.memberDeviceKeys).flatMap(([toAddress, keys]) =>
    keys.map((recipientDeviceKey) =>
      seal(payload, { from, toAddress, recipientDeviceKey, ...hybrid(recipientDeviceKey) }, { automated }),
    ),
  );
  return Promise.all(copies);
}
