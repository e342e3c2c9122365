/**
 * Judges envelopes: opens them, proves their senders, and returns a verdict (docs/protocol.md, 'Steps
 * of a recipient'). The caller stores the results and detects duplicates.
 */

import { describe } from '../../base/error-facts.ts';
import { UnverifiableError } from '../../base/failure.ts';
import { logUnexpected } from '../../base/log.ts';
import { isOfBot } from '../../protocol/bots.ts';
import { BoundedMap } from '../../protocol/bounded-map.ts';
import { decodeBase64Url, decodeTime } from '../../protocol/encoding.ts';
import { suiteOf } from '../../protocol/envelope-form.ts';
import {
  decodePayload,
  type GroupBody,
  PayloadError,
  type UnverifiedPayload,
} from '../../protocol/payload.ts';
import type { GroupAuthorship, GroupRefusal } from '../../protocol/roster/messages.ts';
import type { InboxEnvelope } from '../../protocol/schemas/inbox.ts';
import { evidenceIn, groupEvidenceIn } from '../contents/kinds/hello.ts';
import { findUnsignedProblem, type SenderProof } from '../contents/rights.ts';
import { RelayRefusal, RelayUnreachable } from '../relay.ts';
import type { KeyDirectory } from '../trust/directory.ts';
import { countedReceivedAt, QueueEnds } from '../trust/received-at.ts';
import { findTimeProblem, retentionOf, type TimeProblem } from '../trust/replay.ts';
import type { ChainGroup, GroupVerdict } from './group-verdict.ts';
import type { Opened, OpenedCopy, OpenJob } from './open.ts';
import { judgeContent, type Provenance, type Received } from './received.ts';
import { RefusedEnvelope, refusedFrom } from './refused-envelope.ts';
import { checkRoute, isSettledBy, proveSender, tokenBotOf, tokenProofOf } from './sender.ts';
import type { InboxParts, PendingMessage, Verdict } from './verdict.ts';

/** Number of attempts for an envelope that causes a fault of this program. */
const MAX_TRIES = 3;
/** Number of such envelopes that are counted. */
const MAX_FAULTS = 1_000;
/** Envelopes that are opened in one job. */
const OPENED_TOGETHER = 32;
/** Shortest interval between requests for the own list because of statements of others, in milliseconds. */
const ASK_OWN_EVERY = 10 * 60_000;

/** A payload before its sender is proven. */
interface Unproven extends Pick<OpenedCopy, 'header' | 'verifiedKey'> {
  envelope: InboxEnvelope;
  payload: UnverifiedPayload;
}

/** The end of judging for a message that waits for its group's chain. */
class Pending<G extends ChainGroup> {
  readonly message: PendingMessage<G>;

  constructor(message: PendingMessage<G>) {
    this.message = message;
  }
}

/** A page of the inbox: the relay is asked once per page about the same thing. */
interface Page {
  /** Start of its judging, in milliseconds since 1970: later answers are newer than the whole page. */
  since: number;
  /** Senders already fetched. */
  requested: Set<string>;
  /** Time at which the current envelope counts as received, in milliseconds since 1970. */
  receivedAt: number;
}

export class Inbox<G extends ChainGroup> {
  readonly #parts: InboxParts<G>;
  /** Number of unexpected failures by envelope. */
  readonly #faults = new BoundedMap<string, number>(MAX_FAULTS);
  readonly #ends = new QueueEnds();
  #requestedOwnAt = 0;

  constructor(parts: InboxParts<G>) {
    this.#parts = parts;
  }

  /** Judges the envelopes of a page, one at a time. Never fails because of an envelope. */
  async *judge(
    envelopes: readonly InboxEnvelope[],
  ): AsyncGenerator<{ envelope: InboxEnvelope; verdict: Verdict<G> }, void> {
    const page: Page = { since: this.#parts.now(), requested: new Set(), receivedAt: 0 };
    for (const slice of this.#open(envelopes)) {
      const opened = await slice.opened;
      for (const [index, envelope] of slice.envelopes.entries()) {
        page.receivedAt = this.#receivedAt(envelope, page);
        yield { envelope, verdict: await this.#verdict(envelope, opened[index] ?? null, page) };
      }
    }
  }

  /** Opens all at once, so that another thread opens the later ones while the first ones are judged. */
  #open(
    envelopes: readonly InboxEnvelope[],
  ): { envelopes: readonly InboxEnvelope[]; opened: Promise<Opened[]> }[] {
    const { directory, sealKeys } = this.#parts;
    const keys = sealKeys();
    const senders = new Set(envelopes.map(({ from }) => from));
    const devices = new Map([...senders].map((sender) => [sender, signingDevices(directory, sender)]));
    return Array.from({ length: Math.ceil(envelopes.length / OPENED_TOGETHER) }, (_, index) => {
      const slice = envelopes.slice(index * OPENED_TOGETHER, (index + 1) * OPENED_TOGETHER);
      const opened = this.#parts.open(
        slice.map((envelope) => jobOf(envelope, keys, devices.get(envelope.from) ?? [])),
      );
      // The error is thrown where the promise is awaited.
      opened.catch(() => undefined);
      return { envelopes: slice, opened };
    });
  }

  /** Time at which an envelope counts as received: a relay cannot date it back to before a removal. */
  #receivedAt({ receivedAt }: InboxEnvelope, { receivedAt: previous }: Page): number {
    const { lastEnd, now } = this.#parts;
    return countedReceivedAt(decodeTime(receivedAt), {
      previous: previous || null,
      lastEnd: this.#ends.counted(lastEnd(), now()),
      now: now(),
    });
  }

  async #verdict(envelope: InboxEnvelope, opened: Opened, page: Page): Promise<Verdict<G>> {
    if (!opened) return { kind: 'refused', error: new RefusedEnvelope('cannot_be_opened') };
    try {
      const payload = decodePayload(opened.payload);
      checkRoute(envelope, payload, this.#parts.address);
      const { header, verifiedKey } = opened;
      const unproven = { envelope, header, payload, verifiedKey };
      const proof = await this.#prove(unproven, page);
      const received = await this.#receive(unproven, proof, page);
      return received instanceof Pending
        ? { kind: 'pending', pending: received.message }
        : { kind: 'accepted', received, header };
    } catch (error) {
      if (error instanceof RefusedEnvelope) return { kind: 'refused', error };
      if (error instanceof UnverifiableError) return { kind: 'refused', error: refusedFrom(error) };
      if (error instanceof PayloadError)
        return { kind: 'refused', error: new RefusedEnvelope('payload', { fault: error.fault }) };
      if (error instanceof RelayUnreachable || error instanceof RelayRefusal) return { kind: 'later', error };
      return this.fault(envelope.id, error);
    }
  }

  /**
   * Verdict on an envelope that causes a fault of this program: it is delivered again, but must not block all
   * others permanently.
   */
  fault(id: string, error: unknown): Exclude<Verdict<G>, { kind: 'accepted' | 'pending' }> {
    const tries = (this.#faults.get(id) ?? 0) + 1;
    this.#faults.set(id, tries);
    if (tries < MAX_TRIES) return { kind: 'later', error: null };
    this.#faults.delete(id);
    return {
      kind: 'refused',
      error: new RefusedEnvelope('unexpected', { id: logUnexpected(describe(error)) }),
    };
  }

  /**
   * Proves the sender by the list that their wallet signed. The list is fetched again if the known one does
   * not decide. It also records signed statements about newer lists.
   * @throws RefusedEnvelope if nothing allows the message; RelayRefusal, RelayUnreachable
   */
  async #prove(
    { envelope, header, payload, verifiedKey }: Unproven,
    { requested, receivedAt }: Page,
  ): Promise<SenderProof> {
    const { directory } = this.#parts;
    const byToken = tokenProofOf(envelope, payload);
    if (byToken !== null) return byToken;
    const { from } = envelope;
    const { deviceId, body } = payload;
    // Before the sender is proven: a device hidden by a relay proves itself with its attached lists.
    if (deviceId !== null) directory.addEvidence(from, evidenceIn(body));
    const refreshOnce = async () => {
      if (requested.has(from)) return;
      requested.add(from);
      await directory.refresh(from);
    };
    const known = directory.pinned(from);
    const isSettled = isSettledBy(known, payload, header);
    if (!isSettled) await refreshOnce();
    const list = isSettled ? known : directory.pinned(from);
    const proof = proveSender(list, payload, verifiedKey, receivedAt);
    if (deviceId !== null && body.list && directory.claim(from, deviceId, body.list)) await refreshOnce();
    return proof;
  }

  /**
   * Judges a proven body: its group, its sender's rights, its times, then its kind and fields.
   * @throws RefusedEnvelope, RelayUnreachable, RelayRefusal, UnverifiableError
   */
  async #receive(unproven: Unproven, proof: SenderProof, page: Page): Promise<Received<G> | Pending<G>> {
    const { envelope, payload } = unproven;
    const { contents } = this.#parts;
    const { channel, deviceId, digest, body } = payload;
    const sentAt = decodeTime(body.sentAt);
    const isOwn = proof === 'signed' && body.sender === this.#parts.address;
    if (proof === 'signed') await this.#receiveGroupHello(payload);
    const isRequested = proof === 'signed' && (this.#parts.wasRequested?.(payload) ?? false);
    const verdict =
      channel === 'group' ? await this.#judgeInGroup(body, { payload, proof, isRequested }, page) : null;
    if (proof === 'signed') this.#compareOwnList(unproven, isOwn, verdict?.group ?? null);
    const problem =
      findUnsignedProblem({ proof, channel }, body) ?? this.#findTimeProblem(body.sender, sentAt);
    if (problem !== null) throw new RefusedEnvelope(problem);
    const suite = suiteOf(envelope);
    const provenance: Provenance = { deviceId, digest, receivedAt: page.receivedAt, isRequested, suite };
    if (verdict && channel === 'group') {
      const bot = proof === 'token' ? tokenBotOf(envelope) : verdict.bot;
      if (verdict.is === 'pending') {
        return new Pending({ ...provenance, body, proof, bot, group: verdict.group });
      }
      const { unaware, isBeyond, manages, group } = verdict;
      const notes = { unaware, isBeyond };
      return judgeContent(contents, { ...provenance, proof, channel, body, group, notes, bot, manages });
    }
    if (channel !== 'direct') throw new Error('a group message without its group');
    return judgeContent(contents, { ...provenance, proof, channel, body });
  }

  #findTimeProblem(sender: string, sentAt: number): TimeProblem | 'older_than_remembered' | null {
    const { mayBeForgotten, now, retention } = this.#parts;
    const problem = findTimeProblem({ sentAt, now: now() }, retentionOf(retention()));
    if (problem !== null) return problem;
    const isForgotten = mayBeForgotten?.(sender, sentAt) ?? false;
    return isForgotten ? 'older_than_remembered' : null;
  }

  /**
   * The verdict on a message by the entry of its group's chain that it names.
   * @throws RefusedEnvelope, RelayUnreachable, RelayRefusal, UnverifiableError
   */
  async #judgeInGroup(
    body: GroupBody,
    { payload, proof, isRequested }: { payload: UnverifiedPayload; proof: SenderProof; isRequested: boolean },
    page: Page,
  ): Promise<Exclude<GroupVerdict<G>, { is: 'refused' }>> {
    const { groups, now } = this.#parts;
    const { groupId, sender, roster } = body;
    const verdict = await inGroup(
      groups.judgeMessage({
        groupId,
        sender,
        authorship: authorshipOf(proof, payload),
        roster,
        sentAt: decodeTime(body.sentAt),
        receivedAt: page.receivedAt,
        isRequested,
        isSigned: proof === 'signed' || proof === 'bot',
        freshFor: now() - page.since,
      }),
    );
    if (verdict.is === 'refused') throw new RefusedEnvelope(GROUP_REFUSALS[verdict.why]);
    return verdict;
  }

  /** A `hello` about a group counts before the group is read: it may contain the missing entry. */
  async #receiveGroupHello({ channel, body }: Unproven['payload']): Promise<void> {
    const talk = groupEvidenceIn(body, channel === 'group' ? body.groupId : null);
    if (talk) await inGroup(this.#parts.groups.receiveHello(body.sender, talk));
  }

  /** Compares the own list named by the sender, or by an own device, with the newest here. */
  #compareOwnList({ envelope, header, payload }: Unproven, isOwn: boolean, group: G | null): void {
    const { now, ownSequence, onNewerOwnList, onBehind } = this.#parts;
    const named = isOwn ? (payload.body.list?.sequence ?? 0) : header.recipientListSequence;
    if (named > ownSequence()) {
      if (now() - this.#requestedOwnAt < ASK_OWN_EVERY) return;
      this.#requestedOwnAt = now();
      onNewerOwnList();
    } else if (!isOwn) onBehind?.(envelope.from, named, group);
  }
}

const GROUP_REFUSALS = {
  not_a_member: 'sender_not_in_group',
  not_by_the_creator: 'token_not_of_creator',
  unsigned_bots: 'token_unsigned',
  unknown_bot: 'bot_unknown',
} as const satisfies Record<GroupRefusal, string>;

function authorshipOf(proof: SenderProof, payload: UnverifiedPayload): GroupAuthorship {
  if (proof === 'bot') return { by: 'bot', isOf: (key) => isOfBot(payload, key) };
  return { by: proof === 'token' ? 'token' : 'member' };
}

/**
 * Left meanwhile, or never a member: nothing of it is shown.
 * @throws RefusedEnvelope, and the errors of the call
 */
async function inGroup<T>(call: Promise<T>): Promise<T> {
  try {
    return await call;
  } catch (error) {
    const isOver = error instanceof RelayRefusal && ['not_a_member', 'not_found'].includes(error.code);
    throw isOver ? new RefusedEnvelope('group_not_yours') : error;
  }
}

function signingDevices(directory: Pick<KeyDirectory, 'pinned'>, sender: string): OpenJob['senderDevices'] {
  try {
    return directory.pinned(sender)?.devices.map(({ deviceId, key }) => ({ deviceId, key })) ?? [];
  } catch {
    // A fault about one sender must not stop the page: it is reported when their envelope is judged.
    return [];
  }
}

function jobOf(
  envelope: InboxEnvelope,
  keys: readonly { key: string; secret: Uint8Array }[],
  senderDevices: OpenJob['senderDevices'],
): OpenJob {
  const { recipientDeviceKey } = envelope;
  return {
    route: { from: envelope.from, to: envelope.toAddress },
    asRequest: envelope.asRequest ?? false,
    copy: {
      ciphertext: decodeBase64Url(envelope.ciphertext),
      ephemeralPublicKey: decodeBase64Url(envelope.ephemeralPublicKey),
      nonce: decodeBase64Url(envelope.nonce),
    },
    // A copy without a device name is sealed to one of the own keys: all are tried.
    secrets: keys
      .filter(({ key }) => recipientDeviceKey === undefined || key === recipientDeviceKey)
      .map(({ secret }) => secret),
    senderDevices,
  };
}
