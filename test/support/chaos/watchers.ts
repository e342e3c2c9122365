/**
 * Two checks beside the load: whether a revoked credential is still accepted, and whether
 * replicas wake each other.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { API_PREFIX } from '../../../src/protocol/endpoints.ts';
import { newPerson, Person } from '../person.ts';
import type { Dice } from './dice.ts';
import type { Ledger } from './ledger.ts';
import type { Load } from './load.ts';
import type { Replicas } from './replicas.ts';

/** A pause between calls with revoked credentials, and the number of the newest that are tried. */
const PROBE_PAUSE = 100;
const PROBED = 6;
/** A pause before the next credential is revoked, in milliseconds. */
const REVOKE_PAUSE = 600;
/** The time between a poll and the envelope for it. If it is too short, the measured wake-up is only faster. */
const HELD_BEFORE = 120;
const HOLD = 10;

interface Revoked {
  token: string;
  /** Time of the answer. */
  at: number;
}

export class Watchers {
  readonly #replicas: Replicas;
  readonly #ledger: Ledger;
  readonly #dice: Dice;
  readonly #revoked: Revoked[] = [];
  /** The sender and the recipient. */
  readonly #pair: Person[] = [];
  #isOver = false;

  constructor(replicas: Replicas, ledger: Ledger, dice: Dice) {
    this.#replicas = replicas;
    this.#ledger = ledger;
    this.#dice = dice;
  }

  /** Opens accounts, while nothing breaks: a login whose answer was lost cannot be made again. */
  async prepare(): Promise<this> {
    this.#pair.push(await newPerson(this.#replicas), await newPerson(this.#replicas));
    return this;
  }

  /** Watches until {@link end}. */
  async run(load: Load): Promise<void> {
    await Promise.all([this.#revoke(), this.#probe(), this.#listen(load)]);
  }

  end(): void {
    this.#isOver = true;
  }

  /** Number of credentials that were certainly revoked. */
  get revoked(): number {
    return this.#revoked.length;
  }

  async #revoke(): Promise<void> {
    while (!this.#isOver) {
      const token = await this.#newSession();
      if (token === null) continue;
      // Each replica has looked it up, and may cache it.
      for (const index of this.#replicas.alive) await this.#isAdmitted(index, token);
      const path = `${API_PREFIX}/auth/session`;
      const answer = await this.#replicas.at(this.#replicas.any(), path, { method: 'DELETE', token });
      // Without an answer, the revocation was not confirmed.
      if (answer?.status === 204) this.#revoked.push({ token, at: performance.now() });
      await delay(REVOKE_PAUSE);
    }
  }

  /** Token of a new account's session. Null if the login was cut off: its challenge is used up. */
  async #newSession(): Promise<string | null> {
    const person = new Person(this.#replicas);
    return person.login().then(
      () => person.token,
      () => null,
    );
  }

  async #probe(): Promise<void> {
    while (!this.#isOver) {
      await delay(PROBE_PAUSE);
      const [revoked] = this.#dice.shuffle(this.#revoked.slice(-PROBED));
      if (!revoked) continue;
      const after = performance.now() - revoked.at;
      const isAdmitted = await this.#isAdmitted(this.#replicas.any(), revoked.token);
      if (isAdmitted !== null) this.#ledger.probe(after, isAdmitted);
    }
  }

  /** Null without an answer. */
  async #isAdmitted(index: number, token: string): Promise<boolean | null> {
    const answer = await this.#replicas.at(index, `${API_PREFIX}/me`, { token });
    return answer === null ? null : answer.ok;
  }

  /** Opens a poll at one replica, and sends an envelope for it through that one or another. */
  async #listen(load: Load): Promise<void> {
    const [from, to] = this.#pair;
    while (from && to && !this.#isOver) {
      const [at = 0, other = 0] = this.#dice.shuffle(this.#replicas.alive);
      const through = this.#dice.choose([at, other]);
      const taking = load.poll(to, HOLD, at).then((ids) => ({ ids, at: performance.now() }));
      await delay(HELD_BEFORE);
      const sweeps = this.#replicas.sweeps(at);
      const sentAt = performance.now();
      const isAtOnce = await load.send(from, to, through);
      const received = await taking;
      const wasReceived = received.ids?.length === 1 && received.at > sentAt;
      if (isAtOnce && wasReceived) {
        const isSwept = this.#replicas.sweeps(at) > sweeps;
        this.#ledger.wake(through === at ? 'same' : 'other', received.at - sentAt, isSwept);
      } else while ((await load.poll(to, 0))?.length !== 0) await delay(PROBE_PAUSE);
    }
  }
}
