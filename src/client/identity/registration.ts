/**
 * Keeping a device certified: it stands in its address's device list at the relay, with a seal key that is current.
 * Each step may be cut off and is taken up again the next time.
 */
import { retentionOf } from '../../messaging/trust/replay.ts';
import {
  type Device,
  type DeviceList,
  deviceListHash,
  signDeviceList,
  UnsignedKind,
} from '../../protocol/device-list.ts';
import { encodeBase64Url, encodeTime } from '../../protocol/encoding.ts';
import type { Me } from '../../protocol/schemas/me.ts';
import type { SealKey } from '../../protocol/seal-key.ts';
import type { RelayApi } from '../api.ts';
import { IdentityError } from '../errors.ts';
import type { SessionOwner } from '../session.ts';
import { agreeOnLists, type OwnLists } from './own-list.ts';
import { agreeOnProfile, type OwnProfileStore } from './own-profile.ts';
import { OwnSealKeys, type SealKeyStore } from './own-seal-keys.ts';

const DAY = 24 * 3_600_000;
const DEVICE_LIFE = 365 * DAY;
/** A device's certificate is renewed when less than this is left of it, in milliseconds. */
const RENEW_DEVICE_BEFORE = 30 * DAY;
const MOST_DEVICES = 16;
/** How often the relay is asked for the own list though nothing hints at a change, in milliseconds. */
const CHECK_EVERY = DAY;

/** Where a device keeps what it knows of its registration. Every change must be durable when the call returns. */
export interface RegistrationStore extends OwnLists, SealKeyStore, OwnProfileStore {
  /** When the relay first accepted a list with this device, in milliseconds since 1970; null before. */
  registeredAt(): number | null;
  markRegistered(now: number): void;
  /** The longest retention that the relay has told of, in milliseconds; null before it has told any. */
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
  /** Called when there is a newer own list than before. */
  onListChanged?: () => void;
  /** Called with what the relay says of the account, each time it was asked. */
  onMe?: (me: Me) => void;
  /** Called when what the address has set at the relay is other than before: another own device changed it. */
  onProfileChanged?: () => void;
}

export class Registration {
  readonly #parts: RegistrationParts;
  readonly #sealKeys: OwnSealKeys;
  #checkedAt = 0;
  /** One change of the list at a time: two that follow the same list would exclude each other. */
  #queue: Promise<unknown> = Promise.resolve();

  constructor(parts: RegistrationParts) {
    this.#parts = parts;
    this.#sealKeys = new OwnSealKeys(parts.store, parts.owner, parts.now);
  }

  /**
   * Makes sure that the relay knows this device and its seal key, and gives it back what it has lost. Cheap when there
   * is nothing to do.
   * @param allow kinds of unsigned messages that the list must allow; what it allows already stays allowed
   * @throws IdentityError if the device was removed, UnverifiableError, RelayRefusal, RelayUnreachable
   */
  ensure(allow: readonly UnsignedKind[] = []): Promise<void> {
    return this.#inTurn(async () => {
      const list = this.#parts.store.newestList();
      const isFresh = this.#parts.now() - this.#checkedAt < CHECK_EVERY;
      if (isFresh && !this.#sealKeys.isDue(list) && allowsAll(list, allow)) return;
      await this.#ensure(allow);
    });
  }

  async #ensure(allow: readonly UnsignedKind[]): Promise<void> {
    const { store, relay, owner, now } = this.#parts;
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
    // Before the seal key: until that is back, the relay shows that it came from a backup, also after a crash here.
    const isNewProfile = await agreeOnProfile(relay, store, me, published?.profile ?? null, hasLost);
    if (isNewProfile) this.#parts.onProfileChanged?.();
    const timeLeft = device ? Date.parse(device.validUntil) - now() : 0;
    // Without the wallet a certificate is used to its end.
    const isNewList = timeLeft <= (owner.wallet ? RENEW_DEVICE_BEFORE : 0) || !allowsAll(current, allow);
    const list = isNewList ? this.#certify(current, [...(current?.unsigned ?? []), ...allow]) : current;
    const statement = this.#sealKeys.current(list?.sequence ?? 1, device && shown ? { device, shown } : null);
    if (isNewList && list) await this.#publish(list, statement);
    else if (!isAnnounced(published?.sealKeys, statement)) {
      await relay.putSealKey(owner.deviceId, statement, this.#sealKeys.pqKeyOf(statement));
    }
    this.#sealKeys.accepted(statement);
    store.markRegistered(now());
    const told = Math.max(me.limits.retentionSeconds * 1000, store.retention() ?? 0);
    if (told !== store.retention()) store.saveRetention(told);
    this.#sealKeys.eraseEnded(retentionOf(told));
    this.#checkedAt = now();
  }

  /**
   * The queue was read to its end: old seal keys that nothing can come for any more are erased.
   * @param since when the reading began, in milliseconds since 1970
   */
  drained(since: number): void {
    this.#sealKeys.drained(since, this.#parts.store.newestList());
  }

  /**
   * Publishes the next list without these kinds of unsigned messages, so that nobody accepts any more that come in this
   * address's name. Nothing is done if none of them is allowed.
   * @throws IdentityError, UnverifiableError, RelayRefusal, RelayUnreachable
   */
  forbid(kinds: readonly UnsignedKind[]): Promise<void> {
    return this.#change((current) => {
      const allowed: readonly UnsignedKind[] = current?.unsigned ?? [];
      if (!allowed.some((kind) => kinds.includes(kind))) return null;
      return this.#certify(
        current,
        allowed.filter((kind) => !kinds.includes(kind)),
      );
    });
  }

  /**
   * Publishes the next list without another device: its queue and its sessions end. Nothing is done if it is not listed.
   * @throws IdentityError, UnverifiableError, RelayRefusal, RelayUnreachable
   */
  remove(deviceId: string): Promise<void> {
    return this.#change((current) => {
      if (!current?.devices.some((device) => device.deviceId === deviceId)) return null;
      return this.#certify(current, current.unsigned, deviceId);
    });
  }

  /** Whether the relay has taken no new seal key of this device for a week, so that the old one lives on. */
  get isSealKeyOverdue(): boolean {
    return this.#sealKeys.isOverdue();
  }

  /** The relay may have forgotten something, or another own device changed the list: look at everything again. */
  recheck(): void {
    this.#checkedAt = 0;
  }

  #change(next: (current: DeviceList | null) => DeviceList | null): Promise<void> {
    return this.#inTurn(async () => {
      const { relay, owner } = this.#parts;
      const published = await relay.keys(owner.address);
      const list = next(await this.#agree(published?.deviceList ?? null));
      if (list) await this.#publish(list, null);
    });
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

  /** The next list, with this device in it for another year. */
  #certify(current: DeviceList | null, unsigned: readonly UnsignedKind[], without?: string): DeviceList {
    const { owner, deviceType, now } = this.#parts;
    const { address, deviceId, deviceKey, wallet } = owner;
    if (!wallet) {
      throw new IdentityError('wallet_not_kept');
    }
    const gone = [deviceId, without];
    const others = current?.devices.filter((device) => !gone.includes(device.deviceId)) ?? [];
    if (others.length >= MOST_DEVICES) {
      throw new IdentityError('devices_full', { most: MOST_DEVICES });
    }
    return signDeviceList(wallet, {
      sequence: (current?.sequence ?? 0) + 1,
      previous: current ? deviceListHash(address, current) : null,
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
}

function isAnnounced(published: SealKey[] | undefined, statement: SealKey): boolean {
  return published?.some(({ signature }) => signature === statement.signature) ?? false;
}

function allowsAll(list: DeviceList | null, kinds: readonly UnsignedKind[]): boolean {
  const allowed: readonly UnsignedKind[] = list?.unsigned ?? [];
  return kinds.every((kind) => allowed.includes(kind));
}
