/**
 * Groups: the directory, making, joining and leaving, members, and tokens for bots.
 */
import { parseAddress } from '../../base/address.ts';
import { Failure } from '../../base/failure.ts';
import type { BotToken, GroupDetails } from '../../bridge/shapes.ts';
import { RelayRefusal } from '../../client/http.ts';
import { inviteTo } from '../../messaging/contents/kinds/invite.ts';
import type { KnownGroup } from '../../messaging/groups/directory.ts';
import { unreachedAs } from '../../messaging/sending/group.ts';
import { toChecksumAddress } from '../../protocol/address.ts';
import { decodeTime } from '../../protocol/encoding.ts';
import { toLabel } from '../../protocol/label.ts';
import type { BotToken as WireBotToken } from '../../protocol/schemas/groups.ts';
import type { Contact } from '../cache/contacts.ts';
import type { StoredGroup } from '../cache/groups.ts';
import { compose } from '../compose.ts';
import { type EngineParts, requireOnline } from '../parts.ts';
import { namesOf, toConversation, toGroup } from '../views.ts';
import type { Procedures } from './implementation.ts';

type Names = Extract<keyof Procedures, `groups.${string}`>;

const PAGE = 30;

export function groupProcedures(parts: EngineParts): Pick<Procedures, Names> {
  const { context } = parts;
  const { conversations, groups } = context;

  const find = (conversationId: string): StoredGroup => {
    const conversation = conversations.get(Number(conversationId));
    const group = conversation?.partner.kind === 'group' ? groups.get(conversation.partner.groupId) : null;
    if (!group) throw new Failure('group_unknown');
    return group;
  };
  /** Tells of what the engine itself does not remember of a group: invitations and tokens. */
  const changed = (conversationId: string) =>
    context.emit('groups.changed', { conversationIds: [conversationId] });
  const conversationOf = (group: StoredGroup) =>
    toConversation(context, conversations.ensureForGroup(group.id, context.now()), namesOf(context));

  const details = ({ group, members, view }: KnownGroup<StoredGroup>): GroupDetails => {
    const own = requireOnline(parts).account.address;
    const names = namesOf(context);
    const unconfirmed = new Set(group.unconfirmed);
    return {
      conversationId: conversationOf(group).id,
      group: toGroup(group, own, names),
      description: group.description,
      createdAt: view ? decodeTime(view.createdAt) : 0,
      members: members.map((member) => {
        const { address } = member;
        return {
          person: names(address),
          isCreator: address === group.creator,
          isMe: address === own,
          unconfirmed: unconfirmed.has(address),
          devices: 'sealKeys' in member ? member.sealKeys.length : 0,
          problem: unreachedAs(member)?.reason ?? null,
        };
      }),
      invited: view?.invitations?.map(names) ?? null,
      botTokens: view?.botTokens?.map(toBotToken) ?? null,
    };
  };
  const fresh = async (group: StoredGroup) =>
    details(await requireOnline(parts).groups.known(group.groupId, 0));

  return {
    'groups.browse': async ({ query, cursor }) => {
      const { account } = requireOnline(parts);
      const answer = await account.relay.call('searchGroups', {
        query: { q: query.trim(), limit: PAGE, ...(cursor !== null && { cursor }) },
      });
      return {
        groups: answer.groups.map(({ id, ...group }) => {
          const known = groups.find(id);
          const conversation = known?.joined ? conversations.findByGroup(known.id) : null;
          const name = toLabel(group.name) || id;
          return { groupId: id, ...group, name, conversationId: conversation && String(conversation.id) };
        }),
        nextCursor: answer.nextCursor,
      };
    },

    'groups.create': async ({ name, description, password }) => {
      const online = requireOnline(parts);
      const view = await online.account.relay.call('createGroup', {
        body: {
          name: tidy(name, 'group_name_empty'),
          description: description.trim(),
          ...(password !== null && { password }),
        },
      });
      return conversationOf((await online.groups.made(view)).group);
    },

    'groups.join': async ({ groupId, password }) => {
      const online = requireOnline(parts);
      const id = groupId.trim();
      const body = password === null ? {} : { password };
      const join = () => online.account.relay.call('joinGroup', { params: { id }, body });
      const known = await online.groups.answered(id, () => explained(join(), password === null), true);
      return conversationOf(known.group);
    },

    'groups.leave': async ({ conversationId }) => {
      const online = requireOnline(parts);
      const group = find(conversationId);
      const params = { id: group.groupId, address: online.account.address };
      await online.account.relay.call('removeMember', { params }).catch((error) => {
        // A former member has left.
        if (!(error instanceof RelayRefusal) || error.code !== 'not_found') throw error;
      });
      if (group.joined) online.groups.leave(group.groupId);
      return conversationOf(find(conversationId));
    },

    'groups.details': async ({ conversationId }) => {
      const group = find(conversationId);
      if (!group.joined) return details({ group, members: [], view: null });
      return fresh(group);
    },

    'groups.change': async ({ conversationId, name, description, password }) => {
      const online = requireOnline(parts);
      const group = find(conversationId);
      const params = { id: group.groupId };
      const body = {
        ...(name !== undefined && { name: tidy(name, 'group_name_empty') }),
        ...(description !== undefined && { description: description.trim() }),
        ...(password !== undefined && { password }),
      };
      const change = () => online.account.relay.call('changeGroup', { params, body });
      return details(await online.groups.answered(group.groupId, change));
    },

    'groups.invite': async ({ conversationId, addresses }) => {
      const online = requireOnline(parts);
      const group = find(conversationId);
      const { view } = await online.groups.known(group.groupId, 0);
      // All are looked at before the first hears of it: who corrects one and tries again invites nobody twice.
      const people: Contact[] = [];
      for (const address of addresses.map(parseAddress)) {
        const contact = await online.directory.contact(address);
        if (contact.sealKeys.length === 0) {
          throw new Failure('invited_no_device', { address: toChecksumAddress(address) });
        }
        if (conversations.findByContact(contact.id)?.state === 'blocked') {
          throw new Failure('invited_blocked');
        }
        people.push(contact);
      }
      try {
        for (const { id, address } of people) {
          // It counts before the person hears of it. One that nobody heard of is listed, and can be sent again.
          await online.account.relay.call('inviteToGroup', { params: { id: group.groupId, address } });
          // Who departed, and is shown as a member, may wait for this invitation all the same.
          if (view?.members.includes(address) && !find(conversationId).unconfirmed.includes(address))
            continue;
          const conversation = conversations.ensure(id, 'accepted', context.now());
          compose(parts, conversation, inviteTo(group));
        }
      } finally {
        changed(conversationId);
      }
      return fresh(group);
    },

    'groups.withdrawInvitation': async ({ conversationId, address }) => {
      const { account } = requireOnline(parts);
      const group = find(conversationId);
      const params = { id: group.groupId, address: parseAddress(address) };
      await account.relay.call('withdrawInvitation', { params });
      changed(conversationId);
      return fresh(group);
    },

    'groups.removeMember': async ({ conversationId, address }) => {
      const online = requireOnline(parts);
      const group = find(conversationId);
      const member = parseAddress(address);
      const params = { id: group.groupId, address: member };
      await online.groups.remove(group.groupId, member, () =>
        online.account.relay.call('removeMember', { params }),
      );
      return fresh(group);
    },

    'groups.confirmMember': ({ conversationId, address }) => {
      requireOnline(parts).groups.confirm(find(conversationId).groupId, parseAddress(address));
      return {};
    },

    'groups.acknowledgeMembers': ({ conversationId }) => {
      groups.setDiffers(find(conversationId).id, null);
      context.emit('conversations.changed', { ids: [conversationId] });
      changed(conversationId);
      return {};
    },

    'groups.mintToken': async ({ conversationId, name }) => {
      const { account, registration } = requireOnline(parts);
      const group = find(conversationId);
      // Members show what a bot posts only if the creator's wallet has allowed it: that comes first.
      await registration.ensure(['bots']);
      const { secret, ...token } = await account.relay.call('createToken', {
        params: { id: group.groupId },
        body: { name: tidy(name, 'token_name_empty') },
      });
      changed(conversationId);
      return {
        token: toBotToken({ ...token, lastUsedAt: null, revokedAt: null }),
        secret,
        relayUrl: account.relay.baseUrl,
      };
    },

    'groups.revokeToken': async ({ conversationId, tokenId }) => {
      const { account } = requireOnline(parts);
      const group = find(conversationId);
      await account.relay.call('deleteToken', { params: { id: group.groupId, tokenId } });
      changed(conversationId);
      return fresh(group);
    },
  };
}

function toBotToken(token: WireBotToken): BotToken {
  return {
    id: token.id,
    name: toLabel(token.name),
    prefix: token.prefix,
    createdAt: decodeTime(token.createdAt),
    lastUsedAt: token.lastUsedAt === null ? null : decodeTime(token.lastUsedAt),
    revokedAt: token.revokedAt === null ? null : decodeTime(token.revokedAt),
  };
}

/** @throws Failure with this code if nothing is left */
function tidy(text: string, code: 'group_name_empty' | 'token_name_empty'): string {
  const label = toLabel(text);
  if (label === '') throw new Failure(code);
  return label;
}

/** The refusals of joining that a person can do something about. */
async function explained<T>(call: Promise<T>, withoutPassword: boolean): Promise<T> {
  try {
    return await call;
  } catch (error) {
    if (!(error instanceof RelayRefusal)) throw error;
    if (error.code === 'wrong_password') {
      throw new Failure(withoutPassword ? 'group_invitation_over' : 'group_password_wrong');
    }
    if (error.code === 'rate_limited' && error.retryAfter !== null) {
      const seconds = Math.ceil(error.retryAfter / 1000);
      throw new Failure('group_passwords_too_many', { seconds });
    }
    throw error;
  }
}
