/**
 * The directory, distrusted: what the relay says about an address counts only as far as its wallet signed it.
 * The highest device list seen is pinned; an older one, or another one with the same number, is refused.
 */

import type { RelayClient } from '../client/client.ts';
import { native } from '../protocol/crypto/native.ts';
import { type DeviceList, deviceListHash, findDeviceListProblem } from '../protocol/device-list.ts';
import { findSealKeyProblem } from '../protocol/seal-key.ts';
import type { Contact } from './cache/contacts.ts';
import type { Context } from './context.ts';
import { EngineFailure } from './failure.ts';

/** How long fetched keys are good for sending, in milliseconds. Receiving fetches anew whenever a device is unknown. */
export const KEYS_FRESH_FOR = 60_000;

export class Directory {
  readonly #context: Context;
  readonly #relay: RelayClient;

  constructor(context: Context, relay: RelayClient) {
    this.#context = context;
    this.#relay = relay;
  }

  /**
   * A contact with keys not older than `freshFor`, fetched and proven if need be.
   * `deviceList` is null if the address has no devices.
   * @throws EngineFailure 'unverifiable' if the relay's answer does not prove itself; RelayRefusal, RelayUnreachable
   */
  async contact(address: string, freshFor = KEYS_FRESH_FOR): Promise<Contact> {
    const { contacts, now } = this.#context;
    const known = contacts.find(address);
    if (known && now() - known.fetchedAt < freshFor) return known;

    const published = await this.#relay.keys(address);
    const contact = contacts.ensure(address, now());
    if (!published) {
      if (contact.deviceList) throw unverifiable('no device list at all, though it had one before');
      return contact;
    }
    const list = published.deviceList;
    this.#prove(address, contact.deviceList, list);
    const sealKeys = published.sealKeys.filter((sealKey) => {
      const device = list.devices.find(({ deviceId }) => deviceId === sealKey.deviceId);
      return device !== undefined && findSealKeyProblem(native, address, device, sealKey, now()) === null;
    });
    const { profile } = published;
    this.#context.transaction(() => {
      contacts.saveKeys(address, list, sealKeys, now());
      if (profile?.address === address) contacts.saveProfile(profile);
      if (contact.deviceList && devicesDiffer(contact.deviceList, list)) {
        this.#context.conversations.setDevicesChanged(contact.id, now());
      }
    });
    if (contact.deviceList && devicesDiffer(contact.deviceList, list)) {
      const conversation = this.#context.conversations.findByContact(contact.id);
      if (conversation) this.#context.emit('conversations.changed', { ids: [String(conversation.id)] });
    }
    return contacts.ensure(address, now());
  }

  /**
   * Fetches what the directory says about a handle and remembers it.
   * @returns null if nobody has the handle
   */
  async contactByHandle(handle: string): Promise<Contact | null> {
    const record = await this.#relay.handle(handle);
    if (!record) return null;
    const { contacts, now } = this.#context;
    contacts.ensure(record.address, now());
    contacts.saveProfile(record);
    return contacts.ensure(record.address, now());
  }

  #prove(address: string, pinned: DeviceList | null, list: DeviceList): void {
    const problem = findDeviceListProblem(native, address, list, this.#context.now());
    if (problem) throw unverifiable(problem);
    if (!pinned) return;
    if (list.sequence < pinned.sequence) throw unverifiable('an older device list than before');
    const pinnedHash = deviceListHash(native, address, pinned);
    if (list.sequence === pinned.sequence && deviceListHash(native, address, list) !== pinnedHash) {
      throw unverifiable('two different device lists with the same number');
    }
    if (list.sequence === pinned.sequence + 1 && list.previous !== pinnedHash) {
      throw unverifiable('a device list that does not follow the one before');
    }
  }
}

function devicesDiffer(before: DeviceList, after: DeviceList): boolean {
  const ids = (list: DeviceList) =>
    list.devices
      .map(({ deviceId }) => deviceId)
      .sort()
      .join();
  return ids(before) !== ids(after);
}

function unverifiable(what: string): EngineFailure {
  return new EngineFailure(
    'unverifiable',
    `The relay's keys for this person do not prove themselves: it showed ${what}. Nothing is sent to them.`,
  );
}
