import { concat, fromBase64url, isBase64url, sha256, textBytes, toBase64url } from './bytes.ts';
import { type DeviceList, deviceIn, hasEnded, isProven, listHash } from './device-list.ts';
import { idBytes, isFields, isName, type ListName } from './forms.ts';
import { idOfKey } from './keys.ts';
import { must } from './refusal.ts';

/** A new computer joins by a code that it shows itself (section 5, 'Linking a device'). */

const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const CODE_CHARACTERS = 28;

export interface Waiting {
  key: string;
  name: string;
}

export interface Offer {
  address: string;
  list: ListName;
}

const checksumOf = (deviceId: Uint8Array): number => {
  const hash = sha256(concat(textBytes('waxwing/link/v1/checksum'), deviceId));
  return ((hash[0] ?? 0) << 4) | ((hash[1] ?? 0) >> 4);
};

/** The code of a device: its id and 12 bits of checksum, in groups of four. */
export function linkCode(deviceId: string): string {
  const id = idBytes(deviceId);
  let bits = (BigInt(`0x${Buffer.from(id).toString('hex')}`) << 12n) | BigInt(checksumOf(id));
  let code = '';
  for (let i = 0; i < CODE_CHARACTERS; i++) {
    code = (ALPHABET[Number(bits & 31n)] ?? '') + code;
    bits >>= 5n;
  }
  return (code.match(/.{4}/g) ?? []).join('-');
}

/** The deviceId of a typed code or of a QR code; refused before the relay is asked. */
export function readLinkCode(typed: string): string {
  const code = typed
    .replace(/^waxwing:link\//, '')
    .toUpperCase()
    .replace(/[\s-]/g, '')
    .replace(/[IL]/g, '1')
    .replace(/O/g, '0');
  must(code.length === CODE_CHARACTERS, 'wrong_code');
  let bits = 0n;
  for (const character of code) {
    const value = ALPHABET.indexOf(character);
    must(value >= 0, 'wrong_code');
    bits = (bits << 5n) | BigInt(value);
  }
  const id = Uint8Array.from(Buffer.from((bits >> 12n).toString(16).padStart(32, '0'), 'hex'));
  must(checksumOf(id) === Number(bits & 0xfffn), 'wrong_code');
  return toBase64url(id);
}

export const isWaiting = (value: unknown): value is Waiting =>
  isFields(value) && isBase64url(value.key, 32) && isName(value.name);

/** Reports whether the computer that the relay shows under a code is the one that showed the code. */
export const isThatDevice = (deviceId: string, { key }: Waiting): boolean =>
  idOfKey(fromBase64url(key, 32)) === deviceId;

/**
 * The reason why the new computer does not join after an offer; null if it does.
 * @param lists from the one that was offered to the newest
 */
export async function whyNotJoin(
  key: string,
  offer: Offer,
  lists: readonly DeviceList[],
  now: number,
): Promise<'another_list' | 'gap' | 'unproven' | 'without_this_device' | null> {
  const { address, list } = offer;
  const first = lists[0];
  const newest = lists.at(-1);
  if (first === undefined || newest === undefined) return 'another_list';
  if (first.sequence !== list.sequence || listHash(address, first) !== list.hash) return 'another_list';
  for (const [i, one] of lists.entries()) {
    const before = lists[i - 1];
    if (before === undefined) continue;
    if (one.sequence !== before.sequence + 1 || one.previous !== listHash(address, before)) return 'gap';
  }
  if (!(await isProven(address, newest, now))) return 'unproven';
  const isIn = (one: DeviceList) => {
    const device = deviceIn(one, idOfKey(fromBase64url(key, 32)));
    return device !== undefined && device.key === key && !hasEnded(device, now);
  };
  return lists.every(isIn) ? null : 'without_this_device';
}
