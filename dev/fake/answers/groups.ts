import { Failure } from '../../../src/base/failure.ts';
import type { GroupConversation } from '../../../src/bridge/shapes/conversation.ts';
import type { BotToken, GroupDetails } from '../../../src/bridge/shapes/group.ts';
import type { AnswersOf, Emit } from '../contract.ts';
import { addGroup } from '../conversations.ts';
import { NOW } from '../people.ts';
import type { World } from '../world.ts';

/** Groups. The password of each that has one is `sesame`. */
export function groupAnswers(world: World, emit: Emit): AnswersOf<'groups'> {
  const find = (id: string): GroupConversation => {
    const found = world.conversations.find((each) => each.id === id);
    if (found?.kind !== 'group') throw new Failure('group_unknown');
    return found;
  };
  const factsOf = (id: string) => {
    const facts = world.groups.get(id);
    if (!facts) throw new Failure('group_unknown');
    return facts;
  };
  const details = (id: string): GroupDetails => ({
    conversationId: id,
    group: find(id).group,
    ...factsOf(id),
  });
  const changed = (id: string) => {
    const { group } = find(id);
    group.memberCount = factsOf(id).members.length;
    emit('conversations.changed', { ids: [id] });
    emit('groups.changed', { conversationIds: [id] });
    return details(id);
  };
  /** True if the app learns now that the person was removed. */
  const learn = (id: string, by: 'groups.look' | 'groups.details') => {
    if (world.removedFrom.get(id) !== by) return false;
    world.removedFrom.delete(id);
    find(id).group.joined = false;
    emit('conversations.changed', { ids: [id] });
    return true;
  };
  const linksOf = (id: string) => world.groupLinks.get(id) ?? [];
  const personAt = (address: string) =>
    world.people.find((each) => each.address === address) ?? {
      address,
      handle: null,
      displayName: null,
      nickname: null,
      handleVerified: false,
      picture: null,
    };
  const checkPassword = (password: string | null) => {
    if (password !== 'sesame') throw new Failure('group_password_wrong');
  };

  return {
    'groups.browse': ({ query }) => ({
      groups: world.listings.filter(({ name }) => name.toLowerCase().includes(query.toLowerCase())),
      nextCursor: null,
    }),
    'groups.create': ({ name, description, join }) => {
      const made = addGroup(world, name, [], [], { activeAt: NOW, group: { join: join.mode } });
      Object.assign(factsOf(made.id), { description });
      changed(made.id);
      return find(made.id);
    },
    'groups.join': ({ groupId, password }) => {
      const listing = world.listings.find((each) => each.groupId === groupId);
      if (!listing) throw new Failure('group_unknown');
      if (listing.join === 'password') checkPassword(password);
      const { name, verified, join } = listing;
      const group = { groupId, verified, join, isCreator: false };
      const joined = addGroup(world, name, world.people.slice(0, 3), [], { activeAt: NOW, group });
      listing.conversationId = joined.id;
      changed(joined.id);
      return joined;
    },
    'groups.leave': ({ conversationId }) => {
      find(conversationId).group.joined = false;
      changed(conversationId);
      return find(conversationId);
    },
    'groups.look': ({ conversationId }) => {
      learn(conversationId, 'groups.look');
      return {};
    },
    'groups.details': ({ conversationId }) => {
      if (learn(conversationId, 'groups.details'))
        throw new Failure('not_a_member', { detail: '', reason: '' });
      return details(conversationId);
    },
    'groups.invitedCount': ({ conversationId }) => ({
      count: factsOf(conversationId).invited?.length ?? 0,
    }),
    'groups.change': ({ conversationId, name, description, join }) => {
      const { group } = find(conversationId);
      if (name !== undefined) group.name = name;
      if (join !== undefined) group.join = join.mode;
      if (description !== undefined) factsOf(conversationId).description = description;
      return changed(conversationId);
    },
    'groups.invite': ({ conversationId, addresses }) => {
      factsOf(conversationId).invited?.push(...addresses.map(personAt));
      return changed(conversationId);
    },
    'groups.withdrawInvitation': ({ conversationId, address }) => {
      const facts = factsOf(conversationId);
      facts.invited = facts.invited?.filter((each) => each.address !== address) ?? null;
      return changed(conversationId);
    },
    'groups.removeMember': ({ conversationId, address }) => {
      const facts = factsOf(conversationId);
      facts.members = facts.members.filter(({ person }) => person.address !== address);
      return changed(conversationId);
    },
    'groups.setAdmin': ({ conversationId, address, isAdmin }) => {
      const found = factsOf(conversationId).members.find(({ person }) => person.address === address);
      if (found) found.isAdmin = isAdmin;
      return changed(conversationId);
    },
    'groups.setPicture': ({ conversationId, picture }) => {
      const conversation = world.conversations.find(({ id }) => id === conversationId);
      if (conversation?.kind !== 'group') throw new Failure('group_unknown');
      conversation.group = { ...conversation.group, picture: picture?.id ?? null };
      emit('conversations.changed', { ids: [conversationId] });
      emit('groups.changed', { conversationIds: [conversationId] });
      return {};
    },
    'groups.transfer': ({ conversationId, address }) => {
      for (const each of factsOf(conversationId).members) {
        each.isAdmin = each.person.address !== address && (each.isAdmin || each.isCreator);
        each.isCreator = each.person.address === address;
      }
      find(conversationId).group.isCreator = address === world.me.address;
      return changed(conversationId);
    },
    'groups.goOn': ({ conversationId }) => {
      find(conversationId).group.problem = null;
      changed(conversationId);
      return {};
    },
    'groups.createToken': ({ conversationId, name, alone }) => {
      const facts = factsOf(conversationId);
      const id = `token-${(facts.botTokens?.length ?? 0) + 1}`;
      const token: BotToken = {
        id,
        name,
        prefix: `gtk_live_${id}`,
        signs: !alone,
        createdAt: NOW,
        lastUsedAt: null,
        revokedAt: null,
      };
      facts.botTokens = [token, ...(facts.botTokens ?? [])];
      changed(conversationId);
      if (alone) facts.unsignedBots = true;
      const botKey = alone ? null : `wxb_${'0123456789'.repeat(4)}012`;
      return { name, secret: `gtk_live_${'0123456789'.repeat(4)}012`, botKey, relayUrl: world.me.relayUrl };
    },
    'groups.removeBot': ({ conversationId, key }) => {
      const facts = factsOf(conversationId);
      facts.lostBots = facts.lostBots?.filter((bot) => bot.key !== key) ?? null;
      return changed(conversationId);
    },
    'groups.setUnsignedBots': ({ conversationId, allowed }) => {
      factsOf(conversationId).unsignedBots = allowed;
      return changed(conversationId);
    },
    'groups.links': ({ conversationId }) => ({ links: linksOf(conversationId) }),
    'groups.createLink': ({ conversationId, expires }) => {
      const links = linksOf(conversationId);
      if (links.length >= 8) throw new Failure('invite_links_full', { most: 8 });
      const key = `link-${links.length + 1}`;
      const link = {
        key,
        url: `${world.me.relayUrl}/i#${'A'.repeat(100)}${links.length}`,
        expires: NOW + expires * 1_000,
      };
      world.groupLinks.set(conversationId, [...links, link]);
      changed(conversationId);
      return { link };
    },
    'groups.cancelLink': ({ conversationId, key }) => {
      world.groupLinks.set(
        conversationId,
        linksOf(conversationId).filter((link) => link.key !== key),
      );
      changed(conversationId);
      return {};
    },
    'groups.revokeToken': ({ conversationId, tokenId }) => {
      const token = factsOf(conversationId).botTokens?.find(({ id }) => id === tokenId);
      if (token) token.revokedAt = NOW;
      return changed(conversationId);
    },
  };
}
