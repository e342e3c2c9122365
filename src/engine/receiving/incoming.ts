/**
 * From envelopes to messages (src/messaging/receiving): what is accepted is stored, what is refused is noted, and both
 * are acknowledged after one transaction has made them durable.
 */

import { UnverifiableError } from '../../base/failure.ts';
import type { Registration } from '../../client/identity/registration.ts';
import { isMessage } from '../../messaging/contents/all-kinds.ts';
import type { Gaps } from '../../messaging/gaps/gaps.ts';
import type { Greetings } from '../../messaging/greeting/greetings.ts';
import { HELD_FOR } from '../../messaging/groups/directory.ts';
import type { Receipts } from '../../messaging/receipts/receipts.ts';
import type { Arrival as ProvenArrival, Verdict } from '../../messaging/receiving/arrival.ts';
import { Inbox } from '../../messaging/receiving/inbox.ts';
import { RefusedEnvelope } from '../../messaging/receiving/refused-envelope.ts';
import { RelayRefusal, RelayUnreachable } from '../../messaging/relay.ts';
import { decodeTime } from '../../protocol/encoding.ts';
import type { GroupVoice } from '../../protocol/roster/messages.ts';
import type { InboxEnvelope } from '../../protocol/schemas/inbox.ts';
import { isCacheFault } from '../cache/database.ts';
import type { StoredGroup } from '../cache/groups.ts';
import type { Refused } from '../cache/quarantine.ts';
import type { Context } from '../context.ts';
import { conversationNamed } from '../conversation-names.ts';
import type { Directory } from '../directory.ts';
import type { AppGroups } from '../groups.ts';
import type { DeliveryParts } from '../sending/delivery-parts.ts';
import { type Arrival, provenanceOf, type TakenArrival, trustIn } from './arrival.ts';
import { Arrivals } from './arrivals.ts';

type NotAccepted = Exclude<Verdict<StoredGroup>, { kind: 'accepted' | 'held' }>;
type Judged = Exclude<Verdict<StoredGroup>, { kind: 'accepted' }> | Accepted;

interface Accepted {
  kind: 'accepted';
  proven: ProvenArrival<StoredGroup>;
  arrival: Arrival;
}

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
  readonly #groups: AppGroups;
  readonly #gaps: Gaps;
  readonly #receipts: Receipts;
  /** Groups whose chain has gone on since what is held of them was judged. */
  readonly #changed = new Set<number>();

  constructor(
    parts: DeliveryParts,
    greetings: Greetings,
    registration: Registration,
    gaps: Gaps,
    receipts: Receipts,
  ) {
    const { context, account, directory, groups } = parts;
    const { contents, identity, now, pool } = context;
    this.#context = context;
    this.#own = account.address;
    this.#directory = directory;
    this.#groups = groups;
    this.#gaps = gaps;
    this.#receipts = receipts;
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
      lastEnd: () => identity.lastEnd(),
      wasAskedFor: (message) => gaps.wasAskedFor(message),
      ownSequence: () => identity.newestList()?.sequence ?? 0,
      onNewerOwnList: () => registration.recheck(),
      onBehind: (sender, sequence, group) => greetings.isBehind(sender, sequence, group),
    });
  }

  /** Judges again what an earlier version did not understand, and what was held before the app was closed. */
  judgeAgain(): void {
    this.#arrivals.judgeAgain();
    for (const { id } of this.#context.groups.joined()) this.groupChanged(id);
    this.#release();
  }

  /** The chain of a group has gone on: what waits for that may be judged. */
  groupChanged(id: number): void {
    this.#changed.add(id);
  }

  /** Takes messages that were held, where what they name is known by now or they have waited for long enough. */
  #release(): void {
    const { groups, now, transaction } = this.#context;
    const overdue = new Set(groups.withOverdue(now() - HELD_FOR));
    const changed = new Set([...this.#changed, ...overdue]);
    this.#changed.clear();
    const taken = transaction(() => [...changed].flatMap((id) => this.#releaseOf(id, !overdue.has(id))));
    this.#arrivals.tell(taken, []);
  }

  #releaseOf(id: number, mayWait: boolean): TakenArrival[] {
    const { groups } = this.#context;
    const group = groups.get(id);
    if (!group) return [];
    return groups.held(id).flatMap((held) => {
      const { id: heldId, body, bot: signer, proof, askedFor, receivedAt } = held;
      const { sender, roster } = body;
      const voice: GroupVoice =
        signer && 'key' in signer
          ? { by: 'bot', isOf: (key) => key === signer.key }
          : { by: proof === 'token' ? 'token' : 'member' };
      const message = { sender, voice, roster, sentAt: decodeTime(body.sentAt), receivedAt, askedFor };
      const heard = this.#groups.judgeHeld(group, message, mayWait);
      if (heard.is === 'held') return [];
      groups.release(heldId);
      const arrival = heard.is === 'shown' ? this.#arrivals.ofHeld(held, group, heard) : null;
      if (!arrival) return [];
      const taken = this.#arrivals.take(arrival);
      if (taken.stored) this.#receipts.came({ ...held, channel: 'group' });
      return [taken];
    });
  }

  /** Opens, judges and stores a page of the inbox. */
  async take(envelopes: InboxEnvelope[]): Promise<TakeOutcome> {
    const verdicts: Judged[] = [];
    for await (const { verdict } of this.#inbox.judge(envelopes)) {
      verdicts.push(verdict.kind === 'accepted' ? await this.#met(verdict.arrival) : verdict);
    }
    const outcome = this.#store(envelopes, verdicts);
    this.#release();
    return outcome;
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
    return { kind: 'accepted', proven, arrival };
  }

  #arrivalOf(proven: ProvenArrival<StoredGroup>): Arrival {
    const { judged, proof } = proven;
    const trust = trustIn(proof, proven.body.sender === this.#own);
    const provenance = provenanceOf(proven);
    if (proven.channel === 'direct')
      return { ...provenance, channel: 'direct', body: proven.body, trust, judged };
    const { body, group, notes, bot, manages } = proven;
    return { ...provenance, channel: 'group', body, trust, judged, group, notes, bot, manages };
  }

  #store(envelopes: InboxEnvelope[], verdicts: Judged[]): TakeOutcome {
    const { quarantine, strangers, now, transaction } = this.#context;
    const done: string[] = [];
    const refused: Refused[] = [];
    const taken: TakenArrival[] = [];
    const gone = transaction(() => {
      for (const [index, envelope] of envelopes.entries()) {
        const verdict = verdicts[index];
        const outcome = verdict?.kind === 'accepted' ? this.#take(envelope.id, verdict) : verdict;
        if (!outcome || outcome.kind === 'later') continue;
        if (outcome.kind === 'held') {
          const { held } = outcome;
          this.#context.groups.hold(held.group.id, held);
          this.#gaps.took({ ...held, channel: 'group' });
          done.push(envelope.id);
          continue;
        }
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
  #take(
    envelopeId: string,
    { proven, arrival }: Accepted,
  ): NotAccepted | { kind: 'taken'; taken: TakenArrival } {
    try {
      const problem = this.#arrivals.findProblem(arrival);
      if (problem !== null) return { kind: 'refused', error: new RefusedEnvelope(problem) };
      const taken = this.#context.transaction(() => {
        const outcome = this.#arrivals.take({ ...arrival, isLate: this.#gaps.wasMissing(proven) });
        // After it: a first message begins the chat in which its sender's numbers are followed.
        this.#gaps.took(proven);
        if (outcome.stored) this.#receipts.came(proven);
        const told = proven.proof === 'signed' ? this.#receipts.heard(proven) : null;
        const chat = told === null ? null : conversationNamed(this.#context, told);
        return { ...outcome, changed: outcome.changed ?? chat?.id ?? null };
      });
      return { kind: 'taken', taken };
    } catch (error) {
      if (isCacheFault(error)) throw error;
      return this.#inbox.fault(envelopeId, error);
    }
  }
}
