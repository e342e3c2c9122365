/**
 * Tells others of the own device list, in signed words that travel sealed: a relay that hides a newer list from them is
 * noticed (docs/protocol.md, 'hello'). Said after each change of the list, and to those who wrote as if they knew only
 * an older one; at most once a day to each, after a random time so that nothing is learnt from when.
 */
import { RelayUnreachable } from '../../base/failure.ts';
import type { DeviceList } from '../../protocol/device-list.ts';
import { isMember, type RosterState } from '../../protocol/roster/state.ts';
import { evidenceAfter } from '../contents/kinds/hello.ts';
import type { HelloPlan, HelloPlans } from './plans.ts';
import { type HelloSending, sendHello } from './send-hello.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
/** Said within this time, in milliseconds. */
const WITHIN = 10 * MINUTE;
/** Contacts who are told of one change of the list. */
const MOST_CONTACTS = 500;
/** Members of a group who answer one who is behind: about this many of all. */
const ANSWERS = 20;
/** After how long those who could not be told are tried again, in milliseconds. */
const LATER = 60 * MINUTE;
/** How long until it is gone on where not all who are due could be told, in milliseconds; also the longest timer. */
const LOOK_AGAIN = MINUTE / 2;
/** Addresses that are planned to be told or were told of late, beyond which nobody who is behind is answered. */
export const MOST_PLANNED = 10_000;
/** How many are told in one go. */
const AT_ONCE = 50;

/** Who may learn that this device is there. */
export interface Acquaintances {
  /** Accepted contacts: wire addresses, those written with last first. @param most how many are wanted */
  contacts(most: number): string[];
  /** 'none' of someone with whom there is no conversation; 'other' is a request, or blocked. */
  standingOf(address: string): 'accepted' | 'other' | 'none';
}

export interface GreetingParts {
  sending: HelloSending;
  /** Every own list that is known here, ascending. */
  lists(): readonly DeviceList[];
  plans: HelloPlans;
  people: Acquaintances;
  /** Whether this is a program. */
  automated: boolean;
  /** From 0 up to 1. */
  random: () => number;
  /** Calls once, after some milliseconds. @returns what cancels it */
  later(milliseconds: number, call: () => void): () => void;
}

/** A group as far as greeting looks at it. */
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

  /** Begins to tell, in the background, what is due now and what becomes due. */
  start(): void {
    this.#isOpen = true;
    // The program may have ended after the list had changed and before it was planned.
    this.listChanged();
    this.#setTimer(0);
  }

  /** Ends after the address that is being told. */
  async close(): Promise<void> {
    this.#isOpen = false;
    this.#cancelTimer();
    await this.#running;
  }

  /**
   * The own list may have changed: accepted contacts are told, those written with last first. What was planned is
   * remembered with the plan, so that each change is planned once, whatever comes in between.
   */
  listChanged(): void {
    const { plans, people } = this.#parts;
    const newest = this.#newestSequence();
    const planned = plans.plannedList();
    if (newest <= planned) return;
    // Nobody knows an address by a list before its first.
    const addresses = newest > 1 ? people.contacts(MOST_CONTACTS) : [];
    const after = planned > 0 ? planned : newest - 1;
    // A change is told also to those who were told of another one today.
    plans.save(
      addresses.map((address) => this.#plan(address, after)),
      newest,
    );
    this.#setTimer(0);
  }

  /**
   * A signed copy was sealed by one who knows an older own list.
   * @param sequence number of the list that they know
   * @param group the one that it came through; null for a direct message
   */
  isBehind(address: string, sequence: number, group: FellowGroup | null): void {
    const { plans, random, sending } = this.#parts;
    if (sequence === 0 || sequence >= this.#newestSequence()) return;
    if (group && (!isMember(group.state, address) || random() >= ANSWERS / group.state.memberCount)) return;
    if (plans.count() >= MOST_PLANNED || !this.#mayTell(address, group !== null)) return;
    const { after = 0, dueAt = null, sentAt = null } = plans.find(address) ?? {};
    if (sentAt !== null && sentAt > sending.now() - DAY) return;
    // Each of their messages says it again.
    if (dueAt !== null && after <= sequence) return;
    plans.save([this.#plan(address, sequence)]);
    this.#setTimer(0);
  }

  /** Tells whom is due now. Never fails: what could not be told stays due. */
  tellDue(): Promise<void> {
    this.#running ??= this.#tellDue()
      // A fault of ours must not end what this is a part of.
      .catch(() => undefined)
      .finally(() => {
        this.#running = null;
        if (this.#isOpen) this.#setTimer(this.#isAnyDue() ? LOOK_AGAIN : 0);
      });
    return this.#running;
  }

  /** What is planned already stays, and tells of all lists that either reason asks for. */
  #plan(address: string, after: number): HelloPlan {
    const before = this.#parts.plans.find(address);
    const { dueAt = null, sentAt = null } = before ?? {};
    if (before && dueAt !== null) return { ...before, after: Math.min(before.after, after) };
    return { address, after, dueAt: this.#soon(), sentAt };
  }

  /** Strangers, requests and blocked people learn nothing: not even that this device is there. */
  #mayTell(address: string, isMember: boolean): boolean {
    const standing = this.#parts.people.standingOf(address);
    return standing === 'none' ? isMember : standing === 'accepted';
  }

  /** What cannot be had now stays due. */
  async #tellDue(): Promise<void> {
    const { plans, sending } = this.#parts;
    const { now } = sending;
    plans.forgetBefore(now() - 2 * DAY);
    for (const plan of plans.due(now(), AT_ONCE)) {
      if (!this.#isOpen) return;
      try {
        plans.save([await this.#told(plan)]);
      } catch (error) {
        if (!(error instanceof RelayUnreachable)) throw error;
        // Next time it is another person's turn: one person whose devices the relay does not show holds up no one else.
        const current = plans.find(plan.address) ?? plan;
        return plans.save([{ ...current, dueAt: now() + LOOK_AGAIN }]);
      }
    }
  }

  /** What is planned for an address after it was told, or could not be. @throws RelayUnreachable */
  async #told(plan: HelloPlan): Promise<HelloPlan> {
    const { plans, sending } = this.#parts;
    const { address } = plan;
    // Blocked since it was planned, perhaps.
    if (!this.#mayTell(address, true)) return { ...plan, dueAt: null };
    const newest = this.#newestSequence();
    const isTold = await this.#tell(address, plan.after).catch((error: unknown) => {
      if (error instanceof RelayUnreachable) throw error;
      return null;
    });
    const now = sending.now();
    // The list may have changed again meanwhile.
    const current = plans.find(address) ?? plan;
    const isNews = this.#newestSequence() > newest;
    if (isTold) return { address, after: newest, dueAt: isNews ? this.#soon() : null, sentAt: now };
    // A relay that hides a removal may hide the keys of those who are to hear of it, just as long as it is asked.
    return { ...current, dueAt: now + (isTold === null ? LATER : DAY) };
  }

  /** Looks when the next is due, after this time in milliseconds at the earliest. */
  #setTimer(earliest: number): void {
    if (!this.#isOpen || this.#running) return;
    this.#cancelTimer();
    const { plans, sending, later } = this.#parts;
    const next = plans.nextDueAt();
    // With nothing planned, the next plan sets it.
    if (next === null) return;
    const wait = Math.max(earliest, Math.min(next - sending.now(), LOOK_AGAIN));
    this.#cancelTimer = later(wait, () => void this.tellDue());
  }

  #isAnyDue(): boolean {
    const { plans, sending } = this.#parts;
    return (plans.nextDueAt() ?? Number.POSITIVE_INFINITY) <= sending.now();
  }

  /** @returns whether a device of theirs has it now, as far as the relay says */
  #tell(address: string, after: number): Promise<boolean> {
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
