/**
 * People who write to each other, one by one and in a group, and read their messages during all faults: a call
 * without an answer is repeated, with the same bytes, at any replica.
 */
import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { API_PREFIX } from '../../../src/protocol/endpoints.ts';
import { envelopeId } from '../../../src/protocol/envelope-id.ts';
import type { Envelope } from '../../../src/protocol/schemas/envelopes.ts';
import { newPerson, type Person } from '../person.ts';
import { TestRoster } from '../relay-rosters.ts';
import type { Dice } from './dice.ts';
import type { Ledger } from './ledger.ts';
import type { Replicas } from './replicas.ts';

/** Of this number of messages, one goes to the whole group. */
const POST_EVERY = 4;
/** A pause after each message, and before a call is repeated, in milliseconds. */
const PAUSE = 80;
const AGAIN = 60;
/** Duration of a long poll, in seconds. */
const HOLD = 2;

/** The fault of an answer to a sent message; null for none. */
interface SendAnswer {
  code?: string;
  results?: { status: string }[];
}

export class Load {
  readonly #replicas: Replicas;
  readonly #ledger: Ledger;
  readonly #dice: Dice;
  #group: TestRoster | null = null;
  #people: Person[] = [];
  #isOver = false;
  #isAllSent = false;
  readonly #numbers = new Map<string, number>();

  constructor(replicas: Replicas, ledger: Ledger, dice: Dice) {
    this.#replicas = replicas;
    this.#ledger = ledger;
    this.#dice = dice;
  }

  async prepare(people: number): Promise<this> {
    for (let count = 0; count < people; count++) this.#people.push(await newPerson(this.#replicas));
    const [creator, ...others] = this.#people;
    if (creator) this.#group = await TestRoster.begin(creator, {}, others);
    return this;
  }

  /** The device of a person who reads only at the end: until then its queue is kept. */
  get away(): string {
    return this.#people.at(-1)?.device.id ?? '';
  }

  /** Writes and reads until {@link end}. */
  async run(): Promise<void> {
    const reading = Promise.all(this.#people.map((person) => this.#read(person)));
    await Promise.all(this.#people.map((person) => this.#write(person)));
    this.#isAllSent = true;
    await reading;
  }

  end(): void {
    this.#isOver = true;
  }

  /**
   * Sends one message to a person, until it is accepted.
   * @param first the replica that is called first @returns whether that one accepted it at once
   */
  async send(from: Person, to: Person, first = this.#replicas.any()): Promise<boolean> {
    const [envelope] = this.#envelopes(from, [to]);
    return this.#post(from, '/envelopes', envelope, [envelope], first);
  }

  async #write(person: Person): Promise<void> {
    const others = this.#people.filter((other) => other !== person);
    for (let count = 1; !this.#isOver; count++) {
      if (count % POST_EVERY === 0 && this.#group) {
        const copies = this.#envelopes(person, others);
        const envelopes = copies.map(({ asRequest: _, ...copy }) => copy);
        await this.#post(person, `/groups/${this.#group.id}/envelopes`, { envelopes }, copies);
      } else await this.send(person, this.#dice.choose(others));
      await delay(this.#dice.below(2 * PAUSE));
    }
  }

  /** Reads a person's messages until all were sent and the queue is empty. */
  async #read(person: Person): Promise<void> {
    for (;;) {
      const isLast = this.#isAllSent;
      if (!isLast && person === this.#people.at(-1)) {
        await delay(AGAIN);
        continue;
      }
      const page = await this.poll(person, isLast ? 0 : HOLD);
      if (page === null) await delay(AGAIN);
      else if (page.length === 0 && isLast) return;
    }
  }

  /** Takes a page of an inbox, and acknowledges it. @returns the ids; null if the call got no answer */
  async poll(person: Person, hold: number, at = this.#replicas.any()): Promise<string[] | null> {
    const { device, token } = person;
    const requestedAt = performance.now();
    const path = `${API_PREFIX}/inbox?device=${device.id}&wait=${hold}`;
    const response = await this.#replicas.at(at, path, { token });
    if (response === null) return null;
    const { envelopes, code } = (await response.json()) as { envelopes?: { id: string }[]; code?: string };
    if (!envelopes) {
      this.#ledger.fault('refused', `reading: ${code}`);
      return null;
    }
    const ids = envelopes.map(({ id }) => id);
    this.#ledger.show(device.id, ids, requestedAt);
    if (ids.length > 0) await this.#acknowledge(person, ids);
    return ids;
  }

  async #acknowledge({ device, token }: Person, ids: string[]): Promise<void> {
    const body = { device: device.id, ids };
    const response = await this.#replicas.fetch(`${API_PREFIX}/inbox/ack`, { method: 'POST', token, body });
    if (response.ok) this.#ledger.acknowledge(ids, performance.now());
    else this.#ledger.fault('refused', `acknowledging: ${await response.text()}`);
  }

  /**
   * One message, sealed for several people, recorded as pending. The relay cannot distinguish its random
   * bytes from sealed ones.
   */
  #envelopes(from: Person, to: readonly Person[]): [Envelope, ...Envelope[]] {
    const number = (this.#numbers.get(from.address) ?? 0) + 1;
    this.#numbers.set(from.address, number);
    return to.map((person) => {
      const nonce = randomBytes(12).toString('base64url');
      const envelope = { ...this.#template(from, person), nonce };
      const id = envelopeId(from.address, envelope);
      this.#ledger.sending(id, { device: person.device.id, sender: from.address, number });
      return envelope;
    }) as [Envelope, ...Envelope[]];
  }

  readonly #templates = new Map<string, Envelope>();

  #template(from: Person, to: Person): Envelope {
    const name = `${from.address} ${to.address}`;
    const envelope = this.#templates.get(name) ?? from.seal(to, to.device, 'a short message');
    this.#templates.set(name, envelope);
    return envelope;
  }

  async #post(
    from: Person,
    path: string,
    body: object,
    envelopes: readonly Envelope[],
    first = this.#replicas.any(),
  ): Promise<boolean> {
    for (let tries = 1, at = first; ; tries++, at = this.#replicas.any()) {
      const response = await this.#replicas.at(at, API_PREFIX + path, {
        method: 'POST',
        token: from.token,
        body,
      });
      const answer = response && ((await response.json()) as SendAnswer);
      if (answer && isTaken(response, answer)) {
        for (const envelope of envelopes) this.#ledger.accept(envelopeId(from.address, envelope));
        return tries === 1;
      }
      if (answer) this.#ledger.fault('refused', `sending: ${JSON.stringify(answer)}`);
      await delay(AGAIN / 2 + this.#dice.below(AGAIN));
    }
  }
}

function isTaken(response: Response, { results }: SendAnswer): boolean {
  return response.ok && (results ?? []).every(({ status }) => status !== 'rejected');
}
