/**
 * Receiving: holds a call at the relay, opens and proves what comes, hands it over one by one, and acknowledges what
 * was taken.
 */
import { native } from '../protocol/crypto/native.ts';
import type { DeviceList } from '../protocol/device-list.ts';
import { decodeBase64Url, decodeTime } from '../protocol/encoding.ts';
import { type EnvelopeHeader, OpenError, openCopy } from '../protocol/envelope.ts';
import { decodePayload, PayloadError, TextContent, type UnverifiedPayload } from '../protocol/payload.ts';
import type { InboxEnvelope } from '../protocol/schemas/inbox.ts';
import type { RelayApi } from './api.ts';
import { backoffDelay, pause, restOfHold, waitAfter } from './backoff.ts';
import type { KeyDirectory } from './directory.ts';
import { UnverifiableError } from './errors.ts';
import { RelayRefusal, RelayUnreachable } from './http.ts';
import type { Identity } from './identity/identity.ts';
import type { GroupMembers } from './members.ts';
import { checkRoute, isSettledBy, proveSender, RefusedEnvelope, type SenderProof } from './trust.ts';

const PAGE = 100;
/** Seconds for which the relay may hold a poll. */
const HOLD = 25;
/** More pages than any queue has: who does not follow is not kept by a relay that always has more. */
const MOST_PAGES = 1_000;

/** A message that was opened and whose sender is proven, or vouched for as far as the sender allows. */
export interface Message {
  /** The sender's id of the message: with `from`, its identity for ever. */
  id: string;
  /** The sender's address. */
  from: string;
  /** The group that it was posted into; null for a direct message. */
  groupId: string | null;
  /** 'text', or another kind, which may be of a later version. */
  kind: string;
  /** The text of a message of kind 'text'; null for other kinds. */
  text: string | null;
  /** All fields of the message, as the sender wrote them. */
  body: Readonly<Record<string, unknown>>;
  /** 'signed' by a certified device; 'api' or 'bots': unsigned, the relay's word, which the sender's list allows. */
  proof: SenderProof;
  /**
   * Of a group: the sender left or was removed, as this program has seen, and nobody has confirmed them since. Only the
   * relay says that such a message is a member's. See RelayClient.confirmMember.
   */
  unconfirmed: boolean;
  /** Whether a program wrote it. A bot that answers programs may meet one that answers it, without end. */
  automated: boolean;
  /** Whether the sender marked it as a first contact. */
  asRequest: boolean;
  /** By the sender's clock. */
  sentAt: Date;
  /** By the relay's clock. */
  receivedAt: Date;
}

export interface ReceiveOptions {
  /** Ends the loop. */
  signal?: AbortSignal;
  /** False ends the loop when nothing more is waiting. True unless said: it goes on for ever. */
  follow?: boolean;
  /**
   * True leaves what waits as it is, to come again: nothing is acknowledged or remembered. The loop ends after the
   * first hundred.
   */
  keep?: boolean;
  /** Called when the relay cannot be reached or refuses for now. The loop goes on by itself. */
  onProblem?: (problem: RelayUnreachable | RelayRefusal) => void;
  /** Called for an envelope that lies or cannot be opened. It is set aside and never becomes a message. */
  onRefused?: (envelope: { id: string; from: string }, reason: string) => void;
}

export interface ReceivingParts {
  relay: RelayApi;
  directory: KeyDirectory;
  members: GroupMembers;
  identity: Identity;
}

type Verdict = { message: Message } | { refused: string } | 'own' | 'later';

/** See RelayClient.messages. */
export async function* receive(
  parts: ReceivingParts,
  options: ReceiveOptions,
): AsyncGenerator<Message, void> {
  const { identity, relay } = parts;
  const { signal, keep = false, onProblem } = options;
  const follow = !keep && (options.follow ?? true);
  const account = identity.account(relay.baseUrl);
  const registration = identity.registration(account);
  let failures = 0;
  for (let pages = 0; !signal?.aborted && (follow || pages < MOST_PAGES); pages++) {
    let wait = 0;
    try {
      await registration.ensure();
      const asked = performance.now();
      const page = await relay.inbox(identity.deviceId, { limit: PAGE, wait: follow ? HOLD : 0, signal });
      const { fresh, deferred } = yield* takePage(parts, page.envelopes, options);
      const isOver = deferred > 0 || !page.more || page.envelopes.length === 0;
      if (keep || (!follow && isOver)) return;
      failures = deferred > 0 ? failures + 1 : 0;
      if (deferred > 0) wait = backoffDelay(failures);
      else if (fresh === 0) wait = restOfHold(asked);
    } catch (error) {
      if (signal?.aborted) return;
      if (!isTemporary(error) || !follow) throw error;
      onProblem?.(error);
      failures++;
      wait = waitAfter(error, failures);
    }
    await pause(wait, signal);
  }
}

/**
 * Hands over the messages of a page and acknowledges those that were taken. Returns how many were new, and how many
 * have to come again.
 * A message is taken when the next is asked for: what a reader has broken off with stays at the relay.
 */
async function* takePage(
  parts: ReceivingParts,
  envelopes: InboxEnvelope[],
  { signal, onRefused, keep = false }: ReceiveOptions,
): AsyncGenerator<Message, { fresh: number; deferred: number }> {
  const { relay, identity } = parts;
  const { journal, deviceId } = identity;
  const done: string[] = [];
  let fresh = 0;
  let deferred = 0;
  const asked = new Set<string>();
  let isBrokenOff = true;
  try {
    for (const envelope of envelopes) {
      if (signal?.aborted) break;
      const verdict = await judge(parts, envelope, asked);
      if (verdict === 'later') {
        deferred++;
        continue;
      }
      if (verdict !== 'own' && 'refused' in verdict) {
        if (!keep) journal.markRefused(envelope, verdict.refused, Date.now());
        onRefused?.({ id: envelope.id, from: envelope.from }, verdict.refused);
      }
      if (verdict !== 'own' && 'message' in verdict) {
        const { from, id } = verdict.message;
        if (!journal.wasTaken(from, id)) {
          fresh++;
          yield verdict.message;
          if (!keep) journal.markTaken(from, id, Date.now());
        }
      }
      if (!keep) done.push(envelope.id);
    }
    isBrokenOff = false;
  } finally {
    // The reader's own failure goes first; what was taken is remembered and made up for when it comes again.
    if (isBrokenOff && done.length > 0) await relay.acknowledge(deviceId, done).catch(() => undefined);
  }
  if (done.length > 0) await relay.acknowledge(deviceId, done);
  return { fresh, deferred };
}

async function judge(
  { directory, identity, members }: ReceivingParts,
  envelope: InboxEnvelope,
  asked: Set<string>,
): Promise<Verdict> {
  try {
    const { header, payload: bytes } = open(identity, envelope);
    const payload = decodePayload(native, bytes);
    checkRoute(envelope, payload, identity.address);
    let list = directory.pinned(envelope.from);
    if (!isSettledBy(list, envelope, payload, header) && !asked.has(envelope.from)) {
      asked.add(envelope.from);
      list = await newestList(directory, envelope.from);
    }
    const proof = proveSender(list, envelope, payload);
    // A copy of what another device of the same address has sent is no message to this program. What a bot has posted
    // in its name is.
    if (envelope.from === identity.address && proof === 'signed') {
      if (payload.channel === 'group') {
        const { groupId, members: named, sentAt } = payload.body;
        members.noteOwnList(groupId, named, decodeTime(sentAt));
      }
      return 'own';
    }
    const unconfirmed =
      payload.channel === 'group' && members.isUnconfirmed(payload.body.groupId, envelope.from);
    return { message: { ...messageOf(envelope, payload, header, proof), unconfirmed } };
  } catch (error) {
    if (error instanceof OpenError) return { refused: 'cannot be opened' };
    if (error instanceof PayloadError) return { refused: `payload: ${error.message}` };
    if (error instanceof RefusedEnvelope || error instanceof UnverifiableError)
      return { refused: error.message };
    if (isTemporary(error)) return 'later';
    throw error;
  }
}

/** The newest list of an address; the one known before, if what the relay shows instead does not prove itself. */
async function newestList(directory: KeyDirectory, address: string): Promise<DeviceList | null> {
  try {
    return (await directory.keys(address, 0))?.deviceList ?? null;
  } catch (error) {
    if (error instanceof UnverifiableError) return directory.pinned(address);
    throw error;
  }
}

function open(identity: Identity, envelope: InboxEnvelope): { header: EnvelopeHeader; payload: Uint8Array } {
  const route = { from: envelope.from, to: envelope.toAddress };
  const copy = {
    ciphertext: decodeBase64Url(envelope.ciphertext),
    ephemeralPublicKey: decodeBase64Url(envelope.ephemeralPublicKey),
    nonce: decodeBase64Url(envelope.nonce),
  };
  // A copy that names no device was sealed to one of ours, and which key only trying tells.
  for (const key of identity.sealKeysFor(envelope.recipientDeviceKey)) {
    try {
      return openCopy(native, route, key, copy, envelope.asRequest ?? false);
    } catch (error) {
      if (!(error instanceof OpenError)) throw error;
    }
  }
  throw new OpenError();
}

function messageOf(
  envelope: InboxEnvelope,
  { channel, body }: UnverifiedPayload,
  header: EnvelopeHeader,
  proof: SenderProof,
): Omit<Message, 'unconfirmed'> {
  const text = TextContent.safeParse(body);
  return {
    id: body.id,
    from: envelope.from,
    groupId: channel === 'group' ? body.groupId : null,
    kind: body.kind,
    text: text.success ? text.data.text : null,
    body,
    proof,
    automated: header.automated,
    asRequest: header.asRequest,
    sentAt: new Date(body.sentAt),
    receivedAt: new Date(envelope.receivedAt),
  };
}

function isTemporary(error: unknown): error is RelayUnreachable | RelayRefusal {
  return error instanceof RelayUnreachable || (error instanceof RelayRefusal && error.temporary);
}
