import { fromBase64url, isBase64url } from './bytes.ts';
import { type DeviceList, isDeviceList } from './device-list.ts';
import { isAddress, isFields, isListOf } from './forms.ts';
import {
  CATCH_UP_MOST,
  sendingProblem as isBlockedBy,
  type Known,
  seeList,
  seeNothing,
  seeSealKeys,
} from './known.ts';
import type { Memory } from './memory.ts';
import { ANSWER_BYTES, mustAnswer, Problem, type Relay } from './relay.ts';
import { fitsDigest, isSealKey, type SealKey } from './seal-key.ts';

/** Addresses of people and the keys to seal to (sections 5, 10 and 14). */

export interface HandleRecord {
  handle: string;
  address: string;
  displayName: string | null;
  verified: boolean;
  createdAt: string;
}

/** The address of a handle. */
export async function resolveHandle(relay: Relay, handle: string): Promise<HandleRecord> {
  const batch = handle.replace(/^@/, '');
  const { body } = await relay.call(`/handles/${encodeURIComponent(batch)}`);
  mustAnswer(body.handle === batch && isAddress(body.address), 'another handle');
  return body as unknown as HandleRecord;
}

export interface Want {
  address: string;
  after: number;
  upTo: number;
}

const WANTS_MOST = 200;

/** The requested lists, by address, ascending. Malformed ones are ignored. */
export async function readHistories(
  relay: Relay,
  wants: readonly Want[],
): Promise<Map<string, DeviceList[]>> {
  const found = new Map<string, DeviceList[]>(wants.map(({ address }) => [address, []]));
  let open = wants.slice(0, WANTS_MOST);
  for (let round = 0; open.length > 0 && round < 50; round++) {
    const { body } = await relay.call('/keys/history', {
      method: 'POST',
      body: { wants: open },
      mostBytes: ANSWER_BYTES.histories,
    });
    const { histories } = body;
    mustAnswer(isListOf(histories, open.length, open.length, isFields), 'histories');
    const next: Want[] = [];
    for (const [i, history] of histories.entries()) {
      const want = open[i];
      mustAnswer(want !== undefined && history.address === want.address, 'another address');
      mustAnswer(isListOf(history.lists, 0, 200, isDeviceList), 'lists');
      const lists = found.get(want.address) ?? [];
      lists.push(...history.lists);
      const last = history.lists.at(-1)?.sequence ?? want.after;
      if (history.more === true && last < want.upTo) next.push({ ...want, after: last });
    }
    open = next;
  }
  return found;
}

/** Accepts a list that the relay shows, after requesting the lists in between. */
async function receiveList(relay: Relay, known: Known, list: DeviceList, now: number): Promise<void> {
  const after = known.pin?.sequence ?? list.sequence;
  const missing = list.sequence - 1 - after;
  if (missing > CATCH_UP_MOST) return;
  const wants = missing > 0 ? [{ address: known.address, after, upTo: list.sequence - 1 }] : [];
  const between = await readHistories(relay, wants);
  await seeList(known, list, between.get(known.address) ?? [], now);
}

/** Current keys of an address, or the reason for having none. */
export interface Target {
  address: string;
  keys: SealKey[];
  /** The number of the known list. */
  listSequence: number;
  blocked: 'unknown' | 'fork' | 'waiting' | null;
}

/** A device list with its seal keys, in the form of `keys` and `memberDevices`. */
export interface ShownDevices {
  deviceList: DeviceList;
  sealKeys: SealKey[];
}

export function readShownDevices(value: unknown): ShownDevices {
  mustAnswer(isFields(value), 'devices');
  const { deviceList, sealKeys } = value;
  mustAnswer(isDeviceList(deviceList) && isListOf(sealKeys, 0, 64, isSealKey), 'devices');
  return { deviceList, sealKeys };
}

/** Judges and stores a relay's view of an address. */
export async function judgeShown(
  relay: Relay,
  memory: Memory,
  address: string,
  shown: ShownDevices,
  now: number,
): Promise<Target> {
  const known = memory.of(address);
  await receiveList(relay, known, shown.deviceList, now);
  const { keys, hasOld } = seeSealKeys(known, shown.sealKeys, now);
  const blocked = isBlockedBy(known) ?? (hasOld && keys.length === 0 ? 'waiting' : null);
  return {
    address,
    keys: blocked === null ? keys : [],
    listSequence: known.pin?.sequence ?? 0,
    blocked,
  };
}

/** Fetches the keys of an address and verifies them. An address without a valid view is blocked. */
export async function lookUp(relay: Relay, memory: Memory, address: string, now: number): Promise<Target> {
  const known = memory.of(address);
  try {
    const { body } = await relay.call(`/keys/${address}`);
    mustAnswer(body.address === address, 'another address');
    return await judgeShown(relay, memory, address, readShownDevices(body), now);
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== 'not_found') throw error;
    seeNothing(known);
    return {
      address,
      keys: [],
      listSequence: known.pin?.sequence ?? 0,
      blocked: isBlockedBy(known) ?? 'unknown',
    };
  }
}

const DIGESTS_MOST = 1_000;

/** The post-quantum keys of statements that the relay shows and that match; they are stored. */
export async function readPqKeys(relay: Relay, memory: Memory, keys: readonly SealKey[]): Promise<void> {
  const wanted = keys.map(({ pq }) => pq).filter((pq) => pq !== null);
  const digests = [...new Set(wanted)].filter((digest) => !memory.pqKeys.has(digest));
  for (let at = 0; at < digests.length; at += DIGESTS_MOST) {
    const batch = digests.slice(at, at + DIGESTS_MOST);
    const call = { method: 'POST' as const, body: { digests: batch }, mostBytes: ANSWER_BYTES.pqKeys };
    const { body } = await relay.call('/pq-keys', call);
    mustAnswer(isFields(body.keys), 'keys');
    for (const digest of batch) {
      const key = body.keys[digest];
      if (!isBase64url(key, 1184)) continue;
      const bytes = fromBase64url(key);
      if (fitsDigest(digest, bytes)) memory.pqKeys.set(digest, bytes);
    }
  }
}
