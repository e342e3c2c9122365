/**
 * Keeping this device certified: it stands in the address's device list at the relay, with a seal key that is
 * current. Each step may be cut off and is taken up again at the next start.
 */

import { native } from '../../protocol/crypto/native.ts';
import type { DeviceList } from '../../protocol/device-list.ts';
import {
  deviceListHash,
  findDeviceListProblem,
  signDeviceList,
  type UnsignedDeviceList,
} from '../../protocol/device-list.ts';
import { encodeBase64Url, encodeTime } from '../../protocol/encoding.ts';
import { MAX_SEAL_KEY_LIFE, SEAL_KEY_ROTATION, signSealKey } from '../../protocol/seal-key.ts';
import type { OwnSealKey } from '../cache/identity-rows.ts';
import type { Context } from '../context.ts';
import { EngineFailure } from '../failure.ts';
import type { Account } from './account.ts';

const DAY = 24 * 3_600_000;
const DEVICE_LIFE = 365 * DAY;
/** A device's certificate is renewed when less than this is left of it, in milliseconds. */
const RENEW_DEVICE_BEFORE = 30 * DAY;
const MOST_DEVICES = 16;
/** The relay keeps envelopes for 30 days: what was sealed to a replaced key may still come for that long. */
const KEEP_REPLACED_KEYS = 31 * DAY;

export class Registration {
  readonly #context: Context;
  readonly #account: Account;
  #checkedAt = 0;

  constructor(context: Context, account: Account) {
    this.#context = context;
    this.#account = account;
  }

  /**
   * Makes sure that the relay knows this device and its seal key. Cheap when there is nothing to do.
   * @throws EngineFailure if the device was removed, RelayRefusal, RelayUnreachable
   */
  async ensure(): Promise<void> {
    const { identity, now } = this.#context;
    const newest = identity.sealKeys()[0];
    const rotationDue = !newest || now() - newest.createdAt >= SEAL_KEY_ROTATION;
    if (!rotationDue && now() - this.#checkedAt < DAY) return;

    const registered = identity.get()?.registeredAt !== null;
    const published = await this.#account.relay.keys(this.#account.address);
    const current = this.#check(published?.deviceList ?? null);
    const sealKey = rotationDue || !newest ? this.#createSealKey(newest) : newest;

    const device = current?.devices.find(({ deviceId }) => deviceId === this.#account.deviceId);
    if (!device && registered) {
      throw new EngineFailure(
        'refused',
        'This device was removed from your account on another device. Set Waxwing up again with your recovery phrase to use it here.',
      );
    }
    const announced = published?.sealKeys.some(({ key }) => key === sealKey.statement.key) ?? false;
    if (!device || Date.parse(device.validUntil) - now() < RENEW_DEVICE_BEFORE) {
      const next = this.#certify(current);
      await this.#account.relay.putDevices(next, [sealKey.statement]);
      identity.saveDeviceList(next);
    } else {
      if (!announced) await this.#account.relay.putSealKey(this.#account.deviceId, sealKey.statement);
      if (current) identity.saveDeviceList(current);
    }
    identity.markRegistered(now());
    identity.eraseSealKeysReplacedBefore(now() - KEEP_REPLACED_KEYS);
    this.#checkedAt = now();
  }

  /** The relay does not know this device any more: look at everything again. */
  recheck(): void {
    this.#checkedAt = 0;
  }

  /** Refuses an own list that the relay made up or took from the past. */
  #check(list: DeviceList | null): DeviceList | null {
    const pinned = this.#context.identity.get()?.deviceList ?? null;
    const tampered =
      (pinned && (!list || list.sequence < pinned.sequence)) ||
      (list && findDeviceListProblem(native, this.#account.address, list, this.#context.now()) !== null);
    if (tampered) {
      throw new EngineFailure(
        'unverifiable',
        'The relay shows a device list for your own address that you did not sign, or an old one. Nothing is sent until that is mended.',
      );
    }
    return list;
  }

  /** The next list, with this device in it for another year. */
  #certify(current: DeviceList | null): DeviceList {
    const { deviceId, deviceKey, address, wallet } = this.#account;
    const others = current?.devices.filter((device) => device.deviceId !== deviceId) ?? [];
    if (others.length >= MOST_DEVICES) {
      throw new EngineFailure('refused', 'You already use Waxwing on 16 devices. Remove one of them first.');
    }
    const list: UnsignedDeviceList = {
      sequence: (current?.sequence ?? 0) + 1,
      previous: current ? deviceListHash(native, address, current) : null,
      issued: encodeTime(this.#context.now()),
      unsigned: current?.unsigned ?? [],
      devices: [
        ...others,
        {
          deviceId,
          key: encodeBase64Url(deviceKey.publicKey),
          type: 'app',
          validUntil: encodeTime(this.#context.now() + DEVICE_LIFE),
        },
      ],
    };
    return signDeviceList(wallet, list);
  }

  /** A new seal key, stored before anybody hears of it: a message to a key that was lost could never be read. */
  #createSealKey(newest: OwnSealKey | undefined): OwnSealKey {
    const now = this.#context.now();
    const secret = native.randomBytes(32);
    const statement = signSealKey(
      native,
      this.#account.address,
      this.#account.deviceKey,
      native.importX25519(secret).publicKey,
      (newest?.statement.sequence ?? 0) + 1,
      { notBefore: now, notAfter: now + MAX_SEAL_KEY_LIFE },
    );
    const key = { secret, statement, createdAt: now };
    this.#context.identity.addSealKey(key);
    return key;
  }
}
