/**
 * Sends changes of own settings to the person's other devices (own/state.ts). Pending changes are in the
 * cache, so a killed app continues. Without another device nothing is sent.
 */
import { backoffDelay, slowRetryDelay } from '../../base/backoff.ts';
import { describe } from '../../base/error-facts.ts';
import { UnverifiableError } from '../../base/failure.ts';
import { logUnexpected } from '../../base/log.ts';
import type { Content } from '../../messaging/contents/kind.ts';
import { RelayRefusal, RelayUnreachable } from '../../messaging/relay.ts';
import { type HiddenSending, sendHidden } from '../../messaging/sending/hidden.ts';
import { decodeTime, encodeTime } from '../../protocol/encoding.ts';
import { isWireAddress } from '../../protocol/wire-address.ts';
import type { OwnVersion } from '../cache/own-registers.ts';
import type { Context } from '../context.ts';
import { AVATAR, isPictureUnsent } from '../own/profile.ts';
import { type DeliveryParts, sendingParts } from './delivery-parts.ts';

/** Wait for further changes, in milliseconds: fast reading results in one message per chat. */
const GATHER_FOR = 3_000;
/**
 * Longest time without reading the queue, in milliseconds. After more, this device may have missed changes
 * and sends nothing to a new device.
 */
const MAX_AWAY = 14 * 24 * 3_600_000;
/** Number of quick retries, within about a minute. */
const MAX_QUICK = 8;
/** Longest timer, in milliseconds. */
const MAX_TIMER = 24 * 3_600_000;

export class OwnSharing {
  readonly #context: Context;
  readonly #sending: HiddenSending;
  readonly #address: string;
  readonly #deviceId: string;
  #timer: NodeJS.Timeout | undefined;
  #muteTimer: NodeJS.Timeout | undefined;
  #failures = 0;
  #closed = false;
  #again = false;
  #running: Promise<void> | null = null;
  /** True if the queue was unread for long before this start. */
  #wasAway: boolean;

  constructor(parts: DeliveryParts) {
    const { context, account } = parts;
    this.#context = context;
    this.#sending = sendingParts(parts);
    this.#address = account.address;
    this.#deviceId = account.deviceId;
    const end = context.identity.lastEnd();
    this.#wasAway = end !== null && context.now() - end > MAX_AWAY;
  }

  start(): void {
    this.#context.own.onDue(() => {
      this.#later(GATHER_FOR);
      this.#watchMutes();
    });
    this.#watchMutes();
    this.#later(GATHER_FOR);
  }

  /** Retries at once: the relay is back, or the own list has changed. */
  wake(): void {
    if (this.#closed) return;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#run();
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#timer);
    clearTimeout(this.#muteTimer);
    await this.#running;
  }

  #later(milliseconds: number): void {
    if (this.#closed || this.#timer) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#run();
    }, milliseconds);
  }

  #run(): void {
    if (this.#running) {
      this.#again = true;
      return;
    }
    this.#running = this.#share()
      .then((isDone) => {
        this.#failures = isDone ? 0 : this.#failures + 1;
      })
      .catch((error) => {
        if (!isExpected(error)) logUnexpected(describe(error));
        this.#failures++;
      })
      .finally(() => {
        this.#running = null;
        if (this.#again) {
          this.#again = false;
          this.#later(GATHER_FOR);
        } else if (this.#failures > 0) this.#later(waitAfter(this.#failures));
      });
  }

  /**
   * Sends pending changes.
   * @returns false if some are left
   */
  async #share(): Promise<boolean> {
    const { ownReads, ownRegisters } = this.#context;
    const others = this.#others();
    if (others === null) return true;
    if (others.length === 0) {
      ownRegisters.settle(null);
      ownReads.settle(null);
      ownRegisters.saveSyncedDevices([]);
      return true;
    }
    const areAllSent = await this.#meet(others);
    this.#context.own.closeBatch();
    if (!this.#isDue()) return areAllSent;
    let isDone = areAllSent;
    for (const { sentAt, id, entries } of ownRegisters.due()) {
      if (this.#closed) return true;
      if (entries.some(({ key }) => key === AVATAR) && isPictureUnsent(this.#context)) continue;
      if (await this.#send({ kind: 'own.set', entries }, { sentAt, id })) ownRegisters.settle(id);
      else isDone = false;
    }
    for (const { conversation, upTo, sentAt, id } of ownReads.due()) {
      if (this.#closed) return true;
      const named = isWireAddress(conversation) ? { peer: conversation } : { group: conversation };
      const content = { kind: 'own.read', conversation: named, upTo };
      if (await this.#send(content, { sentAt, id })) ownReads.settle(id);
      else isDone = false;
    }
    return isDone;
  }

  #isDue(): boolean {
    const { ownReads, ownRegisters } = this.#context;
    return ownRegisters.due().length + ownReads.due().length > 0;
  }

  #send(content: Content, version: OwnVersion): Promise<boolean> {
    return sendHidden(this.#sending, this.#address, content, { automated: false, version, toAll: true });
  }

  /** Ids of the other devices on the person's list; null before a list with this device exists. */
  #others(): string[] | null {
    const devices = this.#context.identity.newestList()?.devices;
    if (!devices?.some(({ deviceId }) => deviceId === this.#deviceId)) return null;
    return devices
      .filter(({ deviceId, type }) => type === 'app' && deviceId !== this.#deviceId)
      .map(({ deviceId }) => deviceId);
  }

  /**
   * Sends everything to new devices. On the first look of this device, existing devices are skipped.
   * @returns false if one of them cannot be sealed to yet
   */
  async #meet(others: readonly string[]): Promise<boolean> {
    const { own, ownRegisters, transaction } = this.#context;
    const shared = ownRegisters.syncedDevices();
    if (shared === null || this.#wasAway) {
      ownRegisters.saveSyncedDevices(others);
      this.#wasAway = false;
      return true;
    }
    const known = new Set(shared);
    const fresh = others.filter((id) => !known.has(id));
    if (fresh.length === 0) {
      if (known.size !== others.length) ownRegisters.saveSyncedDevices(others);
      return true;
    }
    const { sealKeys } = await this.#sending.directory.recipient(this.#address, 0);
    const ready = new Set(sealKeys.map(({ deviceId }) => deviceId));
    const met = fresh.filter((id) => ready.has(id));
    if (met.length > 0) {
      transaction(() => {
        own.restate();
        ownRegisters.saveSyncedDevices(others.filter((id) => known.has(id) || ready.has(id)));
      });
    }
    return met.length === fresh.length;
  }

  /** Wakes at the end of a mute, which changes the view. */
  #watchMutes(): void {
    const { emit, now, own, ownRegisters } = this.#context;
    clearTimeout(this.#muteTimer);
    const next = ownRegisters.nextMuteEnd(encodeTime(now()));
    if (next === null || this.#closed) return;
    const wait = Math.min(Math.max(0, decodeTime(next) - now()) + 1, MAX_TIMER);
    this.#muteTimer = setTimeout(() => {
      const ended = ownRegisters.mutesEnding(next).flatMap((name) => own.find(name)?.id ?? []);
      if (ended.length > 0 && decodeTime(next) <= now())
        emit('conversations.changed', { ids: ended.map(String) });
      this.#watchMutes();
    }, wait);
  }
}

/** A new device without a key is retried, too: quickly at first, then slowly. */
function waitAfter(failures: number): number {
  const quick = backoffDelay(failures);
  return Math.max(GATHER_FOR, failures <= MAX_QUICK ? quick : slowRetryDelay(failures - MAX_QUICK));
}

function isExpected(error: unknown): boolean {
  return (
    error instanceof RelayRefusal || error instanceof RelayUnreachable || error instanceof UnverifiableError
  );
}
