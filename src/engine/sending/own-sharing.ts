/**
 * Tells other own devices what the person does here (own/state.ts). What is due is kept in the cache: an app that is killed goes on
 * with it. Nothing is sent where the person has no other device.
 */
import { askAgainDelay, backoffDelay } from '../../base/backoff.ts';
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
import { type DeliveryParts, sendingParts } from './delivery-parts.ts';

/** Changes wait so long for others, in milliseconds: who reads quickly sends one message for each chat. */
const GATHER_FOR = 3_000;
/** Who did not read the queue for so long may have missed what other devices said: it says nothing to a new one. */
const MOST_AWAY = 14 * 24 * 3_600_000;
/** Attempts that follow each other within a minute. */
const MOST_QUICK = 8;
/** A timer cannot wait longer, in milliseconds. */
const MOST_TIMER = 24 * 3_600_000;

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
  /** Whether the queue was not read for long before this start. */
  #wasAway: boolean;

  constructor(parts: DeliveryParts) {
    const { context, account } = parts;
    this.#context = context;
    this.#sending = sendingParts(parts);
    this.#address = account.address;
    this.#deviceId = account.deviceId;
    const end = context.identity.lastEnd();
    this.#wasAway = end !== null && context.now() - end > MOST_AWAY;
  }

  start(): void {
    this.#context.own.onDue(() => {
      this.#later(GATHER_FOR);
      this.#watchMutes();
    });
    this.#watchMutes();
    this.#later(GATHER_FOR);
  }

  /** The relay is there, or the own list has changed: nothing waits any longer. */
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
        if (!isTrouble(error)) logUnexpected(describe(error));
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

  /** Sends what is due. @returns false if something is still to be done */
  async #share(): Promise<boolean> {
    const { ownReads, ownRegisters } = this.#context;
    const others = this.#others();
    if (others === null) return true;
    if (others.length === 0) {
      ownRegisters.settle(null);
      ownReads.settle(null);
      ownRegisters.saveToldDevices([]);
      return true;
    }
    const areAllTold = await this.#meet(others);
    this.#context.own.closeBatch();
    if (!this.#isDue()) return areAllTold;
    let isDone = areAllTold;
    for (const { sentAt, id, entries } of ownRegisters.due()) {
      if (this.#closed) return true;
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

  /** Ids of the other devices that the person's list names; null before there is a list with this one. */
  #others(): string[] | null {
    const devices = this.#context.identity.newestList()?.devices;
    if (!devices?.some(({ deviceId }) => deviceId === this.#deviceId)) return null;
    return devices
      .filter(({ deviceId, type }) => type === 'app' && deviceId !== this.#deviceId)
      .map(({ deviceId }) => deviceId);
  }

  /**
   * A device that has joined gets everything. This device's own first look finds those that were there before it.
   * @returns false if one cannot be sealed to yet
   */
  async #meet(others: readonly string[]): Promise<boolean> {
    const { own, ownRegisters, transaction } = this.#context;
    const told = ownRegisters.toldDevices();
    if (told === null || this.#wasAway) {
      ownRegisters.saveToldDevices(others);
      this.#wasAway = false;
      return true;
    }
    const known = new Set(told);
    const fresh = others.filter((id) => !known.has(id));
    if (fresh.length === 0) {
      if (known.size !== others.length) ownRegisters.saveToldDevices(others);
      return true;
    }
    const { sealKeys } = await this.#sending.directory.recipient(this.#address, 0);
    const ready = new Set(sealKeys.map(({ deviceId }) => deviceId));
    const met = fresh.filter((id) => ready.has(id));
    if (met.length > 0) {
      transaction(() => {
        own.restate();
        ownRegisters.saveToldDevices(others.filter((id) => known.has(id) || ready.has(id)));
      });
    }
    return met.length === fresh.length;
  }

  /** A mute that ends by itself changes what is shown. */
  #watchMutes(): void {
    const { emit, now, own, ownRegisters } = this.#context;
    clearTimeout(this.#muteTimer);
    const next = ownRegisters.nextMuteEnd(encodeTime(now()));
    if (next === null || this.#closed) return;
    const wait = Math.min(Math.max(0, decodeTime(next) - now()) + 1, MOST_TIMER);
    this.#muteTimer = setTimeout(() => {
      const ended = ownRegisters.mutesEnding(next).flatMap((name) => own.find(name)?.id ?? []);
      if (ended.length > 0 && decodeTime(next) <= now())
        emit('conversations.changed', { ids: ended.map(String) });
      this.#watchMutes();
    }, wait);
  }
}

/** A device that has joined and shows no key yet is waited for, too: first for moments, then for longer. */
function waitAfter(failures: number): number {
  const quick = backoffDelay(failures);
  return Math.max(GATHER_FOR, failures <= MOST_QUICK ? quick : askAgainDelay(failures - MOST_QUICK));
}

function isTrouble(error: unknown): boolean {
  return (
    error instanceof RelayRefusal || error instanceof RelayUnreachable || error instanceof UnverifiableError
  );
}
