/** Groups: the directory, creating, joining and leaving, members, and tokens for bots. */
import { parseAddress } from '../../base/address.ts';
import { Failure } from '../../base/failure.ts';
import { toName } from '../../base/names.ts';
import type { BotToken, GroupDetails } from '../../bridge/shapes/group.ts';
import { RelayRefusal } from '../../client/http.ts';
import { InviteContent } from '../../messaging/contents/kinds/invite.ts';
import type { Action } from '../../messaging/groups/act.ts';
import {
  botsWithoutToken,
  createBot,
  isSignedToken,
  removeBot,
  revokeBot,
} from '../../messaging/groups/bots.ts';
import { type JoinProof, joinByAny, joinSetting, MAX_TICKETS } from '../../messaging/groups/join.ts';
import type { KnownGroup } from '../../messaging/groups/parts.ts';
import { undeliveredOf } from '../../messaging/sending/group.ts';
import { decodeTime } from '../../protocol/encoding.ts';
import { toLabel } from '../../protocol/label.ts';
import type { RosterBot, Ticket } from '../../protocol/roster/forms.ts';
import { MAX_ADMINS } from '../../protocol/roster/limits.ts';
import { isCreatorOrAdmin, isMember, personOf, type RosterState } from '../../protocol/roster/state.ts';
import type { BotToken as WireBotToken } from '../../protocol/schemas/groups.ts';
import type { StoredGroup } from '../cache/group-chains.ts';
import { type EngineParts, requireOnline } from '../parts.ts';
import { defaultTimer } from '../timers.ts';
import { botName, namesOf, toConversation, toGroup } from '../views/conversations.ts';
import { invite } from '../writing/invite.ts';
import { groupOf } from './group-of.ts';
import type { Procedures } from './implementation.ts';

type Names = Exclude<
  Extract<keyof Procedures, `groups.${string}`>,
  'groups.setPicture' | 'groups.links' | 'groups.createLink' | 'groups.cancelLink'
>;

const PAGE = 30;
/** Number of own invitations searched. */
const MAX_INVITED = 500;

/** Fields of a change. */
type Change = Omit<Extract<Action, { kind: 'change' }>, 'kind'>;

export function groupProcedures(parts: EngineParts): Pick<Procedures, Names> {
  const { context } = parts;
  const { conversations, groups } = context;

  const find = (conversationId: string) => groupOf(context, conversationId);
  /** Proofs for joining a group without its password: from received invitations, or none. */
  const proofsFor = (groupId: string): JoinProof[] => {
    const invitations = context.messages.invitationsTo(groupId, MAX_TICKETS);
    const tickets = invitations.flatMap(({ body }) => InviteContent.safeParse(body).data?.ticket ?? []);
    return tickets.length > 0 ? tickets.map((ticket) => ({ ticket })) : [{}];
  };
  /** Emits changes that the engine does not store of a group: invitations and tokens. */
  const changed = (conversationId: string) =>
    context.emit('groups.changed', { conversationIds: [conversationId] });
  const conversationOf = (group: StoredGroup) =>
    toConversation(context, conversations.ensureForGroup(group.id, context.now()), namesOf(context));

  const pictureOf = (group: StoredGroup) => {
    const conversation = conversations.findByGroup(group.id);
    return conversation?.partner.kind === 'group' ? conversation.partner.pictureId : null;
  };

  const details = ({ group, members, view }: KnownGroup<StoredGroup>): GroupDetails => {
    const own = requireOnline(parts).account.address;
    const names = namesOf(context);
    const { state } = group;
    return {
      conversationId: conversationOf(group).id,
      group: toGroup(context.contacts, group, pictureOf(group), own),
      description: state.description,
      createdAt: view ? decodeTime(view.createdAt) : 0,
      members: members.map((member) => {
        const { address } = member;
        return {
          person: names(address),
          isCreator: address === state.creator,
          isAdmin: state.admins.includes(address),
          isMe: address === own,
          devices: 'sealKeys' in member ? member.sealKeys.length : 0,
          problem: undeliveredOf(member)?.reason ?? null,
        };
      }),
      invited: isCreatorOrAdmin(state, own) ? invitedTo(group).map(names) : null,
      botTokens: view?.botTokens?.map((token) => toBotToken(token, isSignedToken(state, token))) ?? null,
      lostBots: view?.botTokens ? botsWithoutToken(state, view.botTokens).map(toBot) : null,
      unsignedBots: state.unsignedBots,
    };
  };
  const fresh = async (group: StoredGroup) =>
    details(await requireOnline(parts).groups.known(group.groupId, 0));
  const change = async (
    conversationId: string,
    make: (state: RosterState) => Change | null,
    passwordProof?: string,
  ) =>
    details(
      await requireOnline(parts).groups.change(
        find(conversationId).groupId,
        (state) => {
          const fields = make(state);
          return fields && { kind: 'change', ...fields };
        },
        passwordProof,
      ),
    );
  /** People with a valid ticket from this device. */
  const invitedTo = ({ groupId, state }: StoredGroup): string[] => {
    const sent = context.messages.sentInvitations(groupId, MAX_INVITED).flatMap(({ body }) => {
      const ticket = InviteContent.safeParse(body).data?.ticket;
      return ticket && isOpen(state, ticket, context.now()) ? [ticket.address] : [];
    });
    return [...new Set(sent)];
  };

  return {
    'groups.browse': async ({ query, cursor }) => {
      const { account } = requireOnline(parts);
      const answer = await account.relay.call('searchGroups', {
        query: { q: toLabel(query), limit: PAGE, ...(cursor !== null && { cursor }) },
      });
      const names = namesOf(context);
      return {
        groups: answer.groups.map(({ id, verified, memberCount, join, creator, ...group }) => {
          const known = groups.find(id);
          const conversation = known?.joined ? conversations.findByGroup(known.id) : null;
          const name = toLabel(group.name) || id;
          const conversationId = conversation && String(conversation.id);
          const owner = creator === null ? null : names(creator);
          return { groupId: id, name, verified, memberCount, join, owner, conversationId };
        }),
        nextCursor: answer.nextCursor,
      };
    },

    'groups.create': async ({ name, description, join }) => {
      const { groups: own } = requireOnline(parts);
      const { group } = await own.create({
        name: tidy(name, 'group_name_empty'),
        description: description.trim(),
        join,
        listed: true,
        timer: defaultTimer(context),
      });
      return conversationOf(group);
    },

    'groups.join': async ({ groupId, password }) => {
      const { groups: own } = requireOnline(parts);
      const id = groupId.trim();
      const proofs = password === null ? proofsFor(id) : [{ password }];
      const { group } = await explained(joinByAny(own, id, proofs), password === null);
      return conversationOf(group);
    },

    'groups.leave': async ({ conversationId }) => {
      const { groups: own } = requireOnline(parts);
      const group = find(conversationId);
      if (group.joined) await own.leave(group.groupId);
      return conversationOf(find(conversationId));
    },

    'groups.details': async ({ conversationId }) => {
      const group = find(conversationId);
      if (!group.joined) return details({ group, members: [], view: null });
      return fresh(group);
    },

    'groups.invitedCount': ({ conversationId }) => {
      const group = find(conversationId);
      const own = context.identity.get()?.address ?? '';
      const isInviting = group.joined && isCreatorOrAdmin(group.state, own);
      return { count: isInviting ? invitedTo(group).length : 0 };
    },

    'groups.look': async ({ conversationId }) => {
      await requireOnline(parts).groups.look(find(conversationId).groupId);
      return {};
    },

    'groups.change': async ({ conversationId, name, description, join }) => {
      const { groupId } = find(conversationId);
      const setting = join === undefined ? null : await joinSetting(groupId, join);
      const fields = {
        ...(name !== undefined && { name: tidy(name, 'group_name_empty') }),
        ...(description !== undefined && { description: description.trim() }),
        ...setting?.fields,
      };
      return change(conversationId, () => fields, setting?.passwordProof);
    },

    'groups.invite': async ({ conversationId, addresses }) => {
      const group = find(conversationId);
      try {
        await invite(parts, group, addresses.map(parseAddress));
      } finally {
        changed(conversationId);
      }
      return fresh(group);
    },

    'groups.withdrawInvitation': ({ conversationId, address }) => {
      const uninvite = [parseAddress(address)];
      return change(conversationId, () => ({ uninvite }));
    },

    'groups.removeMember': async ({ conversationId, address }) => {
      const { groups: own } = requireOnline(parts);
      return details(await own.remove(find(conversationId).groupId, [parseAddress(address)]));
    },

    'groups.setAdmin': ({ conversationId, address, isAdmin }) => {
      const member = parseAddress(address);
      return change(conversationId, ({ admins }) => {
        if (admins.includes(member) === isAdmin) return null;
        return { admins: isAdmin ? [...admins, member] : admins.filter((admin) => admin !== member) };
      });
    },

    'groups.transfer': ({ conversationId, address }) => {
      const creator = parseAddress(address);
      return change(conversationId, (state) => {
        if (state.creator === null || state.creator === creator) return null;
        // The former creator stays an admin if there is room for one.
        const admins = [...state.admins.filter((admin) => admin !== creator), state.creator];
        return admins.length <= MAX_ADMINS ? { creator, admins } : { creator };
      });
    },

    'groups.goOn': async ({ conversationId }) => {
      await requireOnline(parts).groups.goOn(find(conversationId).groupId);
      return {};
    },

    'groups.createToken': async ({ conversationId, name: typed, alone }) => {
      const { account, groups: own } = requireOnline(parts);
      const { groupId } = find(conversationId);
      const name = tidy(typed, 'token_name_empty');
      const { token, botKey } = await createBot(own, account.relay, groupId, name, !alone);
      changed(conversationId);
      return { name, secret: token.secret, botKey, relayUrl: account.relay.baseUrl };
    },

    'groups.revokeToken': async ({ conversationId, tokenId }) => {
      const { account, groups: own } = requireOnline(parts);
      const group = find(conversationId);
      try {
        await revokeBot(own, account.relay, group.groupId, tokenId);
      } finally {
        changed(conversationId);
      }
      return fresh(group);
    },

    'groups.removeBot': async ({ conversationId, key }) => {
      const group = find(conversationId);
      await removeBot(requireOnline(parts).groups, group.groupId, key);
      return fresh(group);
    },

    'groups.setUnsignedBots': ({ conversationId, allowed }) =>
      change(conversationId, (state) => (state.unsignedBots === allowed ? null : { unsignedBots: allowed })),
  };
}

/**
 * Reports whether a ticket is still valid, as far as its group's chain shows.
 * @param now milliseconds since 1970
 */
function isOpen(state: RosterState, { address, issued, expires }: Ticket, now: number): boolean {
  const uninvited = Object.hasOwn(state.uninvited, address) ? state.uninvited[address] : undefined;
  const voidUntil = Math.max(uninvited ?? -1, personOf(state, address)?.departed ?? -1, state.ticketsAfter);
  return !isMember(state, address) && decodeTime(issued) > voidUntil && decodeTime(expires) > now;
}

function toBot(bot: RosterBot): { key: string; name: string } {
  return { key: bot.key, name: botName(bot) ?? bot.key };
}

/** @param signs whether its bot has its own key */
function toBotToken(token: WireBotToken, signs: boolean): BotToken {
  return {
    id: token.id,
    name: toLabel(token.name),
    prefix: token.prefix,
    signs,
    createdAt: decodeTime(token.createdAt),
    lastUsedAt: token.lastUsedAt === null ? null : decodeTime(token.lastUsedAt),
    revokedAt: token.revokedAt === null ? null : decodeTime(token.revokedAt),
  };
}

/** @throws Failure with this code for an empty text; 'name_long' */
function tidy(text: string, code: 'group_name_empty' | 'token_name_empty'): string {
  const name = toName(text);
  if (name === '') throw new Failure(code);
  return name;
}

/** Explains the refusals of joining that a person can act on. */
async function explained<T>(call: Promise<T>, withoutPassword: boolean): Promise<T> {
  try {
    return await call;
  } catch (error) {
    if (!(error instanceof RelayRefusal)) throw error;
    const { reason } = error.parameters;
    // Other refusals, such as a removal, have their own sentence: neither an invitation nor the password
    // would help.
    if (error.code === 'roster_refused' && reason !== 'proof_needed') {
      throw new Failure('roster_act_refused', { reason });
    }
    if (['wrong_password', 'roster_refused', 'not_found'].includes(error.code)) {
      throw new Failure(withoutPassword ? 'group_invitation_over' : 'group_password_wrong');
    }
    if (error.code === 'rate_limited' && error.retryAfter !== null) {
      const seconds = Math.ceil(error.retryAfter / 1000);
      throw new Failure('group_passwords_too_many', { seconds });
    }
    throw error;
  }
}
