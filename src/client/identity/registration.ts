/**
 * Keeps a device certified: listed in its address's device list at the relay, with a current seal key. Each step may
 * be interrupted and is resumed the next time.
 */
import { retentionOf } from '../../messaging/trust/replay.ts';
import { deviceIdOf } from '../../protocol/device-id.ts';
import {
  type Device,
  type DeviceList,
  deviceListHash,
  signDeviceList,
  UnsignedKind,
} from '../../protocol/device-list.ts';
import { decodeTime, encodeBase64Url, encodeTime } from '../../protocol/encoding.ts';
import type { Me } from '../../protocol/schemas/me.ts';
import type { SealKey } from '../../protocol/seal-key.ts';
import type { Wallet } from '../../protocol/wallet.ts';
import type { RelayApi } from '../api.ts';
import { IdentityError, RelayRefusal } from '../errors.ts';
import type { SessionOwner } from '../session.ts';
import { agreeOnLists, type OwnLists } from './own-list.ts';
import { agreeOnProfile, type OwnProfileStore } from './own-profile.ts';
import { OwnSealKeys, type SealKeyStore } from './own-seal-keys.ts';

const DAY = 24 * 3_600_000;
const DEVICE_LIFE = 365 * DAY;
/** The remaining validity at which a device's certificate is renewed if the wallet is stored, in milliseconds. */
export const RENEW_DEVICE_BEFORE = 60 * DAY;
const MAX_DEVICES = 16;
/** The interval for fetching the own list without any hint of a change, in milliseconds. */
const CHECK_EVERY = DAY;

/** Store of a device's registration. Every change must be durable when the call returns. */
export interface RegistrationStore extends OwnLists, SealKeyStore, OwnProfileStore {
  /** The time at which the relay first accepted a list with this device, in milliseconds since 1970; null before. */
  registeredAt(): number | null;
  markRegistered(now: number): void;
  /** The longest retention that the relay has announced, in milliseconds; null before. */
  retention(): number | null;
  saveRetention(retention: number): void;
}

export interface RegistrationParts {
  store: RegistrationStore;
  /** Calls with a session of {@link owner}. */
  relay: RelayApi;
  owner: SessionOwner;
  deviceType: Device['type'];
  /** Milliseconds since 1970. */
  now: () => number;
  /** Called for a new own list. */
  onListChanged?: () => void;
  /** Called with each answer of the relay about the account. */
  onMe?: (me: Me) => void;
  /** Called when another own device has changed the profile at the relay. */
  onProfileChanged?: () => void;
}

/** Options for signing a list. */
export interface Signing {
  /** The wallet, typed for this call; by default the stored one. */
  wallet?: Wallet | undefined;
  /** Ids of devices to remove from the list. */
  without?: readonly string[] | undefined;
}

export class Registration {
  readonly #parts: RegistrationParts;
  readonly #sealKeys: OwnSealKeys;
  #checkedAt = 0;
  /** Number of demands for a complete check. One during a check applies to the next. */
  #rechecks = 0;
  /** One change of the list at a time: two that follow the same list would exclude each other. */
  #queue: Promise<unknown> = Promise.resolve();

  constructor(parts: RegistrationParts) {
    this.#parts = parts;
    this.#sealKeys = new OwnSealKeys(parts.store, parts.owner, parts.now);
  }

  /**
   * Ensures that the relay knows this device and its seal key, and restores data that the relay has lost. Cheap if
   * there is nothing to do.
   * @param allow kinds of unsigned messages that the list must allow, besides the already allowed ones
   * @param signing used if a new list must be signed
   * @throws IdentityError if the device was removed or is refused, UnverifiableError, RelayRefusal, RelayUnreachable
   */
  ensure(allow: readonly UnsignedKind[] = [], signing: Signing = {}): Promise<void> {
    return this.#inTurn(async () => {
      const list = this.#parts.store.newestList();
      const isFresh = this.#parts.now() - this.#checkedAt < CHECK_EVERY;
      if (isFresh && !this.#sealKeys.isDue(list) && allowsAll(list, allow)) return;
      await this.#ensure(allow, signing).catch((error) => {
        throw this.#isShutOut(error) ? new IdentityError('device_refused') : error;
      });
    });
  }

  /** True once the relay has accepted a list with this device. */
  get isRegistered(): boolean {
    return this.#parts.store.registeredAt() !== null;
  }

  /** Without the wallet, a refused device cannot learn the reason: it was removed, or its certificate has ended. */
  #isShutOut(error: unknown): boolean {
    const { store, owner } = this.#parts;
    const isRefused = error instanceof RelayRefusal && error.code === 'unauthorized';
    return isRefused && !owner.wallet && store.registeredAt() !== null;
  }

  async #ensure(allow: readonly UnsignedKind[], { wallet, without }: Signing): Promise<void> {
    const { store, relay, owner, now } = this.#parts;
    const rechecks = this.#rechecks;
    const profile = store.profile();
    const registered = store.registeredAt() !== null;
    const published = await relay.keys(owner.address);
    const shown = published?.sealKeys.find(({ deviceId }) => deviceId === owner.deviceId) ?? null;
    const hasLost =
      (published?.deviceList.sequence ?? 0) < (store.newestList()?.sequence ?? 0) ||
      (registered && this.#sealKeys.isForgotten(shown));
    const current = await this.#agree(published?.deviceList ?? null);
    const device = current?.devices.find(({ deviceId }) => deviceId === owner.deviceId);
    if (!device && registered) {
      throw new IdentityError('device_removed');
    }
    const me = await relay.me();
    this.#parts.onMe?.(me);
    // Before the seal key: until that is restored, the relay is recognizable as restored from a backup, also after a
    // crash here.
    const shownProfile = published?.profile ?? null;
    const agreed = await agreeOnProfile(relay, store, { known: profile, me, shown: shownProfile, hasLost });
    if (agreed === 'changed') this.#parts.onProfileChanged?.();
    if (agreed === 'outdated') this.recheck();
    const timeLeft = device ? Date.parse(device.validUntil) - now() : 0;
    // Without the wallet a certificate is used until its end.
    const isRenewal = owner.wallet !== null && (current?.devices ?? []).some((each) => this.#isEnding(each));
    const isNewList = timeLeft <= 0 || isRenewal || !allowsAll(current, allow);
    const unsigned = [...(current?.unsigned ?? []), ...allow];
    const list = isNewList ? this.#certify(current, unsigned, { wallet, without }) : current;
    const statement = this.#sealKeys.current(list?.sequence ?? 1, device && shown ? { device, shown } : null);
    if (isNewList && list) await this.#publish(list, statement);
    else if (!isAnnounced(published?.sealKeys, statement)) {
      await relay.putSealKey(owner.deviceId, statement, this.#sealKeys.pqKeyOf(statement));
    }
    this.#sealKeys.accepted(statement);
    // The first login was the wallet's. The device's session lets the relay link its actions to this device.
    if (!registered) relay.logInAgain();
    store.markRegistered(now());
    const retention = Math.max(me.limits.retentionSeconds * 1000, store.retention() ?? 0);
    if (retention !== store.retention()) store.saveRetention(retention);
    this.#sealKeys.eraseEnded(retentionOf(retention));
    if (this.#rechecks === rechecks) this.#checkedAt = now();
  }

  /**
   * Erases old seal keys for which no message can arrive, after the queue was read to its end.
   * @param since start of the reading, in milliseconds since 1970
   */
  drained(since: number): void {
    this.#sealKeys.drained(since, this.#parts.store.newestList());
  }

  /**
   * Publishes a list without these kinds of unsigned messages, so that recipients no longer accept them from
   * this address. Does nothing if none is allowed.
   * @throws IdentityError, UnverifiableError, RelayRefusal, RelayUnreachable
   */
  async forbid(kinds: readonly UnsignedKind[], signing: Signing = {}): Promise<void> {
    await this.#change((current) => {
      const allowed: readonly UnsignedKind[] = current?.unsigned ?? [];
      if (!allowed.some((kind) => kinds.includes(kind))) return null;
      const left = allowed.filter((kind) => !kinds.includes(kind));
      return this.#certify(current, left, signing);
    });
  }

  /**
   * Publishes a list without another device: its queue and its sessions end. Does nothing if it is not listed.
   * @throws IdentityError, UnverifiableError, RelayRefusal, RelayUnreachable
   */
  async remove(deviceId: string, { wallet }: Signing = {}): Promise<void> {
    await this.#change((current) => {
      if (!current?.devices.some((device) => device.deviceId === deviceId)) return null;
      return this.#certify(current, current.unsigned, { wallet, without: [deviceId] });
    });
  }

  /**
   * Publishes a list with another computer, unless it is listed already.
   * @param key its Ed25519 public key, 32 bytes
   * @returns the newest list, including it
   * @throws IdentityError, UnverifiableError, RelayRefusal, RelayUnreachable
   */
  async add(key: Uint8Array, { wallet }: Signing = {}): Promise<DeviceList> {
    const { now } = this.#parts;
    const added: Device = {
      deviceId: encodeBase64Url(deviceIdOf(key)),
      key: encodeBase64Url(key),
      type: 'app',
      validUntil: encodeTime(now() + DEVICE_LIFE),
    };
    const list = await this.#change((current) => {
      const known = current?.devices.find(({ deviceId }) => deviceId === added.deviceId);
      if (known && decodeTime(known.validUntil) > now()) return null;
      return this.#certify(current, current?.unsigned ?? [], { wallet, without: [added.deviceId], added });
    });
    if (!list) throw new Error('this address has published no device list');
    return list;
  }

  /**
   * Publishes a list that renews this device for another year, with others that end soon.
   * @throws IdentityError, UnverifiableError, RelayRefusal, RelayUnreachable
   */
  async renew({ wallet }: Signing = {}): Promise<void> {
    await this.#change((current) => this.#certify(current, current?.unsigned ?? [], { wallet }));
  }

  /**
   * True if the relay has not accepted a new seal key of this device for a week, so that the old one remains in use.
   */
  get isSealKeyOverdue(): boolean {
    return this.#sealKeys.isOverdue();
  }

  /**
   * Requires a complete check next time, also during a check: the relay may have lost data, or another own device changed
   * the list or the handle.
   */
  recheck(): void {
    this.#checkedAt = 0;
    this.#rechecks += 1;
  }

  /** @returns the newest list afterwards */
  #change(next: (current: DeviceList | null) => DeviceList | null): Promise<DeviceList | null> {
    return this.#inTurn(async () => {
      const { relay, owner } = this.#parts;
      const published = await relay.keys(owner.address);
      const current = await this.#agree(published?.deviceList ?? null);
      const list = next(current);
      if (list) await this.#publish(list, null);
      return list ?? current;
    });
  }

  /** Reports whether a certificate ends soon. An ended one is not renewed: an unused device does not return. */
  #isEnding({ validUntil }: Device): boolean {
    const left = decodeTime(validUntil) - this.#parts.now();
    return left > 0 && left <= RENEW_DEVICE_BEFORE;
  }

  async #publish(list: DeviceList, statement: SealKey | null): Promise<void> {
    const pqKeys = statement ? [this.#sealKeys.pqKeyOf(statement)] : [];
    await this.#parts.relay.putDevices(list, statement ? [statement] : [], pqKeys);
    this.#parts.store.addLists([list]);
    this.#parts.onListChanged?.();
  }

  async #agree(published: DeviceList | null): Promise<DeviceList | null> {
    const { store, relay, owner, now, onListChanged } = this.#parts;
    const before = store.newestList()?.sequence ?? 0;
    const current = await agreeOnLists(relay, owner.address, store, published, now());
    if (current && current.sequence > before) onListChanged?.();
    return current;
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#queue.then(work);
    this.#queue = turn.catch(() => undefined);
    return turn;
  }

  /** The next list, with this device renewed for another year, and others that end soon. */
  #certify(
    current: DeviceList | null,
    unsigned: readonly UnsignedKind[],
    { wallet, without = [], added }: Signing & { added?: Device },
  ): DeviceList {
    const { owner, deviceType, now } = this.#parts;
    const { address, deviceId, deviceKey } = owner;
    const signer = wallet ?? owner.wallet;
    if (!signer) {
      throw new IdentityError('wallet_not_kept');
    }
    if (signer.address !== address) {
      throw new IdentityError('identity_of_another', { owner: signer.address, address });
    }
    const validUntil = encodeTime(now() + DEVICE_LIFE);
    const gone = [deviceId, ...without];
    const others = (current?.devices ?? [])
      .filter((device) => !gone.includes(device.deviceId))
      .map((device) => (this.#isEnding(device) ? { ...device, validUntil } : device));
    if (added) others.push(added);
    if (others.length >= MAX_DEVICES) {
      throw new IdentityError('devices_full', { most: MAX_DEVICES });
    }
    const key = encodeBase64Url(deviceKey.publicKey);
    return signDeviceList(signer, {
      sequence: (current?.sequence ?? 0) + 1,
      previous: current ? deviceListHash(address, current) : null,
      issued: encodeTime(now()),
      unsigned: UnsignedKind.options.filter((kind) => unsigned.includes(kind)) as DeviceList['unsigned'],
      devices: [...others, { deviceId, key, type: deviceType, validUntil }],
    });
  }
}

function isAnnounced(published: SealKey[] | undefined, statement: SealKey): boolean {
  return published?.some(({ signature }) => signature === statement.signature) ?? false;
}

function allowsAll(list: DeviceList | null, kinds: readonly UnsignedKind[]): boolean {
  const allowed: readonly UnsignedKind[] = list?.unsigned ?? [];
  return kinds.every((kind) => allowed.includes(kind));
}
