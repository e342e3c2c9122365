/** Invite links into a group, for its creator. */
import { Failure } from '../../base/failure.ts';
import type { GroupLink } from '../../bridge/shapes/invite.ts';
import { isTransient } from '../../messaging/relay.ts';
import { decodeTime, encodeTime } from '../../protocol/encoding.ts';
import { formatInvite } from '../../protocol/invite.ts';
import type { RosterLink } from '../../protocol/roster/forms.ts';
import { MAX_LINKS } from '../../protocol/roster/limits.ts';
import type { StoredGroup } from '../cache/group-chains.ts';
import {
  deleteSeed,
  deleteUnusedSeeds,
  newLink,
  seedOf,
  storeSeed,
  validLinks,
} from '../invites/group-links.ts';
import { type EngineParts, requireOnline } from '../parts.ts';
import { groupOf } from './group-of.ts';
import type { Procedures } from './implementation.ts';

type Names = 'groups.links' | 'groups.createLink' | 'groups.cancelLink';

export function groupLinkProcedures(parts: EngineParts): Pick<Procedures, Names> {
  const { context } = parts;

  const find = (conversationId: string) => groupOf(context, conversationId);
  const toLink = (groupId: string, { key, expires }: RosterLink): GroupLink => {
    const seed = seedOf(context, groupId, key);
    const relay = new URL(requireOnline(parts).account.relay.baseUrl).origin;
    const place = { relay, relayKey: null, invitation: null };
    const url = seed === null ? null : formatInvite({ to: 'group', groupId, seed, ...place }).url;
    return { key, url, expires: decodeTime(expires) };
  };
  /** Sets the valid links of a group. Expired ones are dropped. */
  const change = ({ groupId }: StoredGroup, make: (valid: RosterLink[]) => RosterLink[] | null) =>
    requireOnline(parts).groups.change(groupId, (state) => {
      const links = make(validLinks(state, context.now()));
      return links && { kind: 'change', links };
    });

  return {
    'groups.links': ({ conversationId }) => {
      const { groupId, state } = find(conversationId);
      if (state.creator !== requireOnline(parts).account.address) return { links: [] };
      const links = validLinks(state, context.now()).map((link) => toLink(groupId, link));
      return { links: links.sort((one, other) => one.expires - other.expires) };
    },

    'groups.createLink': async ({ conversationId, expires: seconds }) => {
      const group = find(conversationId);
      const { groupId } = group;
      const secret = newLink();
      const link = { key: secret.key, expires: encodeTime(context.now() + seconds * 1_000) };
      // First, so that no link is without its seed if the app is killed.
      storeSeed(context, groupId, secret);
      deleteUnusedSeeds(context, groupId, group.state.links);
      try {
        await change(group, (valid) => {
          if (valid.length >= MAX_LINKS) throw new Failure('invite_links_full', { most: MAX_LINKS });
          return [...valid, link];
        });
      } catch (error) {
        // Otherwise the relay may have stored the link, and its answer was lost.
        if (!isTransient(error)) deleteSeed(context, groupId, secret.key);
        throw error;
      }
      return { link: toLink(groupId, link) };
    },

    'groups.cancelLink': async ({ conversationId, key }) => {
      const group = find(conversationId);
      await change(group, (valid) => {
        const others = valid.filter((link) => link.key !== key);
        return others.length === valid.length ? null : others;
      });
      return {};
    },
  };
}
