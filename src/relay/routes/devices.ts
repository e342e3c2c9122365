/** Devices and their keys: published by their owner, read by all who write to them. */
import { type DeviceList, findDeviceListFault, followsDeviceList } from '../../protocol/device-list.ts';
import { decodeBase64Url } from '../../protocol/encoding.ts';
import { ENDPOINTS } from '../../protocol/endpoints.ts';
import { HISTORY_PAGE, LAST_SEQUENCE, MAX_HISTORY_LISTS } from '../../protocol/limits.ts';
import { isAcceptableMlKem } from '../../protocol/ml-kem/ml-kem.ts';
import type { AddressKeys, KeyHistory } from '../../protocol/schemas/directory.ts';
import { findSealKeyFault, pqDigest, type SealKey } from '../../protocol/seal-key.ts';
import type { RelayContext } from '../context.ts';
import { quotaReached } from '../limits/quotas.ts';
import { ProblemError } from '../problems/problem-error.ts';
import type { PublishedDevices, SealKeyPublication } from '../store/records.ts';
import { currentSealKeys } from '../store/views/current-seal-keys.ts';
import { describeHandle } from '../store/views/describe-handle.ts';
import type { AddEndpoint } from './endpoint.ts';

export function addDeviceRoutes(add: AddEndpoint, context: RelayContext): void {
  const { store, waiters, clock } = context;

  add(ENDPOINTS.putDevices, async ({ credential, body }) => {
    const { deviceList, sealKeys, pqKeys = [] } = body;
    const { account, address } = credential;
    const { quotas } = context.limits;
    if (deviceList.devices.length > quotas.devices) throw quotaReached('devices', quotas);
    const published = await store.readDevices(address);
    checkDeviceList(address, deviceList, published?.deviceList ?? null, clock());
    checkSealKeys(address, deviceList, sealKeys, published, clock());

    const outcome = await store.publishDevices({
      account,
      session: credential.id,
      deviceList,
      after: deviceList.sequence - 1,
      sealKeys: withPqKeys(sealKeys, pqKeys, published),
      now: clock(),
    });
    if (outcome.status === 'list_conflict') throw listConflict();
    if (outcome.status === 'seal_key_conflict') throw sealKeyConflict();
    if (outcome.status === 'too_many_lists') throw tooManyLists(outcome.wait);
    // The other devices read the new list at once: it may name a device that the person does not know.
    waiters.wake([...outcome.dropped.queues, ...outcome.informed]);
    waiters.revoke(outcome.dropped.credentials);
    return { body: await readKeys(context, address) };
  });

  add(ENDPOINTS.putSealKey, async ({ credential, params, body }) => {
    const { account, address } = credential;
    const { sealKey, pqKey } = body;
    if (sealKey.deviceId !== params.deviceId) {
      throw new ProblemError('invalid_request', 'seal_key_of_other_device');
    }
    const published = await store.readDevices(address);
    const device = published?.deviceList.devices.find(({ deviceId }) => deviceId === params.deviceId);
    if (!published || !device) throw unknownDevice();
    requireKnownList(published.deviceList, sealKey);
    const fault = findSealKeyFault(address, device, sealKey, clock());
    if (fault !== null) throw new ProblemError('invalid_request', 'seal_key', { fault });

    const [publication] = withPqKeys([sealKey], pqKey === undefined ? [] : [pqKey], published);
    if (!publication) throw new Error('there is one for each seal key');
    const outcome = await store.publishSealKey(account, publication, clock());
    if (outcome === 'unknown_device') throw unknownDevice();
    if (outcome === 'conflict') throw sealKeyConflict();
    return { body: await readKeys(context, address) };
  });

  add(ENDPOINTS.getKeyHistory, async ({ params: { address }, query }) => {
    const range = { address, after: query.after ?? 0, upTo: LAST_SEQUENCE };
    return { body: { address, ...(await store.readLists(range, HISTORY_PAGE)) } };
  });

  add(ENDPOINTS.getKeyHistories, async ({ body: { wants } }) => {
    const histories: KeyHistory[] = [];
    let left = MAX_HISTORY_LISTS;
    for (const want of wants) {
      const page = await store.readLists(want, left);
      left -= page.lists.length;
      histories.push({ address: want.address, ...page });
    }
    return { body: { histories } };
  });

  add(ENDPOINTS.getPqKeys, async ({ credential, body: { digests } }) => ({
    body: { keys: await store.readPqKeys(digests, credential.account) },
  }));

  add(ENDPOINTS.getKeys, async ({ params }) => ({ body: await readKeys(context, params.address) }));
}

/** @throws ProblemError unless the list is valid and is the published one or its successor */
function checkDeviceList(address: string, list: DeviceList, published: DeviceList | null, now: number): void {
  const fault = findDeviceListFault(address, list, now);
  if (fault !== null) throw new ProblemError('invalid_request', 'device_list', { fault });
  const isSame = published?.signature === list.signature && published.sequence === list.sequence;
  if (!isSame && !followsDeviceList(address, published, list)) throw listConflict();
}

/**
 * @throws ProblemError unless each seal key belongs to another listed device and is valid, or is published already
 */
function checkSealKeys(
  address: string,
  list: DeviceList,
  sealKeys: SealKey[],
  published: PublishedDevices | null,
  now: number,
): void {
  const devices = new Map(list.devices.map((device) => [device.deviceId, device]));
  const known = new Set(published?.sealKeys.map(({ signature }) => signature));
  const keys = new Set<string>();
  for (const sealKey of sealKeys) {
    const device = devices.get(sealKey.deviceId);
    if (!device) throw new ProblemError('invalid_request', 'seal_key_unlisted');
    devices.delete(sealKey.deviceId);
    requireKnownList(list, sealKey);
    if (keys.has(sealKey.key)) throw sealKeyConflict();
    keys.add(sealKey.key);
    const fault = known.has(sealKey.signature) ? null : findSealKeyFault(address, device, sealKey, now);
    if (fault !== null) throw new ProblemError('invalid_request', 'seal_key', { fault });
  }
}

/**
 * The post-quantum keys of the statements that name them. Published keys are left out.
 * @throws ProblemError unless there is exactly one valid key for each digest
 */
function withPqKeys(
  sealKeys: readonly SealKey[],
  pqKeys: readonly string[],
  published: PublishedDevices | null,
): SealKeyPublication[] {
  const known = new Set(published?.sealKeys.map(({ signature }) => signature));
  const given = new Map(pqKeys.map((text) => [pqDigest(decodeBase64Url(text)), text]));
  const named = new Set(sealKeys.map(({ pq }) => pq));
  const stray = [...given.keys()].some((digest) => !named.has(digest));
  if (stray) throw new ProblemError('invalid_request', 'pq_key_stray');
  return sealKeys.map((sealKey) => {
    const pqKey = sealKey.pq === null ? null : (given.get(sealKey.pq) ?? null);
    if (sealKey.pq !== null && pqKey === null && !known.has(sealKey.signature)) {
      throw new ProblemError('invalid_request', 'pq_key_missing');
    }
    if (pqKey !== null && !isAcceptableMlKem(decodeBase64Url(pqKey))) {
      throw new ProblemError('invalid_request', 'pq_key_unusable');
    }
    return { sealKey, pqKey };
  });
}

/**
 * A statement about its own list needs that list in the request. Otherwise all readers would wait for a list that
 * does not exist.
 * @throws ProblemError seal_key_conflict
 */
function requireKnownList({ sequence }: DeviceList, { listSequence }: SealKey): void {
  if (listSequence <= sequence) return;
  throw new ProblemError('seal_key_conflict', 'list', { named: listSequence, published: sequence });
}

/** @throws ProblemError not_found if the address has published no devices */
async function readKeys(context: RelayContext, address: string): Promise<AddressKeys> {
  const [published, entry] = await Promise.all([
    context.store.readDevices(address),
    context.store.findHandleOf(address),
  ]);
  if (!published) {
    throw new ProblemError('not_found', 'devices');
  }
  const sealKeys = currentSealKeys(published, context.clock());
  return {
    address,
    deviceKeys: sealKeys.map((sealKey) => sealKey.key),
    deviceList: published.deviceList,
    sealKeys,
    profile: entry && describeHandle(entry),
    ...(published.deleted && { deleted: true as const }),
  };
}

function listConflict(): ProblemError {
  return new ProblemError('device_list_conflict', 'device_list_conflict');
}

function tooManyLists(wait: number): ProblemError {
  const retryAfter = Math.ceil(wait / 1000);
  return new ProblemError('rate_limited', 'device_lists', {}, { retryAfter });
}

function sealKeyConflict(): ProblemError {
  return new ProblemError('seal_key_conflict', 'key');
}

function unknownDevice(): ProblemError {
  return new ProblemError('unknown_device', 'own');
}
