/**
 * From envelopes to messages (src/messaging/receiving): what is accepted is stored, what is refused is noted, and both
 * are acknowledged after one transaction has made them durable.
 */

import { UnverifiableError } from '../base/failure.ts';
import type { Trust } from '../bridge/shapes.ts';
import type { Registration } from '../client/identity/registration.ts';
import { isMessage } from '../messaging/contents/all-kinds.ts';
import type { SenderProof } from '../messaging/contents/rights.ts';
import type { Greetings } from '../messaging/greeting/greetings.ts';
import type { Arrival as ProvenArrival, Verdict } from '../messaging/receiving/arrival.ts';
import { Inbox } from '../messaging/receiving/inbox.ts';
import { RefusedEnvelope } from '../messaging/receiving/refused-envelope.ts';
import { RelayRefusal, RelayUnreachable } from '../messaging/relay.ts';
import type { InboxEnvelope } from '../protocol/schemas/inbox.ts';
import { type Arrival, Arrivals, type TakenArrival } from './arrivals.ts';
import { isCacheFault } from './cache/database.ts';
import type { StoredGroup } from './cache/groups.ts';
import type { Refused } from './cache/quarantine.ts';
import type { Context } from './context.ts';
import type { DeliveryParts } from './delivery-parts.ts';
import type { Directory } from './directory.ts';

type NotAccepted = Exclude<Verdict<StoredGroup>, { kind: 'accepted' }>;
type Judged = NotAccepted | { kind: 'accepted'; arrival: Arrival };

export interface TakeOutcome {
  /** Ids that are durable here and may be acknowledged. */
  done: string[];
  /** How many brought a message that was not here before, and that is shown. */
  fresh: number;
  /** How many have to come again. */
  deferred: number;
}

export class Incoming {
  readonly #context: Context;
  readonly #own: string;
  readonly #directory: Directory;
  readonly #arrivals: Arrivals;
  readonly #inbox: Inbox<StoredGroup>;

  constructor(parts: DeliveryParts, greetings: Greetings, registration: Registration) {
    const { context, account, directory, groups } = parts;
    const { contents, identity, now, pool } = context;
    this.#context = context;
    this.#own = account.address;
    this.#directory = directory;
    this.#arrivals = new Arrivals(context, account.address);
    this.#inbox = new Inbox({
      address: account.address,
      sealKeys: () => identity.sealKeys().map(({ statement, secret }) => ({ key: statement.key, secret })),
      open: (jobs) => pool.open(jobs),
      directory: directory.keys,
      groups,
      contents,
      retention: () => identity.retention(),
      now,
      ownSequence: () => identity.newestList()?.sequence ?? 0,
      onNewerOwnList: () => registration.recheck(),
      onBehind: (sender, sequence, group) => greetings.isBehind(sender, sequence, group),
    });
  }

  /** Judges again what an earlier version did not understand. */
  judgeAgain(): void {
    this.#arrivals.judgeAgain();
  }

  /** Opens, judges and stores a page of the inbox. */
  async take(envelopes: InboxEnvelope[]): Promise<TakeOutcome> {
    const verdicts: Judged[] = [];
    for await (const { verdict } of this.#inbox.judge(envelopes)) {
      verdicts.push(verdict.kind === 'accepted' ? await this.#met(verdict.arrival) : verdict);
    }
    return this.#store(envelopes, verdicts);
  }

  /** Asks for a partner to whom only another own device has written so far, so that their name is known here too. */
  async #met(proven: ProvenArrival<StoredGroup>): Promise<Judged> {
    const arrival = this.#arrivalOf(proven);
    if (arrival.channel === 'direct' && isMessage(arrival.judged)) {
      const { peer } = arrival.body;
      const isKnown = peer === this.#own || this.#context.contacts.find(peer) !== null;
      try {
        if (!isKnown) await this.#directory.contact(peer);
      } catch (error) {
        if (error instanceof RelayUnreachable || error instanceof RelayRefusal)
          return { kind: 'later', error };
        if (!(error instanceof UnverifiableError)) throw error;
      }
    }
    return { kind: 'accepted', arrival };
  }

  #arrivalOf(proven: ProvenArrival<StoredGroup>): Arrival {
    const { judged, proof } = proven;
    const trust = trustIn(proof, proven.body.sender === this.#own);
    if (proven.channel === 'direct') return { channel: 'direct', body: proven.body, trust, judged };
    return { channel: 'group', body: proven.body, trust, judged, group: proven.group };
  }

  #store(envelopes: InboxEnvelope[], verdicts: Judged[]): TakeOutcome {
    const { quarantine, strangers, now, transaction } = this.#context;
    const done: string[] = [];
    const refused: Refused[] = [];
    const taken: TakenArrival[] = [];
    const gone = transaction(() => {
      for (const [index, envelope] of envelopes.entries()) {
        const verdict = verdicts[index];
        const outcome = verdict?.kind === 'accepted' ? this.#take(envelope.id, verdict.arrival) : verdict;
        if (!outcome || outcome.kind === 'later') continue;
        const { id: envelopeId, from: sender, ciphertext } = envelope;
        done.push(envelopeId);
        if (outcome.kind === 'taken') taken.push(outcome.taken);
        else refused.push({ envelopeId, sender, size: ciphertext.length, why: outcome.error.data });
      }
      if (refused.length > 0) quarantine.add(refused, now());
      return strangers.prune();
    });
    this.#arrivals.tell(taken, gone);
    const fresh = taken.filter(({ stored }) => stored !== null).length;
    return { done, fresh, deferred: verdicts.length - done.length };
  }

  /** Takes one content, in the caller's transaction. A fault of ours at it undoes nothing but itself. */
  #take(envelopeId: string, arrival: Arrival): NotAccepted | { kind: 'taken'; taken: TakenArrival } {
    try {
      const problem = this.#arrivals.findProblem(arrival);
      if (problem !== null) return { kind: 'refused', error: new RefusedEnvelope(problem) };
      return { kind: 'taken', taken: this.#context.transaction(() => this.#arrivals.take(arrival)) };
    } catch (error) {
      if (isCacheFault(error)) throw error;
      return this.#inbox.fault(envelopeId, error);
    }
  }
}

function trustIn(proof: SenderProof, isOwn: boolean): Trust {
  if (proof !== 'signed') return proof === 'bots' ? 'bot' : 'api';
  return isOwn ? 'self' : 'verified';
}
