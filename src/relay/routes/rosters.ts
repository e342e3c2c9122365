/** Chains of groups: creating, admission, reading, appending. */
import { timingSafeEqual } from 'node:crypto';
import { decodeTime } from '../../protocol/encoding.ts';
import { ENDPOINTS } from '../../protocol/endpoints.ts';
import type { RosterBody } from '../../protocol/roster/forms.ts';
import { JOIN_DELAY } from '../../protocol/roster/post.ts';
import type { RosterPlace } from '../../protocol/schemas/rosters.ts';
import { ROSTER_PAGE, ROSTER_PAGE_BYTES } from '../../protocol/schemas/rosters.ts';
import type { RelayContext } from '../context.ts';
import { Attempts } from '../http/attempts.ts';
import { isLoopback, wideNetworkOf } from '../http/network.ts';
import { quotaReached } from '../limits/quotas.ts';
import { ProblemError } from '../problems/problem-error.ts';
import type { GroupRecord } from '../store/group-records.ts';
import type { CredentialRecord } from '../store/records.ts';
import { type AddEndpoint, unauthorized } from './endpoint.ts';
import { describeGroup, isKnownTo, noSuchGroup, requireGroup, requireMember } from './group-access.ts';
import {
  hashPassword,
  judgeBeginning,
  judgeNext,
  openPosted,
  requireAccepted,
  requireAdmission,
  rosterConflict,
} from './roster-access.ts';

/** The most times that an entry is judged again because the chain grew meanwhile. */
const MAX_TRIES = 3;
/** The lifetime of an admission, in milliseconds. */
const ADMISSION_LIFE = 10 * 60_000;
/** The part of a state that only its last entry determines. */
const NOTHING_OF_IT = { people: [], uninvited: [], lists: [] };
/** A password verifier that no password matches, for groups without a password. */
const NO_PASSWORD = new Uint8Array(32);

export function addRosterRoutes(add: AddEndpoint, context: RelayContext): void {
  const { store, waiters, clock, limits, counters } = context;
  const { quotas } = limits;
  const attempts = new Attempts(counters);
  /**
   * Guesses at groups that do not exist. Kept apart, so that invented ids never evict the records of real groups.
   */
  const openJoins = counters.limit('open join', limits.rates.openJoin, 'networks');
  const attemptsAtNothing = new Attempts(counters, 'password of nothing');

  /**
   * Admits members, this group's tokens, and admitted candidates.
   * @throws ProblemError forbidden for another group's token, not_a_member
   */
  async function requireReader(group: GroupRecord, credential: CredentialRecord): Promise<void> {
    const { type, account } = credential;
    if (type !== 'group_token' && (await store.isAdmitted(group.key, account, clock()))) return;
    await requireMember(context, group, credential);
  }

  /** True if the caller asks again whether their own entry has arrived. Former members may ask, too. */
  async function isRepeated(groupId: string, place: RosterPlace): Promise<boolean> {
    const stored = await store.readRoster(groupId, NOTHING_OF_IT, place.epoch);
    return stored?.hash === place.hash;
  }

  /**
   * Counts a guess at the password of a group, and checks it.
   * @throws ProblemError wrong_password, the same where there is no such group; rate_limited
   */
  async function checkPassword(
    group: GroupRecord | null,
    id: string,
    password: string,
    { account }: CredentialRecord,
    network: string,
  ): Promise<void> {
    const guess = await (group ? attempts : attemptsAtNothing).begin(id, { account, network });
    const isRight =
      timingSafeEqual(hashPassword(password), group?.passwordHash ?? NO_PASSWORD) &&
      group?.passwordHash != null;
    if (!isRight) throw new ProblemError('wrong_password', 'wrong_password');
    await guess.right();
  }

  /**
   * The chain of an open group has a limited number of joins by strangers. One network must not use them all.
   * @throws ProblemError rate_limited
   */
  async function requireJoinRoom(group: string, body: RosterBody, network: string): Promise<void> {
    if (body.kind !== 'join' || body.ticket || body.link || body.password || isLoopback(network)) return;
    const wait = await openJoins.tryConsume(`${group} ${wideNetworkOf(network)}`);
    if (wait > 0) throw new ProblemError('rate_limited', 'joins', {}, { retryAfter: wait });
  }

  add(ENDPOINTS.createGroup, async ({ credential, body, requireStillValid }) => {
    const { entries, password, listed = true } = body;
    const { account, address } = credential;
    const { judged, state } = await judgeBeginning(context, address, entries);
    requirePassword(state.joinKey !== null, password);
    await requireStillValid();
    const passwordHash = password === undefined ? null : hashPassword(password);
    const begun = { creator: account, entries: judged, state, passwordHash, listed, now: clock() };
    const outcome = await store.createRoster(begun, quotas);
    if (outcome === 'groups') throw quotaReached(outcome, quotas);
    if (outcome === 'moved') throw new ProblemError('roster_refused', 'list_not_newest');
    const group = await requireGroup(context, state.groupId, credential);
    if (outcome === 'exists') {
      await requireMember(context, group, credential);
      const { entries: accepted } = await store.readEntries(group.key, 0, entries.length, ROSTER_PAGE_BYTES);
      const isSame = entries.every(({ body }, index) => body === accepted[index]?.body);
      if (!isSame) throw rosterConflict();
    }
    const view = await describeGroup(context, group, credential);
    return { status: outcome === 'exists' ? 200 : 201, body: view };
  });

  add(ENDPOINTS.admitToGroup, async ({ credential, params, body, network }) => {
    const group = await store.findGroup(params.id);
    const { password, link, ticket } = body;
    if (password !== undefined) await checkPassword(group, params.id, password, credential, network);
    const proof = {
      ...(password !== undefined && { passwordMatches: true }),
      ...(link && { link }),
      ...(ticket && { ticket }),
    };
    const head = await requireAdmission(context, params.id, credential.address, proof).catch(
      async (error) => {
        // The reason for a refused proof is reported only to callers who may know that the group exists.
        throw group && !(await isKnownTo(context, group, credential)) ? noSuchGroup() : error;
      },
    );
    // A member needs no admission. It must not outlast a removal.
    if (!head.isMember)
      await store.admitToGroup(head.group.key, credential.account, clock() + ADMISSION_LIFE);
    return { body: head.place };
  });

  add(ENDPOINTS.getRoster, async ({ credential, params, query, reserveRoom }) => {
    const group = await requireGroup(context, params.id, credential);
    await requireReader(group, credential);
    const { after = 0, limit = ROSTER_PAGE.default } = query;
    const page = await store.readEntries(group.key, after, limit, ROSTER_PAGE_BYTES);
    reserveRoom(page.entries.reduce((bytes, { body }) => bytes + body.length, 0));
    return { body: page };
  });

  add(ENDPOINTS.postRosterEntry, async ({ credential, params, body, network, requireStillValid }) => {
    const { entry, password } = body;
    const opened = openPosted(entry);
    const place: RosterPlace = { epoch: opened.json.epoch, hash: opened.hash };
    const isOwn = opened.json.by === credential.address;

    // Before any validation: a stranger costs two look-ups.
    const group = await requireGroup(context, params.id, credential);
    const isDone = isOwn && (await isRepeated(params.id, place));
    if (isDone) return { body: place };
    await requireReader(group, credential);

    for (let tries = 0; tries < MAX_TRIES; tries++) {
      const { state, verdict } = await judgeNext(context, params.id, entry, credential.address);
      const accepted = requireAccepted(verdict);
      if (!accepted) return { body: place };
      const { body: change } = accepted.entry;
      if (tries === 0) await requireJoinRoom(params.id, change, network);
      const setsKey = change.kind === 'change' && change.joinKey !== undefined;
      // Another account that posts a change cannot know the password, or may send a false one. The
      // member's own earlier entry returns to a relay that has lost it.
      if (isOwn && (password !== undefined || decodeTime(opened.json.issued) >= clock() - JOIN_DELAY)) {
        requirePassword(setsKey, password);
      }
      const passwordHash = setsKey
        ? isOwn && password !== undefined
          ? hashPassword(password)
          : null
        : undefined;
      await requireStillValid();
      const outcome = await store.appendEntry(
        {
          group: group.key,
          entry,
          folded: accepted.entry,
          before: state,
          after: accepted.state,
          passwordHash,
          now: clock(),
        },
        quotas,
      );
      if (outcome.status === 'moved') continue;
      if (outcome.status === 'signer_gone') {
        throw isOwn ? unauthorized() : new ProblemError('roster_refused', 'list_not_newest');
      }
      if (outcome.status !== 'appended') throw quotaReached(outcome.status, quotas);
      waiters.revoke(outcome.revoked);
      return { body: place };
    }
    throw new ProblemError('unavailable', 'store', {}, { retryAfter: 1 });
  });
}

/** @throws ProblemError unless a password is given exactly when its new key is set */
function requirePassword(setsKey: boolean, password: string | undefined): void {
  if (setsKey && password === undefined) throw new ProblemError('invalid_request', 'password_missing');
  if (!setsKey && password !== undefined) throw new ProblemError('invalid_request', 'password_stray');
}
