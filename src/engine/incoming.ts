/**
 * From envelopes to messages. Each envelope ends in exactly one of:
 *   message     opened, its sender proven or allowed: stored
 *   refused     it lies or cannot be opened: noted in quarantine, never shown, never in the way of the inbox
 *   deferred    the directory could not be asked: stays at the relay and comes again
 * One at which the code itself fails comes again twice, in case the fault passes, and is then refused.
 * The first two are acknowledged after one transaction has made them durable.
 */
import type { Trust } from '../bridge/shapes.ts';
import { UnverifiableError } from '../client/errors.ts';
import { RelayRefusal, RelayUnreachable } from '../client/http.ts';
import { isMessage } from '../messaging/contents/registry.ts';
import { findRightsProblem } from '../messaging/contents/rights.ts';
import { findTimeProblem, retentionOf } from '../messaging/trust/replay.ts';
import { checkRoute, RefusedEnvelope } from '../messaging/trust/sender.ts';
import { native } from '../protocol/crypto/native.ts';
import { decodeBase64Url, decodeTime } from '../protocol/encoding.ts';
import { decodePayload, type GroupBody, PayloadError, type UnverifiedPayload } from '../protocol/payload.ts';
import { RecentMap } from '../protocol/recent-map.ts';
import type { InboxEnvelope } from '../protocol/schemas/inbox.ts';
import { type Arrival, Arrivals, proofOf, type TakenArrival } from './arrivals.ts';
import type { StoredGroup } from './cache/groups.ts';
import type { Refused } from './cache/quarantine.ts';
import type { Context } from './context.ts';
import type { DeliveryParts } from './delivery-parts.ts';
import type { Directory } from './directory.ts';
import type { GroupDirectory } from './groups.ts';
import type { Account } from './identity/account.ts';
import type { Opened } from './sealing/jobs.ts';
import type { Senders } from './senders.ts';

/** How often an envelope is judged at which the code fails. */
const MOST_TRIES = 3;
/** Such envelopes that are counted. */
const MOST_FAULTS = 1_000;

type Verdict =
  | { kind: 'accepted'; arrival: Arrival }
  | { kind: 'refused'; reason: string }
  | { kind: 'deferred' };

/** A page of the inbox: about what it is from, the relay is asked once. */
interface Page {
  /** When its judging began, in milliseconds since 1970: what was asked since is newer than all of it. */
  since: number;
  /** Senders who were asked for. */
  asked: Set<string>;
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
  readonly #account: Account;
  readonly #directory: Directory;
  readonly #groups: GroupDirectory;
  readonly #arrivals: Arrivals;
  readonly #senders: Senders;
  /** How often judging an envelope has failed for no reason that was foreseen. */
  readonly #faults = new RecentMap<string, number>(MOST_FAULTS);

  constructor({ context, account, directory, groups }: DeliveryParts, senders: Senders) {
    this.#senders = senders;
    this.#context = context;
    this.#account = account;
    this.#directory = directory;
    this.#groups = groups;
    this.#arrivals = new Arrivals(context, account.address);
  }

  /** Judges again what an earlier version did not understand. */
  judgeAgain(): void {
    this.#arrivals.judgeAgain();
  }

  /** Opens, judges and stores a page of the inbox. */
  async take(envelopes: InboxEnvelope[]): Promise<TakeOutcome> {
    const opened = await this.#open(envelopes);
    const verdicts: Verdict[] = [];
    const page: Page = { since: this.#context.now(), asked: new Set() };
    for (const [index, envelope] of envelopes.entries()) {
      verdicts.push(await this.#judge(envelope, opened[index] ?? null, page));
    }
    return this.#store(envelopes, verdicts);
  }

  async #open(envelopes: InboxEnvelope[]): Promise<Opened[]> {
    const keys = this.#context.identity.sealKeys();
    return this.#context.pool.open(
      envelopes.map((envelope) => ({
        route: { from: envelope.from, to: envelope.toAddress },
        asRequest: envelope.asRequest ?? false,
        copy: {
          ciphertext: decodeBase64Url(envelope.ciphertext),
          ephemeralPublicKey: decodeBase64Url(envelope.ephemeralPublicKey),
          nonce: decodeBase64Url(envelope.nonce),
        },
        // A copy that names no device was sealed to one of ours, and which one only trying tells.
        secrets: keys
          .filter(
            ({ statement }) =>
              envelope.recipientDeviceKey === undefined || statement.key === envelope.recipientDeviceKey,
          )
          .map(({ secret }) => secret),
      })),
    );
  }

  async #judge(envelope: InboxEnvelope, opened: Opened, page: Page): Promise<Verdict> {
    if (!opened) return { kind: 'refused', reason: 'cannot be opened' };
    try {
      const payload = decodePayload(native, opened.payload);
      checkRoute(envelope, payload, this.#account.address);
      const trust = await this.#senders.prove(envelope, payload, opened.header, page.asked);
      return { kind: 'accepted', arrival: await this.#arrivalOf(envelope, payload, trust, page.since) };
    } catch (error) {
      if (error instanceof RefusedEnvelope || error instanceof UnverifiableError)
        return { kind: 'refused', reason: error.message };
      if (error instanceof PayloadError) return { kind: 'refused', reason: `payload: ${error.message}` };
      if (error instanceof RelayUnreachable || error instanceof RelayRefusal) return { kind: 'deferred' };
      return this.#fault(envelope.id, error);
    }
  }

  /**
   * What a proven body is: its kind and fields, its sender's rights, its times, in this order.
   * @throws RefusedEnvelope, RelayUnreachable, RelayRefusal
   */
  async #arrivalOf(
    envelope: InboxEnvelope,
    payload: UnverifiedPayload,
    trust: Trust,
    since: number,
  ): Promise<Arrival> {
    const { channel, body } = payload;
    const group = channel === 'group' ? await this.#groupOf(body, trust, since) : null;
    const judged = this.#context.contents.judge(channel, body);
    const creator = group?.creator ?? null;
    const times = {
      sentAt: decodeTime(body.sentAt),
      receivedAt: decodeTime(envelope.receivedAt),
      now: this.#context.now(),
    };
    const problem =
      findRightsProblem({ proof: proofOf(trust), channel, sender: body.sender, creator }, body) ??
      findTimeProblem(times, retentionOf(this.#context.identity.retention()));
    if (problem !== null) throw new RefusedEnvelope(problem);
    if (group && channel === 'group') return { channel, body, trust, judged, group };
    if (channel !== 'direct') throw new Error('a group message without its group');
    if (isMessage(judged)) await this.#meet(body.peer);
    return { channel, body, trust, judged };
  }

  /** Fetches a partner to whom only another own device has written so far, so that their name is known here too. */
  async #meet(peer: string): Promise<void> {
    if (peer === this.#account.address || this.#context.contacts.find(peer)) return;
    try {
      await this.#directory.contact(peer);
    } catch (error) {
      if (!(error instanceof UnverifiableError)) throw error;
    }
  }

  /** A fault of ours: one envelope must not keep all others waiting for ever. */
  #fault(id: string, error: unknown): Verdict {
    const tries = (this.#faults.get(id) ?? 0) + 1;
    this.#faults.set(id, tries);
    if (tries < MOST_TRIES) return { kind: 'deferred' };
    this.#faults.delete(id);
    return {
      kind: 'refused',
      reason: `failed ${tries} times: ${error instanceof Error ? error.message : error}`,
    };
  }

  /**
   * The group that a message is for: one that the person is in, and that its sender is or was in.
   * @throws RefusedEnvelope, RelayUnreachable
   */
  async #groupOf(body: GroupBody, trust: Trust, since: number): Promise<StoredGroup> {
    try {
      const { group } = await this.#groups.conversation(body.groupId);
      const before = group.members;
      // Of what nobody signed the list of members can only warn, of a relay that shows a bot another group.
      const [sentAt, isOwn] = [decodeTime(body.sentAt), trust === 'self'];
      await this.#groups.compareMembers(group, body.members, sentAt, isOwn, this.#context.now() - since);
      let current = this.#context.groups.get(group.id) ?? group;
      if (!before.includes(body.sender) && !current.members.includes(body.sender)) {
        ({ group: current } = await this.#groups.known(body.groupId, this.#context.now() - since));
        if (!current.members.includes(body.sender))
          throw new RefusedEnvelope('its sender is not in the group');
      }
      return current;
    } catch (error) {
      // Left meanwhile, or never a member of it: nothing of it is shown.
      if (error instanceof RelayRefusal && !error.temporary)
        throw new RefusedEnvelope('not a group of this person');
      throw error;
    }
  }

  #store(envelopes: InboxEnvelope[], verdicts: Verdict[]): TakeOutcome {
    const { quarantine, strangers, now, transaction } = this.#context;
    const done: string[] = [];
    const refused: Refused[] = [];
    const taken: TakenArrival[] = [];
    const gone = transaction(() => {
      for (const [index, envelope] of envelopes.entries()) {
        const verdict = verdicts[index];
        if (!verdict || verdict.kind === 'deferred') continue;
        const { id: envelopeId, from: sender, ciphertext } = envelope;
        done.push(envelopeId);
        const reason =
          verdict.kind === 'refused' ? verdict.reason : this.#arrivals.findProblem(verdict.arrival);
        if (reason !== null) refused.push({ envelopeId, sender, size: ciphertext.length, reason });
        else if (verdict.kind === 'accepted') taken.push(this.#arrivals.take(verdict.arrival));
      }
      if (refused.length > 0) quarantine.add(refused, now());
      return strangers.prune();
    });
    this.#arrivals.tell(taken, gone);
    const fresh = taken.filter(({ stored }) => stored !== null).length;
    return { done, fresh, deferred: verdicts.length - done.length };
  }
}
