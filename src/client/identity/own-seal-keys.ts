/**
 * A device's own seal keys: replaced each day and after each change of the device list, and erased as soon as no
 * message for them can arrive, so that a thief of the device opens as little as possible (docs/protocol.md, 'Seal
 * key').
 */
import { randomBytes } from '../../protocol/crypto.ts';
import type { Device, DeviceList } from '../../protocol/device-list.ts';
import { decodeTime, encodeBase64Url } from '../../protocol/encoding.ts';
import {
  findSealKeyFault,
  MAX_SEAL_KEY_LIFE,
  SEAL_KEY_ROTATION,
  type SealKey,
  signSealKey,
} from '../../protocol/seal-key.ts';
import { hybridPublicKey, importHybrid } from '../../protocol/x-wing.ts';
import type { SessionOwner } from '../session.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
/**
 * The wait before an old key is erased, from the acceptance of its successor to the reading of the whole queue, in
 * milliseconds. The relay accepts copies for it for 15 minutes; the rest is a reserve for copies stored last.
 */
export const ERASE_AFTER = 20 * MINUTE;
/** The additional wait while programs may write without naming a key, in milliseconds. */
const ERASE_LATER_WITH_API = DAY;
/** The time without an accepted statement after which the person is warned, in milliseconds. */
export const OVERDUE_AFTER = 7 * DAY;

/** An own seal key, with the device's signed statement. */
export interface OwnSealKey {
  /** The seed of both halves: 32 bytes. */
  secret: Uint8Array;
  statement: SealKey;
  /** Milliseconds since 1970. */
  createdAt: number;
  /** The time at which the relay accepted the statement, in milliseconds since 1970; null before. */
  acceptedAt: number | null;
}

export interface SealKeyStore {
  /** Newest first. */
  sealKeys(): OwnSealKey[];
  addSealKey(key: OwnSealKey): void;
  /** @param sequence of the statement */
  markSealKeyAccepted(sequence: number, now: number): void;
  /**
   * Erases keys permanently.
   * @param sequences of their statements
   */
  eraseSealKeys(sequences: number[]): void;
}

export class OwnSealKeys {
  readonly #store: SealKeyStore;
  readonly #owner: SessionOwner;
  readonly #now: () => number;
  /** The newest, without its secret: read on every poll. */
  #newest: Omit<OwnSealKey, 'secret'> | null = null;

  constructor(store: SealKeyStore, owner: SessionOwner, now: () => number) {
    this.#store = store;
    this.#owner = owner;
    this.#now = now;
  }

  /** Reports whether a new key must be created or the newest one announced. */
  isDue(list: DeviceList | null): boolean {
    const newest = this.#newest ?? this.#store.sealKeys()[0] ?? null;
    this.#newest = newest;
    return newest === null || newest.acceptedAt === null || this.#isOld(newest, list?.sequence ?? 1);
  }

  /**
   * The statement to announce. A new key is stored before it is announced: messages for a lost key could never be
   * read, and after a crash the same statement is sent again.
   * @param listSequence number of the newest own device list
   * @param published this device's statement at the relay; null for none
   */
  current(listSequence: number, published: { device: Device; shown: SealKey } | null): SealKey {
    const newest = this.#store.sealKeys()[0] ?? null;
    const ahead = this.#sequenceAhead(newest?.statement ?? null, published);
    if (newest && ahead === null && !this.#isOld(newest, listSequence)) return newest.statement;
    const { address, deviceKey } = this.#owner;
    const createdAt = this.#now();
    const secret = randomBytes(32);
    const statement = signSealKey(
      address,
      deviceKey,
      hybridPublicKey(importHybrid(secret)),
      { sequence: Math.max(newest?.statement.sequence ?? 0, ahead ?? 0) + 1, listSequence },
      { notBefore: createdAt, notAfter: createdAt + MAX_SEAL_KEY_LIFE },
    );
    this.#store.addSealKey({ secret, statement, createdAt, acceptedAt: null });
    this.#newest = null;
    return statement;
  }

  /** The ML-KEM public key named by a statement of this device, in base64url. */
  pqKeyOf({ sequence }: SealKey): string {
    const key = this.#store.sealKeys().find(({ statement }) => statement.sequence === sequence);
    if (!key) throw new Error('this seal key was erased');
    return encodeBase64Url(importHybrid(key.secret).mlKem.publicKey);
  }

  /**
   * Reports whether the relay shows an older statement of this device than it accepted, or none: it was restored from
   * a backup.
   * @param shown this device's statement at the relay; null for none
   */
  isForgotten(shown: SealKey | null): boolean {
    const accepted = this.#store.sealKeys().find(({ acceptedAt }) => acceptedAt !== null)?.statement;
    if (!accepted || this.#now() >= decodeTime(accepted.notAfter)) return false;
    return (shown?.sequence ?? 0) < accepted.sequence;
  }

  /** Reports whether the relay has not accepted a new statement for so long that the person should know. */
  isOverdue(): boolean {
    const accepted = this.#store.sealKeys().find(({ acceptedAt }) => acceptedAt !== null)?.acceptedAt;
    return typeof accepted === 'number' && this.#now() - accepted >= OVERDUE_AFTER;
  }

  /** Records that the relay has this statement. */
  accepted({ sequence }: SealKey): void {
    const key = this.#store.sealKeys().find(({ statement }) => statement.sequence === sequence);
    if (key?.acceptedAt === null) this.#store.markSealKeyAccepted(sequence, this.#now());
    this.#newest = null;
  }

  /**
   * Erases each key whose successor was accepted long enough before the queue was read to its end.
   * @param since start of the reading, in milliseconds since 1970
   */
  drained(since: number, list: DeviceList | null): void {
    const isNamed = !list?.unsigned.some((kind) => kind === 'api');
    const wait = ERASE_AFTER + (isNamed ? 0 : ERASE_LATER_WITH_API);
    const keys = this.#store.sealKeys();
    const successor = keys.findIndex(({ acceptedAt }) => acceptedAt !== null && since >= acceptedAt + wait);
    if (successor !== -1) this.#erase(keys.slice(successor + 1));
  }

  /**
   * Erases keys that ended so long ago that no message for them can be waiting, even if the queue was never read to
   * its end.
   * @param retention the relay's bounded retention, in milliseconds
   */
  eraseEnded(retention: number): void {
    const before = this.#now() - retention - DAY;
    const [, ...old] = this.#store.sealKeys();
    this.#erase(old.filter(({ statement }) => decodeTime(statement.notAfter) < before));
  }

  #erase(keys: OwnSealKey[]): void {
    if (keys.length > 0) this.#store.eraseSealKeys(keys.map(({ statement }) => statement.sequence));
  }

  /**
   * The number of a statement that this device signed and has forgotten, if the relay shows one: the device's files
   * were restored from an earlier state. The next number must be higher.
   */
  #sequenceAhead(known: SealKey | null, published: { device: Device; shown: SealKey } | null): number | null {
    if (!published || published.shown.sequence < (known?.sequence ?? 0)) return null;
    const { device, shown } = published;
    if (shown.signature === known?.signature) return null;
    const problem = findSealKeyFault(this.#owner.address, device, shown, this.#now());
    return problem === null ? shown.sequence : null;
  }

  #isOld({ createdAt, statement }: Omit<OwnSealKey, 'secret'>, listSequence: number): boolean {
    return this.#now() - createdAt >= SEAL_KEY_ROTATION || statement.listSequence < listSequence;
  }
}
