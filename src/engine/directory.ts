/**
 * What is known of people: fetched from the relay, proven (src/client/proof.ts), and kept in the cache. The highest
 * device list seen is pinned there.
 */

import type { RelayApi } from '../client/api.ts';
import { UnverifiableError } from '../client/errors.ts';
import { type ProvenKeys, proveKeys } from '../client/proof.ts';
import type { DeviceList } from '../protocol/device-list.ts';
import type { AddressKeys } from '../protocol/schemas/directory.ts';
import type { Contact } from './cache/contacts.ts';
import type { Context } from './context.ts';

/** How long fetched keys are good for sending, in milliseconds. Receiving fetches anew whenever a device is unknown. */
export const KEYS_FRESH_FOR = 60_000;

export class Directory {
  readonly #context: Context;
  readonly #relay: RelayApi;
  /** Why what the relay showed last of an address does not count. */
  readonly #problems = new Map<string, string>();

  constructor(context: Context, relay: RelayApi) {
    this.#context = context;
    this.#relay = relay;
  }

  /**
   * A contact with keys not older than `freshFor`, fetched and proven if need be.
   * `deviceList` is null if the address has no devices.
   * @throws UnverifiableError if the relay's answer does not prove itself; RelayRefusal, RelayUnreachable
   */
  async contact(address: string, freshFor = KEYS_FRESH_FOR): Promise<Contact> {
    const { contacts, now } = this.#context;
    const known = contacts.find(address);
    if (known && now() - known.fetchedAt < freshFor) return known;

    return this.learn(address, await this.#relay.keys(address));
  }

  /**
   * Remembers what the relay shows of an address, as far as it proves itself.
   * @param published null if the relay shows nothing
   * @throws UnverifiableError
   */
  learn(address: string, published: (ProvenKeys & Pick<AddressKeys, 'profile'>) | null): Contact {
    const { contacts, now } = this.#context;
    const contact = contacts.ensure(address, now());
    const proven = this.#prove(address, published, contact);
    if (!proven) return contact;
    const { deviceList: list, sealKeys } = proven;
    const profile = published?.profile;
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

  /** Why what the relay showed last of an address does not count, as a sentence; null if nothing is wrong. */
  problemOf(address: string): string | null {
    return this.#problems.get(address) ?? null;
  }

  #prove(address: string, published: ProvenKeys | null, { deviceList }: Contact): ProvenKeys | null {
    try {
      const proven = proveKeys(address, published, deviceList, this.#context.now());
      this.#problems.delete(address);
      return proven;
    } catch (error) {
      if (error instanceof UnverifiableError) this.#problems.set(address, error.message);
      throw error;
    }
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
}

function devicesDiffer(before: DeviceList, after: DeviceList): boolean {
  const ids = (list: DeviceList) =>
    list.devices
      .map(({ deviceId }) => deviceId)
      .sort()
      .join();
  return ids(before) !== ids(after);
}
