/**
 * Receiving: polls the relay, opens and proves envelopes, yields messages one by one, and acknowledges the accepted
 * ones.
 */

import { backoffDelay, PollPace, pause } from '../base/backoff.ts';
import { describe } from '../base/error-facts.ts';
import { log } from '../base/log.ts';
import { contents } from '../messaging/contents/all-kinds.ts';
import { InviteContent } from '../messaging/contents/kinds/invite.ts';
import type { Gaps } from '../messaging/gaps/gaps.ts';
import type { Greetings } from '../messaging/greeting/greetings.ts';
import type { RememberedGroup } from '../messaging/groups/chain-memory.ts';
import type { GroupDirectory } from '../messaging/groups/directory.ts';
import { Inbox } from '../messaging/receiving/inbox.ts';
import { Opener } from '../messaging/receiving/open.ts';
import type { Received } from '../messaging/receiving/received.ts';
import type { RefusedEnvelope } from '../messaging/receiving/refused-envelope.ts';
import { isTransient, RelayRefusal, type RelayUnreachable } from '../messaging/relay.ts';
import type { KeyDirectory } from '../messaging/trust/directory.ts';
import { decodeTime } from '../protocol/encoding.ts';
import type { InboxEnvelope } from '../protocol/schemas/inbox.ts';
import type { RelayApi } from './api.ts';
import { createGaps, type Missing } from './gaps.ts';
import type { Identity } from './identity/identity.ts';
import type { KeptInvitation } from './identity/journal/invitations.ts';
import type { Registration } from './identity/registration.ts';
import { isForReader, type Message, messageOf } from './message.ts';
import { waitAfter, wasCutShort } from './wait-after.ts';

const PAGE = 100;
/** The longest wait of a poll at the relay, in seconds. */
const HOLD = 25;
/** More pages than any queue has: a limit for relays that announce more without end. */
const MAX_PAGES = 1_000;

export interface ReceiveOptions {
  /** Ends the loop. */
  signal?: AbortSignal;
  /** False ends the loop when the queue is empty. True by default: it continues without end. */
  follow?: boolean;
  /**
   * True leaves the queue unchanged: nothing is acknowledged or remembered. The loop ends after the first hundred.
   */
  keep?: boolean;
  /**
   * True also yields controls, such as reactions and edits, and unknown kinds: see `role` and `control`. They are
   * acknowledged in either case.
   */
  controls?: boolean;
  /** Called when the relay is unreachable or refuses temporarily. The loop continues. */
  onProblem?: (problem: RelayUnreachable | RelayRefusal) => void;
  /**
   * Called when the relay cannot remove received messages from the queue for now, as with a full disk. With an identity in a file they
   * are remembered as received: they are not yielded again, and the next loop removes them. Without `follow` the loop then ends with
   * this problem.
   */
  onUnacknowledged?: (problem: RelayUnreachable | RelayRefusal) => void;
  /**
   * Called for a forged envelope, or one that cannot be opened. It never becomes a message. `why` has a code with
   * parameters, and a sentence as its message.
   */
  onRefused?: (envelope: { id: string; from: string }, why: RefusedEnvelope) => void;
  /**
   * Called when a message may be missing: it did not arrive, and its device did not send it again within a day of the
   * request. Only for recipients of the program, and members of its groups.
   */
  onMissing?: (missing: Missing) => void;
}

export interface ProgramReceivingParts {
  relay: RelayApi;
  /** Calls with a session of the identity. */
  account: RelayApi;
  directory: KeyDirectory;
  groups: GroupDirectory<RememberedGroup>;
  identity: Identity;
  /** Announces the own device list in the background; null for none. */
  greetings: () => Greetings | null;
}

/** See RelayClient.messages. */
export async function* receive(
  parts: ProgramReceivingParts,
  options: ReceiveOptions,
): AsyncGenerator<Message, void> {
  const { identity, relay, account } = parts;
  const { signal, keep = false, onProblem } = options;
  const follow = !keep && (options.follow ?? true);
  const registration = identity.registration(account);
  let gaps: Gaps | null = null;
  const followed = () => {
    // `keep` leaves everything unchanged.
    if (!keep) gaps ??= createGaps(parts, follow, (missing) => options.onMissing?.(missing));
    return gaps;
  };
  const inbox = inboxOf(parts, keep, followed, () => registration.recheck());
  const pace = new PollPace();
  let failures = 0;
  for (let pages = 0; !signal?.aborted && (follow || pages < MAX_PAGES); pages++) {
    let wait = 0;
    try {
      const isEnsured = await ensureIfPossible(registration);
      // `keep` leaves everything unchanged.
      if (!keep) parts.greetings();
      followed()?.begin();
      const requestedAt = performance.now();
      const since = Date.now();
      const pollWait = follow ? HOLD : 0;
      const page = await relay.inbox(identity.deviceId, { limit: PAGE, wait: pollWait, signal });
      if (wasCutShort(page, requestedAt, pollWait)) registration.recheck();
      const { fresh, deferred, pending } = yield* receivePage(
        parts,
        inbox,
        followed(),
        page.envelopes,
        options,
      );
      // Pending messages still need their keys.
      if (!keep && deferred + pending === 0 && !page.more) {
        if (isEnsured) registration.drained(since);
        identity.journal.markReadToEnd(since);
        followed()?.atEnd(since);
        const postDue = followed()?.postDue();
        // Requests and answers do not delay messages.
        if (!follow) await postDue;
      }
      const isOver = deferred > 0 || !page.more || page.envelopes.length === 0;
      if (keep || (!follow && isOver)) return;
      failures = deferred > 0 ? failures + 1 : 0;
      wait = pace.next({ requestedAt, isNews: fresh > 0, isFull: page.envelopes.length >= PAGE });
      if (deferred > 0) wait = Math.max(wait, backoffDelay(failures));
    } catch (error) {
      if (signal?.aborted) return;
      if (!isTransient(error) || !follow) throw error;
      onProblem?.(error);
      // A relay that was away may have been restored from a backup: restore its lost data.
      registration.recheck();
      failures++;
      wait = waitAfter(error, failures);
    }
    await pause(wait, signal);
  }
}

/**
 * Ensures the registration, unless the relay refuses temporarily: one with a full disk opens no session, but an API key can
 * still read the queue. The next page tries again.
 * @returns whether the registration is ensured
 */
async function ensureIfPossible(registration: Registration): Promise<boolean> {
  try {
    await registration.ensure();
    return true;
  } catch (error) {
    // A device that is not registered has no queue. A relay that limits the rate is not asked again at once.
    const mayPoll = registration.isRegistered && error instanceof RelayRefusal && error.status >= 500;
    if (!mayPoll) throw error;
    log('warn', 'registration.postponed', describe(error));
    return false;
  }
}

/**
 * Yields the messages of a page and acknowledges the accepted ones. Returns the number of new ones, of those to be
 * fetched again, and of those that stay at the relay until their group's chain is known, or for a day. A message is
 * accepted when the next is requested: if the reader stops, the current one stays at the relay.
 */
async function* receivePage(
  parts: ProgramReceivingParts,
  inbox: Inbox<RememberedGroup>,
  gaps: Gaps | null,
  envelopes: InboxEnvelope[],
  { signal, onRefused, onUnacknowledged, keep = false, controls = false }: ReceiveOptions,
): AsyncGenerator<Message, { fresh: number; deferred: number; pending: number }> {
  const { relay, identity } = parts;
  const { journal, deviceId } = identity;
  const done: string[] = [];
  let fresh = 0;
  let deferred = 0;
  let pending = 0;
  let isBrokenOff = true;
  try {
    for await (const { envelope, verdict } of inbox.judge(envelopes)) {
      if (signal?.aborted) break;
      if (verdict.kind === 'pending') {
        pending++;
        continue;
      }
      if (verdict.kind === 'later') {
        if (verdict.error && !isTransient(verdict.error)) throw verdict.error;
        deferred++;
        continue;
      }
      if (verdict.kind === 'refused') {
        if (!keep) journal.markRefused(envelope, verdict.error.data, Date.now());
        onRefused?.({ id: envelope.id, from: envelope.from }, verdict.error);
      } else if (!isOwnCopy(identity.address, verdict.received)) {
        const message = messageOf(identity.address, verdict);
        const accepted = { sender: message.from, id: message.id, isSigned: message.proof === 'signed' };
        if (!journal.isDuplicate(accepted)) {
          if (isForReader(message, controls)) {
            fresh++;
            yield message;
          }
          const { received } = verdict;
          const mark = { ...accepted, sentAt: decodeTime(received.body.sentAt), at: Date.now() };
          if (!keep)
            journal.together(() => {
              journal.recordReceived(mark);
              const invitation = invitationIn(message);
              if (invitation) journal.invitations.keep(invitation);
              gaps?.received(received);
            });
        }
      }
      if (!keep) done.push(envelope.id);
    }
    isBrokenOff = false;
  } finally {
    // The reader's own failure has priority; accepted messages are remembered, and acknowledged when they arrive
    // again.
    if (isBrokenOff && done.length > 0) await relay.acknowledge(deviceId, done).catch(() => undefined);
  }
  if (done.length > 0)
    await relay.acknowledge(deviceId, done).catch((error: unknown) => {
      if (isTransient(error)) onUnacknowledged?.(error);
      throw error;
    });
  return { fresh, deferred, pending };
}

/** The invitation to a group of this relay in a signed message; null for none. */
function invitationIn({ body, from, proof, groupId }: Message): KeptInvitation | null {
  const invite = proof === 'signed' && groupId === null ? InviteContent.safeParse(body).data : undefined;
  if (!invite || invite.relay !== undefined) return null;
  return { groupId: invite.group, name: invite.name, from, ticket: invite.ticket };
}

function inboxOf(
  { directory, groups, identity, greetings }: ProgramReceivingParts,
  keep: boolean,
  gaps: () => Gaps | null,
  onNewerOwnList: () => void,
): Inbox<RememberedGroup> {
  const opener = new Opener();
  const { address, journal } = identity;
  return new Inbox({
    address,
    sealKeys: () => identity.sealKeys().map(({ statement, secret }) => ({ key: statement.key, secret })),
    open: async (jobs) => opener.open(jobs),
    directory,
    groups,
    contents,
    retention: () => identity.retention,
    lastEnd: () => journal.lastEnd,
    now: () => Date.now(),
    wasRequested: (message) => gaps()?.wasRequested(message) ?? false,
    mayBeForgotten: (sender, sentAt) => journal.mayBeForgotten(sender, sentAt),
    ownSequence: () => identity.deviceList?.sequence ?? 0,
    onNewerOwnList,
    onBehind(sender, sequence, group) {
      if (!keep) greetings()?.isBehind(sender, sequence, group);
    },
  });
}

/**
 * A copy of a message from the same address, by another device or an API key, is not yielded. Messages to the own
 * address are, if they are unsigned or posted by a bot in its name.
 */
function isOwnCopy(own: string, { channel, body, proof }: Received<RememberedGroup>): boolean {
  if (body.sender !== own) return false;
  return proof === 'signed' || (channel === 'direct' && body.peer !== own);
}
