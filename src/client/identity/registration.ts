/**
 * Keeping a device certified: it stands in its address's device list at the relay, with a seal key that is current.
 * Each step may be cut off and is taken up again the next time.
 */
import { retentionOf } from '../../messaging/trust/replay.ts';
import { native } from '../../protocol/crypto/native.ts';
import {
  type Device,
  type DeviceList,
  deviceListHash,
  findDeviceListProblem,
  signDeviceList,
  UnsignedKind,
} from '../../protocol/device-list.ts';
import { encodeBase64Url, encodeTime } from '../../protocol/encoding.ts';
import { MAX_SEAL_KEY_LIFE, SEAL_KEY_ROTATION, type SealKey, signSealKey } from '../../protocol/seal-key.ts';
import type { RelayApi } from '../api.ts';
import { IdentityError, UnverifiableError } from '../errors.ts';
import type { SessionOwner } from '../session.ts';

const DAY = 24 * 3_600_000;
const DEVICE_LIFE = 365 * DAY;
/** A device's certificate is renewed when less than this is left of it, in milliseconds. */
const RENEW_DEVICE_BEFORE = 30 * DAY;
const MOST_DEVICES = 16;
/** How long a replaced key is kept beyond the relay's retention, after which nothing sealed to it can come any more. */
const KEY_GRACE = DAY;

/** A seal key of one's own: its X25519 secret of 32 bytes, and what the device signed about it. */
export interface OwnSealKey {
  secret: Uint8Array;
  statement: SealKey;
  /** Milliseconds since 1970. */
  createdAt: number;
}

/** Where a device keeps what it knows of its registration. Every change must be durable when the call returns. */
export interface RegistrationStore {
  get(): { deviceList: DeviceList | null; registeredAt: number | null } | null;
  /** Newest first. */
  sealKeys(): OwnSealKey[];
  addSealKey(key: OwnSealKey): void;
  saveDeviceList(list: DeviceList): void;
  markRegistered(now: number): void;
  /** The longest retention that the relay has told of, in milliseconds; null before it has told any. */
  retention(): number | null;
  saveRetention(retention: number): void;
  eraseSealKeysReplacedBefore(time: number): void;
}

export interface RegistrationParts {
  store: RegistrationStore;
  /** Calls with a session of {@link owner}. */
  relay: RelayApi;
  owner: SessionOwner;
  deviceType: Device['type'];
  /** Milliseconds since 1970. */
  now: () => number;
}

export class Registration {
  readonly #parts: RegistrationParts;
  #checkedAt = 0;

  constructor(parts: RegistrationParts) {
    this.#parts = parts;
  }

  /**
   * Makes sure that the relay knows this device and its seal key. Cheap when there is nothing to do.
   * @param allow kinds of unsigned messages that the list must allow; what it allows already stays allowed
   * @throws IdentityError if the device was removed, UnverifiableError, RelayRefusal, RelayUnreachable
   */
  async ensure(allow: readonly UnsignedKind[] = []): Promise<void> {
    const { store, relay, owner, now } = this.#parts;
    const newest = store.sealKeys()[0];
    const rotationDue = !newest || now() - newest.createdAt >= SEAL_KEY_ROTATION;
    const pinned = store.get()?.deviceList ?? null;
    if (!rotationDue && now() - this.#checkedAt < DAY && allowsAll(pinned, allow)) return;

    const registered = store.get()?.registeredAt !== null;
    const published = await relay.keys(owner.address);
    const current = this.#check(published?.deviceList ?? null);
    const sealKey = rotationDue || !newest ? this.#createSealKey(newest, current?.sequence ?? 1) : newest;

    const device = current?.devices.find(({ deviceId }) => deviceId === owner.deviceId);
    if (!device && registered) {
      throw new IdentityError(
        'This device was removed from your account on another device. To use it again, delete what is on this computer (in the app: Settings, Storage) and set Waxwing up with your recovery phrase.',
      );
    }
    const announced = published?.sealKeys.some(({ key }) => key === sealKey.statement.key) ?? false;
    const timeLeft = device ? Date.parse(device.validUntil) - now() : 0;
    // Without the wallet a certificate is used to its end.
    if (timeLeft <= (owner.wallet ? RENEW_DEVICE_BEFORE : 0) || !allowsAll(current, allow)) {
      const next = this.#certify(current, [...(current?.unsigned ?? []), ...allow]);
      await relay.putDevices(next, [sealKey.statement]);
      store.saveDeviceList(next);
    } else {
      if (!announced) await relay.putSealKey(owner.deviceId, sealKey.statement);
      if (current) store.saveDeviceList(current);
    }
    store.markRegistered(now());
    const { limits } = await relay.me();
    const told = Math.max(limits.retentionSeconds * 1000, store.retention() ?? 0);
    if (told !== store.retention()) store.saveRetention(told);
    store.eraseSealKeysReplacedBefore(now() - retentionOf(told) - KEY_GRACE);
    this.#checkedAt = now();
  }

  /**
   * Publishes the next list without these kinds of unsigned messages, so that nobody accepts any more that come in this
   * address's name. Nothing is done if none of them is allowed.
   * @throws IdentityError, UnverifiableError, RelayRefusal, RelayUnreachable
   */
  async forbid(kinds: readonly UnsignedKind[]): Promise<void> {
    const { store, relay, owner } = this.#parts;
    const published = await relay.keys(owner.address);
    const current = this.#check(published?.deviceList ?? null);
    const allowed: readonly UnsignedKind[] = current?.unsigned ?? [];
    if (!allowed.some((kind) => kinds.includes(kind))) return;
    const next = this.#certify(
      current,
      allowed.filter((kind) => !kinds.includes(kind)),
    );
    await relay.putDevices(next, []);
    store.saveDeviceList(next);
  }

  /**
   * Publishes the next list without another device: its queue and its sessions end. Nothing is done if it is not listed.
   * @throws IdentityError, UnverifiableError, RelayRefusal, RelayUnreachable
   */
  async remove(deviceId: string): Promise<void> {
    const { store, relay, owner } = this.#parts;
    const published = await relay.keys(owner.address);
    const current = this.#check(published?.deviceList ?? null);
    if (!current?.devices.some((device) => device.deviceId === deviceId)) return;
    const next = this.#certify(current, current.unsigned, deviceId);
    await relay.putDevices(next, []);
    store.saveDeviceList(next);
  }

  /** The relay does not know this device any more: look at everything again. */
  recheck(): void {
    this.#checkedAt = 0;
  }

  /** Refuses an own list that the relay made up or took from the past. */
  #check(list: DeviceList | null): DeviceList | null {
    const { store, owner, now } = this.#parts;
    const pinned = store.get()?.deviceList ?? null;
    const tampered =
      (pinned && (!list || list.sequence < pinned.sequence)) ||
      (list && findDeviceListProblem(native, owner.address, list, now()) !== null);
    if (tampered) {
      throw new UnverifiableError(
        'The relay shows a device list for your own address that you did not sign, or an old one. Nothing is sent until that is mended.',
      );
    }
    return list;
  }

  /** The next list, with this device in it for another year. */
  #certify(current: DeviceList | null, unsigned: readonly UnsignedKind[], without?: string): DeviceList {
    const { owner, deviceType, now } = this.#parts;
    const { address, deviceId, deviceKey, wallet } = owner;
    if (!wallet) {
      throw new IdentityError(
        'The device list needs the wallet’s signature, and this identity does not keep its wallet. Create it anew with the recovery phrase.',
      );
    }
    const gone = [deviceId, without];
    const others = current?.devices.filter((device) => !gone.includes(device.deviceId)) ?? [];
    if (others.length >= MOST_DEVICES) {
      throw new IdentityError('You already use Waxwing on 16 devices. Remove one of them first.');
    }
    return signDeviceList(wallet, {
      sequence: (current?.sequence ?? 0) + 1,
      previous: current ? deviceListHash(native, address, current) : null,
      issued: encodeTime(now()),
      unsigned: UnsignedKind.options.filter((kind) => unsigned.includes(kind)) as DeviceList['unsigned'],
      devices: [
        ...others,
        {
          deviceId,
          key: encodeBase64Url(deviceKey.publicKey),
          type: deviceType,
          validUntil: encodeTime(now() + DEVICE_LIFE),
        },
      ],
    });
  }

  /** A new seal key, stored before anybody hears of it: a message to a key that was lost could never be read. */
  #createSealKey(newest: OwnSealKey | undefined, listSequence: number): OwnSealKey {
    const { store, owner, now } = this.#parts;
    const createdAt = now();
    const secret = native.randomBytes(32);
    const statement = signSealKey(
      native,
      owner.address,
      owner.deviceKey,
      native.importX25519(secret).publicKey,
      { sequence: (newest?.statement.sequence ?? 0) + 1, listSequence },
      { notBefore: createdAt, notAfter: createdAt + MAX_SEAL_KEY_LIFE },
    );
    const key = { secret, statement, createdAt };
    store.addSealKey(key);
    return key;
  }
}

function allowsAll(list: DeviceList | null, kinds: readonly UnsignedKind[]): boolean {
  const allowed: readonly UnsignedKind[] = list?.unsigned ?? [];
  return kinds.every((kind) => allowed.includes(kind));
}
