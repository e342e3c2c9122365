/**
 * Sends the own device list to others in signed and sealed messages, so that a relay which hides a newer list
 * is detected (docs/protocol.md, 'hello'). Sent after each change of the list, and to authors who seem to
 * know only an older one. At most once a day to each, after a random time so that the time reveals nothing.
 */
import { RelayUnreachable } from '../../base/failure.ts';
import type { DeviceList } from '../../protocol/device-list.ts';
import { isMember, type RosterState } from '../../protocol/roster/state.ts';
import { evidenceAfter } from '../contents/kinds/hello.ts';
import type { HelloPlan, HelloPlans } from './plans.ts';
import { type HelloSending, sendHello } from './send-hello.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
/** Maximum random delay of a hello, in milliseconds. */
const WITHIN = 10 * MINUTE;
/** Contacts notified of one change of the list. */
const MAX_CONTACTS = 500;
/** Members of a group who answer a member with an old list: about this many in total. */
const ANSWERS = 20;
/** Delay before a failed hello is retried, in milliseconds. */
const LATER = 60 * MINUTE;
/** Delay before the next batch if some hellos are left, in milliseconds; also the longest timer. */
const LOOK_AGAIN = MINUTE / 2;
/** Limit of planned or recent hellos. Beyond it no answers are planned. */
export const MAX_PLANNED = 10_000;
/** Hellos per batch. */
const AT_ONCE = 50;

/** People who may know that this device exists. */
export interface Acquaintances {
  /**
   * Accepted contacts as wire addresses, last used first.
   * @param most limit
   */
  contacts(most: number): string[];
  /** 'none' without a conversation; 'other' for a request, or blocked. */
  relationOf(address: string): 'accepted' | 'other' | 'none';
}

export interface GreetingParts {
  sending: HelloSending;
  /** All own lists known here, ascending. */
  lists(): readonly DeviceList[];
  plans: HelloPlans;
  people: Acquaintances;
  /** True if this is a program. */
  automated: boolean;
  /** From 0 up to 1. */
  random: () => number;
  /**
   * Schedules one call after some milliseconds.
   * @returns the function that cancels it
   */
  later(milliseconds: number, call: () => void): () => void;
}

/** A group, as far as greetings read it. */
export interface FellowGroup {
  state: RosterState;
}

export class Greetings {
  readonly #parts: GreetingParts;
  #isOpen = false;
  #cancelTimer: () => void = () => undefined;
  #running: Promise<void> | null = null;

  constructor(parts: GreetingParts) {
    this.#parts = parts;
  }

  /** Starts sending due hellos in the background. */
  start(): void {
    this.#isOpen = true;
    // The program may have ended between a change of the list and its planning.
    this.listChanged();
    this.#setTimer(0);
  }

  /** Ends after the current address. */
  async close(): Promise<void> {
    this.#isOpen = false;
    this.#cancelTimer();
    await this.#running;
  }

  /**
   * Call this when the own list may have changed: plans hellos to accepted contacts, last used first. The
   * planned list is stored with the plans, so that each change is planned exactly once.
   */
  listChanged(): void {
    const { plans, people } = this.#parts;
    const newest = this.#newestSequence();
    const planned = plans.plannedList();
    if (newest <= planned) return;
    // Before the first list no contact can have an older one.
    const addresses = newest > 1 ? people.contacts(MAX_CONTACTS) : [];
    const after = planned > 0 ? planned : newest - 1;
    // A change is also sent to recipients of an earlier one today.
    plans.save(
      addresses.map((address) => this.#plan(address, after)),
      newest,
    );
    this.#setTimer(0);
  }

  /**
   * Call this when a signed copy was sealed by someone with an older own list.
   * @param sequence number of the list that they know
   * @param group the group of the copy; null for a direct message
   */
  isBehind(address: string, sequence: number, group: FellowGroup | null): void {
    const { plans, random, sending } = this.#parts;
    if (sequence === 0 || sequence >= this.#newestSequence()) return;
    if (group && (!isMember(group.state, address) || random() >= ANSWERS / group.state.memberCount)) return;
    if (plans.count() >= MAX_PLANNED || !this.#mayGreet(address, group !== null)) return;
    const { after = 0, dueAt = null, sentAt = null } = plans.find(address) ?? {};
    if (sentAt !== null && sentAt > sending.now() - DAY) return;
    // Each of their messages reports it again.
    if (dueAt !== null && after <= sequence) return;
    plans.save([this.#plan(address, sequence)]);
    this.#setTimer(0);
  }

  /** Sends due hellos. Never fails: failed ones stay due. */
  sendDue(): Promise<void> {
    this.#running ??= this.#sendDue()
      // A fault of this program must not end the caller.
      .catch(() => undefined)
      .finally(() => {
        this.#running = null;
        if (this.#isOpen) this.#setTimer(this.#isAnyDue() ? LOOK_AGAIN : 0);
      });
    return this.#running;
  }

  /** Extends an existing plan, so that its hello has the lists for both reasons. */
  #plan(address: string, after: number): HelloPlan {
    const before = this.#parts.plans.find(address);
    const { dueAt = null, sentAt = null } = before ?? {};
    if (before && dueAt !== null) return { ...before, after: Math.min(before.after, after) };
    return { address, after, dueAt: this.#soon(), sentAt };
  }

  /** Strangers, requests and blocked people get nothing: they must not learn that this device exists. */
  #mayGreet(address: string, isMember: boolean): boolean {
    const relation = this.#parts.people.relationOf(address);
    return relation === 'none' ? isMember : relation === 'accepted';
  }

  /** Failed hellos stay due. */
  async #sendDue(): Promise<void> {
    const { plans, sending } = this.#parts;
    const { now } = sending;
    plans.forgetBefore(now() - 2 * DAY);
    for (const plan of plans.due(now(), AT_ONCE)) {
      if (!this.#isOpen) return;
      try {
        plans.save([await this.#afterGreeting(plan)]);
      } catch (error) {
        if (!(error instanceof RelayUnreachable)) throw error;
        // The next turn goes to another person: a person with hidden devices does not delay others.
        const current = plans.find(plan.address) ?? plan;
        return plans.save([{ ...current, dueAt: now() + LOOK_AGAIN }]);
      }
    }
  }

  /**
   * The plan for an address after an attempt.
   * @throws RelayUnreachable
   */
  async #afterGreeting(plan: HelloPlan): Promise<HelloPlan> {
    const { plans, sending } = this.#parts;
    const { address } = plan;
    // Blocked since then, perhaps.
    if (!this.#mayGreet(address, true)) return { ...plan, dueAt: null };
    const newest = this.#newestSequence();
    const isSent = await this.#greet(address, plan.after).catch((error: unknown) => {
      if (error instanceof RelayUnreachable) throw error;
      return null;
    });
    const now = sending.now();
    // The list may have changed again meanwhile.
    const current = plans.find(address) ?? plan;
    const isNews = this.#newestSequence() > newest;
    if (isSent) return { address, after: newest, dueAt: isNews ? this.#soon() : null, sentAt: now };
    // A relay that hides a removal may hide the keys of its recipients, as long as it is asked.
    return { ...current, dueAt: now + (isSent === null ? LATER : DAY) };
  }

  /** Schedules the next batch, after this time in milliseconds at the earliest. */
  #setTimer(earliest: number): void {
    if (!this.#isOpen || this.#running) return;
    this.#cancelTimer();
    const { plans, sending, later } = this.#parts;
    const next = plans.nextDueAt();
    // Without plans, the next plan sets it.
    if (next === null) return;
    const wait = Math.max(earliest, Math.min(next - sending.now(), LOOK_AGAIN));
    this.#cancelTimer = later(wait, () => void this.sendDue());
  }

  #isAnyDue(): boolean {
    const { plans, sending } = this.#parts;
    return (plans.nextDueAt() ?? Number.POSITIVE_INFINITY) <= sending.now();
  }

  /** @returns whether one of their devices has it now, according to the relay */
  #greet(address: string, after: number): Promise<boolean> {
    const { sending, lists, automated } = this.#parts;
    return sendHello(sending, address, { lists: evidenceAfter(lists(), after) }, automated);
  }

  #newestSequence(): number {
    return this.#parts.sending.author.newestList()?.sequence ?? 0;
  }

  /** Milliseconds since 1970 of a random time soon. */
  #soon(): number {
    const { random, sending } = this.#parts;
    return sending.now() + Math.floor(random() * WITHIN);
  }
}
