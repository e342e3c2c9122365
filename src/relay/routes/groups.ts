/**
 * Groups: the directory, making and changing them, coming and going.
 */
import { ENDPOINTS } from '../../protocol/endpoints.ts';
import { LIST_PAGE } from '../../protocol/limits.ts';
import type { RelayContext } from '../context.ts';
import { decodeCursor, encodeCursor } from '../cursor.ts';
import { describeEntry, describeGroup, requireCreator, requireGroup, requireMember } from '../groups.ts';
import { Attempts, type Guesser } from '../http/attempts.ts';
import { Passwords } from '../passwords.ts';
import { ProblemError } from '../problem-error.ts';
import { quotaReached } from '../quotas.ts';
import { makeId } from '../secrets.ts';
import type { Admission, GroupRecord } from '../store/group-records.ts';
import type { AddEndpoint } from './endpoint.ts';

/** The number of no group of the store. */
const NO_GROUP = 0;

export function addGroupRoutes(add: AddEndpoint, context: RelayContext): void {
  const { store, waiters, clock, limits, passwordCost } = context;
  const { quotas } = limits;
  const passwords = new Passwords(undefined, passwordCost);
  const attempts = new Attempts();
  /** Guesses at groups that do not exist: kept apart, so that made-up ids never push out what is known of real ones. */
  const attemptsAtNothing = new Attempts();

  /**
   * @param requireStillValid asked after the wait for a turn
   * @throws ProblemError wrong_password, the same where there is no such group; what `requireStillValid` throws
   */
  async function checkPassword(
    group: GroupRecord | null,
    id: string,
    password: string | undefined,
    guesser: Guesser,
    requireStillValid: () => Promise<void>,
  ): Promise<void> {
    if (group?.password === null) return;
    if (password === undefined) throw wrongPassword();
    const guess = (group ? attempts : attemptsAtNothing).begin(id, guesser);
    let isRight: boolean;
    try {
      isRight = await passwords.verify(password, group?.password ?? null, guesser.account, guess.late);
    } catch (error) {
      guess.undo(); // It was not checked.
      throw error;
    }
    if (isRight) guess.right();
    else guess.wrong();
    await requireStillValid();
    if (!isRight) throw wrongPassword();
  }

  add(ENDPOINTS.searchGroups, async ({ credential, query }) => {
    if (query.mine && credential.type === 'group_token') {
      throw new ProblemError('group_token_not_allowed', 'group_token_not_allowed');
    }
    const { groups, next } = await store.searchGroups({
      by: credential.account,
      text: query.q || null,
      memberAccount: query.mine ? credential.account : null,
      limit: query.limit ?? LIST_PAGE.default,
      after: decodeCursor(query.cursor),
    });
    return {
      body: {
        groups: groups.map(describeEntry),
        nextCursor: encodeCursor(next),
      },
    };
  });

  add(ENDPOINTS.createGroup, async ({ credential, body, requireStillValid }) => {
    const id = makeId();
    const group = {
      id,
      name: body.name,
      description: body.description ?? '',
      password: body.password === undefined ? null : await passwords.hash(body.password, credential.account),
      creator: credential.account,
      createdAt: clock(),
    };
    await requireStillValid();
    if (!(await store.createGroup(group, quotas.groups))) throw quotaReached('groups', quotas);
    return { body: await describeGroup(context, await requireGroup(context, id), credential) };
  });

  add(ENDPOINTS.changeGroup, async ({ credential, params, body, requireStillValid }) => {
    const group = await requireGroup(context, params.id);
    await requireCreator(context, group, credential);
    const { name, description, password } = body;
    const hashed =
      typeof password === 'string' ? await passwords.hash(password, credential.account) : password;
    await requireStillValid();
    await store.changeGroup(group.key, { name, description, password: hashed }, clock());
    return { body: await describeGroup(context, await requireGroup(context, params.id), credential) };
  });

  add(ENDPOINTS.getGroup, async ({ credential, params }) => {
    const group = await requireGroup(context, params.id);
    await requireMember(context, group, credential);
    return { body: await describeGroup(context, group, credential) };
  });

  add(ENDPOINTS.joinGroup, async ({ credential, params, body, network, requireStillValid }) => {
    const group = await store.findGroup(params.id);
    const { account } = credential;
    // A group that does not exist is looked at like any other, so that the answer comes as late.
    const key = group?.key ?? NO_GROUP;
    const isMember = await store.isMember(key, account);
    if (!isMember) {
      const isInvited = await store.isInvited(key, account);
      const guesser = { account, network };
      if (!isInvited) await checkPassword(group, params.id, body.password, guesser, requireStillValid);
      const admission: Admission = isInvited
        ? { by: 'invitation' }
        : { by: 'password', password: group?.password ?? null };
      if (!group) throw wrongPassword();
      const outcome = await store.addMember(group.key, account, admission, quotas, clock());
      if (outcome === 'refused') throw wrongPassword();
      if (outcome !== 'member') throw quotaReached(outcome, quotas);
    }
    return { body: await describeGroup(context, await requireGroup(context, params.id), credential) };
  });

  add(ENDPOINTS.inviteToGroup, async ({ credential, params }) => {
    const group = await requireGroup(context, params.id);
    await requireCreator(context, group, credential);
    const outcome = await store.inviteToGroup(
      group.key,
      params.address,
      credential.account,
      quotas.groupInvitations,
      clock(),
    );
    if (outcome === 'unknown') {
      throw new ProblemError('not_found', 'account', { address: params.address });
    }
    if (outcome === 'full') throw quotaReached('groupInvitations', quotas);
    return { body: undefined };
  });

  add(ENDPOINTS.withdrawInvitation, async ({ credential, params }) => {
    const group = await requireGroup(context, params.id);
    await requireCreator(context, group, credential);
    await store.withdrawInvitation(group.key, params.address, credential.account, clock());
    return { body: undefined };
  });

  add(ENDPOINTS.removeMember, async ({ credential, params }) => {
    const group = await requireGroup(context, params.id);
    if (params.address !== credential.address) await requireCreator(context, group, credential);
    const by = credential.account;
    const { removed, revoked } = await store.removeMember(group.key, params.address, by, clock());
    if (!removed) throw new ProblemError('not_found', 'member', { address: params.address });
    waiters.revoke(revoked);
    return { body: undefined };
  });
}

function wrongPassword(): ProblemError {
  return new ProblemError('wrong_password', 'wrong_password');
}
