/** The person's own account, as the interface sees it. */
import type { Me } from '../../bridge/shapes/account.ts';
import { RENEW_DEVICE_BEFORE } from '../../client/identity/registration.ts';
import { toChecksumAddress } from '../../protocol/address.ts';
import type { DeviceList } from '../../protocol/device-list.ts';
import { decodeTime } from '../../protocol/encoding.ts';
import type { Account } from '../identity/account.ts';
import { ABOUT } from '../own/profile.ts';
import { type EngineParts, requireOnline } from '../parts.ts';

/** @param at account and its server; default: the running one */
export function ownView(parts: EngineParts, at?: { account: Account; url: string }): Me {
  const { context, relays } = parts;
  const identity = context.identity.get();
  const account = at?.account ?? requireOnline(parts).account;
  const { pictureId } = context.contacts.profile(account.address);
  return {
    address: toChecksumAddress(account.address),
    handle: identity?.handle ?? null,
    displayName: identity?.displayName ?? null,
    about: context.ownRegisters.valueOf(ABOUT) as string | null,
    picture: pictureId === null ? null : String(pictureId),
    deviceId: account.deviceId,
    relayUrl: at?.url ?? identity?.relayUrl ?? relays.embedded ?? '',
    keepsPhrase: account.wallet !== null,
    endsAt: account.wallet ? null : endOf(account, identity?.deviceList ?? null, context.now()),
  };
}

/** End of this computer's certificate if it is soon; else null. */
function endOf({ deviceId }: Account, list: DeviceList | null, now: number): number | null {
  const device = list?.devices.find((each) => each.deviceId === deviceId);
  const endsAt = device ? decodeTime(device.validUntil) : null;
  return endsAt !== null && endsAt - now < RENEW_DEVICE_BEFORE ? endsAt : null;
}
